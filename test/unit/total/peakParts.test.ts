import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ModelShape, RunShape, StrategyName } from '../../../server/core/budget/account.ts';
import { keptByOperation } from '../../../server/core/budget/keptByOperation.ts';
import { planNow } from '../../../server/core/budget/planNow.ts';
import { pytorchAccount, trainingStep } from '../../../server/core/budget/pytorch.ts';
import { strategyPlans } from '../../../server/core/budget/strategies.ts';
import { checkpointingOf, strategyOf } from '../../../server/core/budget/strategyNow.ts';
import { customDevice } from '../../../server/core/devices/devices.ts';
import type { CheckpointingNow } from '../../../server/core/facts/facts.ts';
import { bytesText } from '../../../server/core/report/quantities.ts';
import { oneDevice, precisions, zeroDefaults } from '../../../server/core/states/setup.ts';
import { type Assessment, assess, type Training } from '../../../server/core/total/assess.ts';
import { extraStepOf } from '../../../server/core/total/extraStep.ts';
import { type PeakPart, peakParts } from '../../../server/core/total/peakParts.ts';
import { whenNotToCheckpoint } from '../../../server/core/total/whenNot.ts';

const model: ModelShape = {
  family: 'llama',
  layers: 8,
  hidden: 1024,
  heads: 16,
  keyValueHeads: 8,
  headDimension: 64,
  feedForward: 4096,
  vocabulary: 32_000,
  maximumSequence: 8192,
  activation: 'silu',
  tiedEmbeddings: false,
  bias: false,
};
const run: RunShape = { batch: 2, sequence: 2048, dataType: 'bf16', autocast: false, attention: 'sdpa', dropout: 0 };
const none: CheckpointingNow = { mode: 'none', segment: 1 };
const training: Training = {
  model,
  run,
  now: none,
  setup: { ...oneDevice, precision: precisions.pureBf16 },
  device: undefined,
};
const strategies: readonly StrategyName[] = strategyPlans(8, 2).map(({ name }) => name);

const assessed = (change: Partial<Training>): Assessment => assess({ ...training, ...change }, bytesText).assessment!;

function partsOf(change: Partial<Training>): readonly PeakPart[] {
  const { totals, now } = assessed(change);
  return peakParts(totals.stage, planNow(change.now ?? none, totals.stage.layers), now);
}

test('the parts of the peak add up to the expected total, whatever decides the peak', () => {
  const setups = [
    training.setup,
    { ...oneDevice, sharding: { kind: 'zero', stage: 3, ranks: 8, ...zeroDefaults } },
  ] as const;
  for (const setup of setups) {
    for (const vocabulary of [1000, 128_000]) {
      for (const name of strategies) {
        const change = { setup, model: { ...model, vocabulary }, now: checkpointingOf(name, 2) };
        const parts = partsOf(change);
        const total = parts.reduce((sum, { bytes }) => sum + bytes, 0);
        assert.equal(total, assessed(change).now.range.expected, name);
        for (const { lines, bytes, key } of parts) {
          assert.equal(
            lines.reduce((sum, line) => sum + line.bytes, 0),
            bytes,
            key,
          );
          assert.ok(
            lines.every(({ formula, source }) => formula !== '' && source !== ''),
            key,
          );
        }
      }
    }
  }
});

test('a large vocabulary is in the head’s part, which checkpointing does not lower', () => {
  const keys = partsOf({ model: { ...model, vocabulary: 128_000 } }).map(({ key }) => key);
  assert.ok(keys.includes('head') && keys.includes('stored') && !keys.includes('running'));
  const small = partsOf({ model: { ...model, vocabulary: 100 }, now: { mode: 'full', segment: 4 } });
  assert.ok(small.some(({ key, isLowered }) => key === 'running' && isLowered));
  assert.ok(small.every(({ key }) => key !== 'head'));
});

test('every strategy can be said as checkpointing, and is recognised again', () => {
  for (const name of strategies) assert.equal(strategyOf(checkpointingOf(name, 2)), name);
  const plans = strategyPlans(8, 2);
  const { stage } = assessed({}).totals;
  for (const { name, plan } of plans) {
    const again = planNow(checkpointingOf(name, 2), 8);
    assert.equal(extraStepOf(stage, again), extraStepOf(stage, plan), name);
  }
});

test('checkpointing that is no strategy of the table is called none of them', () => {
  assert.equal(strategyOf({ mode: 'full', segment: 1, every: 3 }), undefined);
  assert.equal(strategyOf({ mode: 'full', segment: 1, layers: 4 }), undefined);
  assert.equal(strategyOf({ mode: 'full', segment: 1, every: 2, offloaded: true }), undefined);
  assert.equal(strategyOf({ mode: 'full', segment: 3, variant: 'reentrant' }), 'full');
});

test('what one layer keeps by operation adds up to what it keeps by part', () => {
  const byOperation = keptByOperation(trainingStep(model, run)!);
  const { layerParts } = pytorchAccount(model, run, 1)!;
  for (const { key, bytes } of layerParts) {
    const own = byOperation.filter(({ part }) => part === key).reduce((sum, each) => sum + each.bytes, 0);
    assert.equal(own, bytes, key);
  }
  for (const { bytes, tensors } of byOperation)
    assert.equal(
      tensors.reduce((sum, each) => sum + each.bytes, 0),
      bytes,
    );
});

test('what fits without checkpointing is told to go without', () => {
  const device = customDevice(80e9)!;
  const plain = assessed({ device });
  assert.match(whenNotToCheckpoint(plain, 0, bytesText)[0]!, /^It fits without checkpointing, with .* to spare/);
  const checkpointed = assessed({ device, now: { mode: 'full', segment: 1 } });
  assert.match(whenNotToCheckpoint(checkpointed, 1 / 3, bytesText)[0]!, /25 % less work$/);
});

test('where nothing fits no hope is raised, and where no device is named nothing is said of fitting', () => {
  const sentences = whenNotToCheckpoint(assessed({ device: customDevice(1e9)! }), 0, bytesText);
  assert.match(sentences[0]!, /^No checkpointing makes it fit: the least that is left is .* over$/);
  assert.deepEqual(whenNotToCheckpoint(assessed({}), 0, bytesText), []);
});

test('a peak in the optimizer’s step is out of checkpointing’s reach', () => {
  const tiny = { ...run, batch: 1, sequence: 16 };
  const setup = { ...training.setup, foreachStep: true };
  assert.match(whenNotToCheckpoint(assessed({ run: tiny, setup }), 0, bytesText).at(-1)!, /while the optimizer steps/);
});
