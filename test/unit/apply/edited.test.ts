import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { test } from 'node:test';
import type { ChosenStrategy } from '../../../server/core/apply/chosen.ts';
import { full, none, policy, put, reading, segments, sequential } from './applied.ts';

/** What is put into this model is committed beside it, and `test/torch/proofs/apply-strategy.py` runs it on real torch. */
const folder = 'test/unit/apply/edited';
const textOf = (name: string): string => readFileSync(`${folder}/${name}.py`, 'utf8');
const plain = textOf('plain');

const forms: Readonly<Record<string, ChosenStrategy>> = {
  full,
  segments: segments(4),
  policy,
  sequential: sequential(2),
};

for (const [name, chosen] of Object.entries(forms)) {
  test(`${name}: the edited model is the one that torch runs`, () => {
    const edited = put(plain, chosen, { layers: 6 });
    if (process.env.CHECKPOINT_LENS_RECORD === '1') writeFileSync(`${folder}/${name}.py`, edited);
    assert.equal(edited, textOf(name));
    assert.equal(reading(edited).isBroken, false);
    assert.deepEqual(reading(edited).findings, []);
    assert.equal(put(edited, chosen, { layers: 6 }), edited, 'a second time changes nothing');
    if (name !== 'sequential') assert.equal(put(edited, none), plain, 'and it can be taken out again');
  });
}

test('wrapper: the layers of a model without a loop of its own', () => {
  // The same model with its layers in one nn.Sequential, which no loop runs.
  const called = plain
    .replace(
      'nn.ModuleList([Block(width) for _ in range(layers)])',
      'nn.Sequential(*[Block(width) for _ in range(layers)])',
    )
    .replace(
      '        for block in self.blocks:\n            x = block(x)\n        return x',
      '        return self.blocks(x)',
    );
  const edited = put(called, full);
  if (process.env.CHECKPOINT_LENS_RECORD === '1') writeFileSync(`${folder}/wrapper.py`, edited);
  assert.equal(edited, textOf('wrapper'));
  assert.equal(put(edited, full), edited);
});

test('guarded: segments in a loop that checkpoints only while it trains', () => {
  const guarded = plain
    .replace(
      '            x = block(x)\n',
      `            if self.training:
                x = checkpoint(block, x, use_reentrant=False)
            else:
                x = block(x)
`,
    )
    .replace('import torch\n', 'import torch\nfrom torch.utils.checkpoint import checkpoint\n');
  const edited = put(guarded, segments(4), { layers: 6 });
  if (process.env.CHECKPOINT_LENS_RECORD === '1') writeFileSync(`${folder}/guarded.py`, edited);
  assert.equal(edited, textOf('guarded'));
  assert.deepEqual(reading(edited).findings, []);
});
