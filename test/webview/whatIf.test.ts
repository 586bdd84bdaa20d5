import assert from 'node:assert/strict';
import { test } from 'node:test';
import { estimateBudget } from '../../server/core/budget/estimate.ts';
import type { BudgetView } from '../../webview/derive.ts';
import { derivePanel } from '../../webview/derive.ts';
import { initialState, withWhatIf } from '../../webview/store.ts';
import { segmentTried, tryInRun, valuesInCode, type WhatIf, withoutCodeValues } from '../../webview/whatIf.ts';
import { computing, facts, shown, withShown } from './sample.ts';

const everything: Required<WhatIf> = {
  batch: 2,
  sequence: 512,
  accumulation: 4,
  strategy: 'full',
  segment: 3,
  dataType: 'fp16',
  autocast: false,
  attention: 'eager',
  loss: 'fused',
  optimizer: 'adamw-8bit',
  sharding: 'zero-2',
  ranks: 8,
  adapters: 16,
  quantisation: 'nf4',
};

test('everything that can be tried arrives in the run, marked as chosen', () => {
  const run = tryInRun(facts.run, everything);
  assert.deepEqual(valuesInCode(run), everything);
  for (const field of ['batch', 'optimizer', 'sharding', 'dataParallel', 'adapters', 'fused', 'checkpointing'] as const)
    assert.equal(run[field]?.origin.kind, 'chosen', field);
});

test('trying nothing changes nothing', () => {
  assert.deepEqual(tryInRun(facts.run, {}), facts.run);
  assert.deepEqual(withoutCodeValues(valuesInCode(facts.run), facts.run), {});
});

test('what the code has can be taken away', () => {
  const run = tryInRun(tryInRun(facts.run, everything), {
    sharding: 'none',
    adapters: 0,
    quantisation: 'none',
    loss: 'plain',
  });
  assert.equal(run.sharding, undefined);
  assert.equal(run.adapters, undefined);
  assert.equal(run.quantisation, undefined);
  assert.deepEqual(run.fused?.value, {});
});

test('each what-if alone moves the total', () => {
  const start = withShown(initialState(), shown);
  const total = (tried: WhatIf): number | undefined =>
    (derivePanel(withWhatIf(start, tried), computing(estimateBudget)) as BudgetView).whole?.now.range.expected;
  const before = total({});
  const { segment: _k, ranks: _ranks, quantisation: _base, ...alone } = everything;
  for (const [field, value] of Object.entries({ ...alone, dataType: 'fp32', autocast: false })) {
    // A step sums gradients in place, so accumulating them changes nothing at this peak.
    if (field !== 'accumulation') assert.notEqual(total({ [field]: value }), before, field);
  }
  assert.notEqual(total({ sharding: 'zero-2', ranks: 8 }), total({ sharding: 'zero-2', ranks: 2 }));
  assert.notEqual(total({ adapters: 8, quantisation: 'nf4' }), total({ adapters: 8 }));
});

test('a length of segments is tried with a strategy that has segments', () => {
  assert.deepEqual(segmentTried(4, 'none'), { segment: 4, strategy: 'full' });
  assert.deepEqual(segmentTried(4, 'policy'), { segment: 4, strategy: 'full' });
  assert.deepEqual(segmentTried(4, 'sequential'), { segment: 4 });
  // What the code does may be none of the strategies; then it stays.
  assert.deepEqual(segmentTried(4, undefined), { segment: 4 });
});
