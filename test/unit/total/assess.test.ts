import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ModelShape, RunShape } from '../../../server/core/budget/account.ts';
import { trainingStep } from '../../../server/core/budget/pytorch.ts';
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

test('shares of the memory are of the whole that the parts are listed with, allowance included', () => {
  const { share, parts, now } = assess(training, bytesText).assessment!;
  assert.equal(share!.totalBytes, now.range.expected);
  const largest = parts.filter(({ isLowered }) => !isLowered).sort((a, b) => b.bytes - a.bytes)[0]!;
  assert.equal(share!.untouched[0]!.share, largest.bytes / now.range.expected);
});

test('ranks that do not divide are problems, not numbers', () => {
  const { assessment, problems } = assess({ ...training, setup: { ...training.setup, tensorParallel: 3 } }, bytesText);
  assert.equal(assessment, undefined);
  assert.equal(problems[0]?.field, 'tensorParallel');
});

test('FSDP gathers weights in the low-precision type, so that autocast has none to copy', () => {
  const sharding = {
    kind: 'fsdp',
    version: 2,
    ranks: 8,
    reshardAfterForward: true,
    gatheredType: 'bf16',
    reduceType: 'bf16',
    gatheredLayers: 2,
  } as const;
  const setup = { ...oneDevice, precision: precisions.autocast, sharding };
  const of = (change: Partial<RunShape>) =>
    assess({ ...training, run: { ...run, ...change }, setup }, bytesText).assessment!;
  const sharded = of({ autocast: true, lowPrecisionWeights: true });
  assert.equal(sharded.now.peak.activationBytes, of({ autocast: false }).now.peak.activationBytes);
  const parts = trainingStep(model, { ...run, autocast: true, lowPrecisionWeights: true })!.units.flatMap(
    ({ memory }) => memory.kept.map(({ part }) => part),
  );
  assert.ok(!parts.includes('weight-copies'));
  const parameters = ({ states }: typeof sharded.now) => states.find(({ group }) => group === 'parameters')!;
  // What each rank stores stays fp32.
  assert.equal(parameters(sharded.now).bytes, parameters(of({ autocast: true }).now).bytes);
  assert.equal(parameters(sharded.now).label, 'Parameters (fp32)');
});

test('checkpointing every layer is more work where only one layer in three is checkpointed', () => {
  const some = { ...training, now: { mode: 'full', segment: 1, every: 3 } } as const;
  const full = advise(some, assess(some, bytesText).assessment!).remedies.find(({ key }) => key === 'full')!;
  assert.ok(full.extraStep > 0.1, `${full.extraStep}`);
});

test('a model of images has no largest sequence, a short one none beyond its positions', () => {
  const vit: ModelShape = {
    ...model,
    family: 'vit',
    keyValueHeads: 32,
    vocabulary: 1000,
    maximumSequence: 1_048_576,
    bias: true,
  };
  const largest = (shape: ModelShape) => {
    const on = {
      ...training,
      model: shape,
      run: { ...run, batch: 1, sequence: 77 },
      device: findDevice('H100 80GB SXM').device!,
    };
    return advise(on, assess(on, bytesText).assessment!).largest[0]!;
  };
  assert.deepEqual([largest(vit).hasSequence, largest(vit).sequence], [false, undefined]);
  assert.equal(largest({ ...model, maximumSequence: 100 }).sequence, 100);
});

test('a segment that cannot be is brought into range', () => {
  for (const segment of [-3, 0, 0.5, 99, Number.NaN]) {
    const { assessment } = assess({ ...training, now: { mode: 'full', segment } }, bytesText);
    const full = assessment!.strategies.find(({ name }) => name === 'full')!;
    assert.equal(full.segment, segment === 99 ? 16 : 1);
    assert.ok(assessment!.now.peak.totalBytes > 0);
  }
});

test('on a GPU older than Ampere bf16 has no fused attention, which fp16 has', () => {
  const small: RunShape = { ...run, batch: 1, sequence: 1024, autocast: true };
  const on = (name: string, dataType: RunShape['dataType']): Training => ({
    ...training,
    setup: { ...oneDevice, precision: precisions.autocast },
    run: { ...small, dataType },
    device: findDevice(name).device!,
  });
  const activations = (each: Training): number =>
    assess(each, bytesText).assessment!.totals.stage.units[2]!.memory.keptBytes;
  const scores = 4 * model.heads * 1024 * 1024;
  assert.ok(activations(on('T4', 'bf16')) > activations(on('A100 40GB', 'bf16')) + scores);
  // Grouped heads reach no kernel of an old GPU either; with as many heads as there are queries fp16 is fused.
  const full = (each: Training): Training => ({ ...each, model: { ...model, keyValueHeads: model.heads } });
  assert.ok(activations(full(on('T4', 'fp16'))) < activations(full(on('A100 40GB', 'fp16'))) + scores / 100);
  const keys = (each: Training) => advise(each, assess(each, bytesText).assessment!).remedies.map(({ key }) => key);
  assert.ok(keys(full(on('T4', 'bf16'))).includes('fp16'));
  assert.ok(!keys(full(on('A100 40GB', 'bf16'))).includes('fp16'));
});

test('what is done again takes time as a range where the device’s rate is known, and has no time elsewhere', () => {
  const times = (device: Training['device']) =>
    assess({ ...training, device }, bytesText).assessment!.strategies.map(({ name, extraSeconds, extraStep }) => ({
      name,
      extraSeconds,
      extraStep,
    }));
  const full = times(findDevice('A100 40GB').device).find(({ name }) => name === 'full')!;
  const { low, high, source } = full.extraSeconds!;
  assert.ok(low > 0 && high === 2 * low);
  assert.match(source, /A100/);
  const none = times(findDevice('A100 40GB').device).find(({ name }) => name === 'none')!;
  assert.deepEqual([none.extraSeconds!.low, none.extraSeconds!.high], [0, 0]);
  assert.ok(times(undefined).every(({ extraSeconds }) => extraSeconds === undefined));
  // A T4 has no tensor cores for bf16.
  assert.ok(times(findDevice('T4').device).every(({ extraSeconds }) => extraSeconds === undefined));
});
