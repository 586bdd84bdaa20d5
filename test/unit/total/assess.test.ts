import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ModelShape, RunShape } from '../../../server/core/budget/account.ts';
import { findDevice } from '../../../server/core/devices/findDevice.ts';
import { bytesText } from '../../../server/core/report/quantities.ts';
import { oneDevice, precisions } from '../../../server/core/states/setup.ts';
import { advise } from '../../../server/core/total/advise.ts';
import { assess, type Training } from '../../../server/core/total/assess.ts';

const model: ModelShape = {
  family: 'llama',
  layers: 16,
  hidden: 2048,
  heads: 32,
  keyValueHeads: 8,
  headDimension: 64,
  feedForward: 8192,
  vocabulary: 128256,
  maximumSequence: 8192,
  activation: 'silu',
  tiedEmbeddings: true,
  bias: false,
};
const run: RunShape = { batch: 4, sequence: 4096, dataType: 'bf16', autocast: false, attention: 'sdpa', dropout: 0 };
const training: Training = {
  model,
  run,
  now: { mode: 'none', segment: 1 },
  setup: { ...oneDevice, precision: precisions.pureBf16 },
  device: findDevice('A100 40GB').device!,
};

test('a training that does not fit is told what would make it fit, cheapest first', () => {
  const { assessment } = assess(training, bytesText);
  assert.equal(assessment!.verdict!.outcome, 'over');
  const { remedies, cheapest, pareto } = advise(training, assessment!);
  assert.ok(remedies.length >= 4);
  for (const [at, remedy] of remedies.slice(1).entries()) assert.ok(remedy.extraStep >= remedies[at]!.extraStep);
  for (const remedy of remedies) assert.ok(remedy.savedBytes > 0);
  if (cheapest === undefined) assert.ok(pareto.every(({ totalBytes }) => totalBytes > training.device!.memoryBytes));
  else assert.ok(cheapest.totalBytes <= training.device!.memoryBytes);
});

test('the largest micro-batch fits and one more does not', () => {
  const device = findDevice('H100 80GB SXM').device!;
  const on = { ...training, device };
  const { largest } = advise(on, assess(on, bytesText).assessment!);
  for (const { with: how, batch, sequence } of largest) {
    const now = how === 'now' ? on.now : ({ mode: 'full', segment: 1 } as const);
    const spare = (change: Partial<RunShape>) =>
      assess({ ...on, now, run: { ...run, ...change } }, bytesText).assessment!.verdict!.spareBytes;
    assert.ok(spare({ batch: batch! }) >= 0);
    assert.ok(spare({ batch: batch! + 1 }) < 0);
    assert.ok(spare({ sequence: sequence! }) >= 0);
    assert.ok(sequence! <= model.maximumSequence);
  }
});

test('checkpointing is said to free no more than the difference it makes', () => {
  const { share, strategies, now } = assess(training, bytesText).assessment!;
  const least = Math.min(...strategies.map(({ total }) => total.peak.totalBytes));
  assert.equal(share!.freeableBytes, now.peak.totalBytes - least);
});

test('ranks that do not divide are problems, not numbers', () => {
  const { assessment, problems } = assess({ ...training, setup: { ...training.setup, tensorParallel: 3 } }, bytesText);
  assert.equal(assessment, undefined);
  assert.equal(problems[0]?.field, 'tensorParallel');
});
