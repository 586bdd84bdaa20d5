import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ModelShape, RunShape } from '../../../server/core/budget/account.ts';
import { noCheckpoints, segmentsOf } from '../../../server/core/budget/plan.ts';
import { trainingStep } from '../../../server/core/budget/pytorch.ts';
import { peakOf, simulate } from '../../../server/core/budget/simulate.ts';
import { weightCounts } from '../../../server/core/budget/weightCounts.ts';
import { oneDevice, precisions, type StatesSetup } from '../../../server/core/states/setup.ts';
import { rankShape } from '../../../server/core/total/rankShape.ts';
import { sequenceParallelStep } from '../../../server/core/total/sequenceParallel.ts';
import { stageStep } from '../../../server/core/total/stageStep.ts';
import { type TotalMemory, totalsOf } from '../../../server/core/total/totalMemory.ts';

const llama: ModelShape = {
  family: 'llama',
  layers: 8,
  hidden: 1024,
  heads: 16,
  keyValueHeads: 4,
  headDimension: 64,
  feedForward: 2816,
  vocabulary: 32000,
  maximumSequence: 4096,
  activation: 'silu',
  tiedEmbeddings: false,
  bias: false,
};
const run: RunShape = { batch: 2, sequence: 512, dataType: 'bf16', autocast: false, attention: 'sdpa', dropout: 0 };
const bf16: StatesSetup = { ...oneDevice, precision: precisions.pureBf16 };

function total(model: ModelShape, setup: StatesSetup, plan = noCheckpoints, settings = run): TotalMemory {
  const step = trainingStep(model, settings)!;
  const { totals, problems } = totalsOf({ step, setup, generation: 'hopper', attention: 'fused' });
  assert.deepEqual(problems, []);
  return totals!.of(plan(totals!.stage.layers));
}

test('the weights of the states are those of the graphs, a tied embedding once', () => {
  for (const model of [llama, { ...llama, tiedEmbeddings: true }]) {
    const memory = total(model, bf16);
    const parameters = memory.states.find(({ group }) => group === 'parameters')!;
    assert.equal(parameters.bytes, 2 * weightCounts(trainingStep(model, run)!).total);
  }
});

test('one device in bf16: 2 bytes of parameters, 2 of gradients at the end, two moments of 2', () => {
  const { total: parameters } = weightCounts(trainingStep(llama, run)!);
  const memory = total(llama, bf16);
  const end = memory.moments.at(-2)!;
  assert.equal(end.gradientBytes, 2 * parameters);
  assert.equal(end.stateBytes, 6 * parameters);
  const first = memory.moments[0]!;
  assert.equal(first.gradientBytes, 0);
  assert.equal(memory.peak.totalBytes, Math.max(...memory.moments.map(({ totalBytes }) => totalBytes)));
});

test('gradients appear as the backward pass reaches their weights, or lie there from the micro-batch before', () => {
  const backward = total(llama, bf16).moments.filter(({ phase }) => phase === 'backward');
  for (const [at, moment] of backward.slice(1).entries())
    assert.ok(moment.gradientBytes >= backward[at]!.gradientBytes);
  const accumulating = total(llama, { ...bf16, microBatchesPerStep: 4 });
  assert.ok(
    accumulating.moments.every(({ gradientBytes }) => gradientBytes === accumulating.moments[0]!.gradientBytes),
  );
});

test('a tied embedding has one gradient, whether it waits or not', () => {
  const tied = { ...llama, tiedEmbeddings: true };
  const { total: parameters } = weightCounts(trainingStep(tied, run)!);
  assert.equal(total(tied, bf16).moments.at(-2)!.gradientBytes, 2 * parameters);
});

test('checkpointing lowers the activations alone', () => {
  const [none, full] = [total(llama, bf16), total(llama, bf16, (layers) => segmentsOf(layers, 1))];
  assert.ok(full.peak.totalBytes < none.peak.totalBytes);
  assert.equal(
    full.states.reduce((sum, { bytes }) => sum + bytes, 0),
    none.states.reduce((sum, { bytes }) => sum + bytes, 0),
  );
});

test('tensor parallelism halves what is cut, and leaves the hidden size', () => {
  const { model, problems } = rankShape(llama, run, { tensorParallel: 2, contextParallel: 1 });
  assert.deepEqual(problems, []);
  const [whole, half] = [trainingStep(llama, run)!, trainingStep(model, run)!];
  const layer = (step: typeof whole) => weightCounts(step).layers[0]! - 2 * llama.hidden;
  assert.equal(layer(half), layer(whole) / 2);
  assert.equal(half.units[1]!.memory.inputBytes, whole.units[1]!.memory.inputBytes);
  assert.ok(peakOf(simulate(half, noCheckpoints(8))) < peakOf(simulate(whole, noCheckpoints(8))));
});

test('sizes that do not divide are named', () => {
  const { problems } = rankShape(llama, run, { tensorParallel: 3, contextParallel: 5 });
  assert.deepEqual(
    problems.map(({ field, given }) => [field, given]),
    [
      ['tensorParallel', '3'],
      ['tensorParallel', '3'],
      ['contextParallel', '5'],
    ],
  );
});

test('pipeline stages have their share of the layers, the first the embedding, the last the head', () => {
  const step = trainingStep(llama, run)!;
  const stages = [0, 1, 2, 3].map((stage) => stageStep(step, { stages: 4, stage, chunks: 1 }));
  assert.deepEqual(
    stages.map(({ units, layers, firstHeadUnit }) => [units.length, layers, firstHeadUnit]),
    [
      [3, 2, 3],
      [2, 2, 2],
      [2, 2, 2],
      [3, 2, 2],
    ],
  );
});

test('the first of four stages holds the activations of four micro-batches', () => {
  const pipeline = { stages: 4, stage: 0, chunks: 1 };
  const one = total(llama, { ...bf16, pipeline, microBatchesPerStep: 1 });
  const eight = total(llama, { ...bf16, pipeline, microBatchesPerStep: 8 });
  const stage = stageStep(trainingStep(llama, run)!, pipeline);
  const kept = simulate(stage, noCheckpoints(2)).afterForwardBytes;
  const most = ({ moments }: TotalMemory) => Math.max(...moments.map(({ activationBytes }) => activationBytes));
  assert.equal(most(eight) - most(one), 3 * kept);
});

test('what cannot be comes back as a problem, never as a number', () => {
  const step = trainingStep(llama, run)!;
  for (const setup of [
    { ...bf16, expertParallel: 0 },
    { ...bf16, pipeline: { stages: 3, stage: 0, chunks: 1 } },
    { ...bf16, microBatchesPerStep: Number.NaN },
  ]) {
    const { totals, problems } = totalsOf({ step, setup, generation: undefined, attention: 'eager' });
    assert.equal(totals, undefined);
    assert.ok(problems.length > 0);
  }
});

test('sequence parallelism divides the layer inputs and what else is kept of the residual stream', () => {
  const ranks = { tensorParallel: 4, contextParallel: 1 };
  const { model } = rankShape(llama, run, ranks);
  const step = trainingStep(model, run)!;
  const cut = sequenceParallelStep(step, 4);
  const kept = (each: typeof step) => each.units[2]!.memory.keptBytes;
  // Per token: two norms of 4h + 4 + 2h bytes and the inputs of two groups of linears, 2h each.
  const tokens = run.batch * run.sequence;
  const stream = tokens * (2 * (6 * llama.hidden + 4) + 4 * llama.hidden);
  assert.equal(kept(step) - kept(cut), (stream * 3) / 4);
  assert.equal(cut.units[2]!.memory.inputBytes, step.units[2]!.memory.inputBytes / 4);
});

// Measured with torch's profiler on the CPU: the peak is 3.0 times the matrix.
test('the two gradients of a tied embedding meet in a third tensor at the end of the backward pass', () => {
  const tied = { ...llama, tiedEmbeddings: true, vocabulary: 256_000 };
  const matrix = 2 * tied.vocabulary * tied.hidden;
  const others = (setup: StatesSetup) => {
    const memory = total(tied, setup, (layers) => segmentsOf(layers, 1), { ...run, batch: 1, sequence: 16 });
    const { activationBytes, gradientBytes } = memory.moments.at(-2)!;
    const all = memory.states.find(({ group }) => group === 'gradients')!.bytes;
    assert.equal(gradientBytes, all);
    return activationBytes - 2 * matrix;
  };
  // One of the three is among the gradients; with accumulation those are of the micro-batches before, and all three are new.
  assert.ok(others(bf16) >= 0 && others(bf16) < 0.01 * matrix);
  assert.equal(others({ ...bf16, microBatchesPerStep: 4 }) - others(bf16), matrix);
});
