import assert from 'node:assert/strict';
import { test } from 'node:test';
import { rule } from '../../../server/core/rules/ac4-selective/stateful-policy.ts';
import { lintText } from '../../support/lint.ts';

const counter = `from torch.utils.checkpoint import CheckpointPolicy
def make(meta):
    def policy(ctx, op, *args, **kwargs):
        meta["count"] += 1
        return CheckpointPolicy.MUST_SAVE if meta["count"] % 2 else CheckpointPolicy.PREFER_RECOMPUTE
    return policy
`;
const keyed = counter.replace('meta["count"] += 1', 'meta[ctx.is_recompute] += 1');
const severities = (text: string, torch?: string) =>
  lintText(text, torch === undefined ? { rules: [rule] } : { rules: [rule], torch }).map(({ severity }) => severity);

test('a shared counter is wrong before torch 2.13, where the policy runs twice', () => {
  assert.deepEqual(severities(counter, '2.12'), ['warning']);
  assert.deepEqual(severities(counter), ['information']);
  assert.deepEqual(severities(counter, '2.13'), []);
});

test('is_recompute is needed before torch 2.13 and always False after', () => {
  assert.deepEqual(severities(keyed, '2.12'), []);
  assert.deepEqual(severities(keyed), []);
  assert.deepEqual(severities(keyed, '2.13'), ['hint']);
});
