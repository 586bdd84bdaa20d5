import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ModelShape, RunShape } from '../../../server/core/budget/account.ts';
import { withPartRecomputed } from '../../../server/core/budget/coreRecompute.ts';
import { pieceMemory } from '../../../server/core/budget/pieceMemory.ts';
import { noCheckpoints, type Plan, segmentsOf, sequential, type Treatment } from '../../../server/core/budget/plan.ts';
import { pytorchAccount, trainingStep } from '../../../server/core/budget/pytorch.ts';
import { peakOf, simulate } from '../../../server/core/budget/simulate.ts';
import { newTensor } from '../../../server/core/graph/tensor.ts';
import core from '../../goldens/core-recompute.json';
import llama7b from '../../goldens/llama-7b-peaks.json';
import segments from '../../goldens/segment-peaks.json';

const textbook = (hidden: number, heads: number): ModelShape => ({
  family: 'gpt2',
  layers: 12,
  hidden,
  heads,
  keyValueHeads: heads,
  headDimension: hidden / heads,
  feedForward: 4 * hidden,
  vocabulary: 1,
  maximumSequence: 2048,
  activation: 'gelu',
  tiedEmbeddings: true,
  bias: true,
});
const eager = (sequence: number, dropout: number): RunShape => ({
  batch: 1,
  sequence,
  dataType: 'bf16',
  autocast: false,
  attention: 'eager',
  dropout,
  kernels: 'meta',
});
const layer = (model: ModelShape, run: RunShape) =>
  trainingStep(model, run)!.units.find(({ isLayer }) => isLayer)!.memory;

const within = (actual: number, expected: number, share: number) =>
  assert.ok(
    Math.abs(actual / expected - 1) <= share,
    `${actual}, measured ${expected}: ${(100 * (actual / expected - 1)).toFixed(2)} %`,
  );

// Bare layers without a model around them, as they were measured: their input was the harness's own and not counted, and the
// loss, a plain sum, hands back a gradient that is one expanded number.
const bareLayers = (layers: number, dropout: number) => {
  const { units, ...step } = trainingStep(textbook(1024, 16), eager(1024, dropout))!;
  const bare = units.filter(({ isLayer }) => isLayer).slice(0, layers);
  const { piece } = bare[0]!.memory;
  const expandedSum = newTensor(piece.output.shape, 'bf16');
  const ofSum = { ...expandedSum, storage: { ...expandedSum.storage, bytes: 2 } };
  const last = { ...bare[0]!, memory: pieceMemory(piece, ofSum) };
  const shared = { kept: 0, arguments: 0, gradients: 0 };
  const alone = [...bare.slice(1), last].map((unit) => ({ ...unit, shared }));
  return { ...step, units: alone, layers, firstHeadUnit: layers, resultBytes: 2, waitingBytes: 0 };
};

const planOf = (row: (typeof segments)[number]): Plan => {
  const treatment: Treatment = { kind: 'checkpoint', reentrant: row.reentrant, offloaded: false };
  if (row.mode === 'none') return noCheckpoints(row.layers);
  if (row.mode === 'sequential') return sequential(row.layers, Math.ceil(row.layers / row.segment), treatment);
  const plan = segmentsOf(row.layers, row.segment, treatment);
  if (row.mode === 'all') return plan;
  return [...plan.slice(0, -1), { layers: plan.at(-1)!.layers, treatment: { kind: 'plain' } }];
};

for (const row of segments) {
  const how = `${row.mode}, k = ${row.segment}, dropout ${row.dropout}${row.reentrant ? ', reentrant' : ''}`;
  test(`live peak of 12 textbook layers: ${how}`, () => {
    const step = bareLayers(row.layers, row.dropout);
    assert.equal(step.units[0]!.memory.keptBytes, row.layerBytes);
    const peaks = simulate(step, planOf(row));
    within(peakOf(peaks) - row.boundaryBytes, row.peak, 0.0002);
    assert.equal(peaks.afterForwardBytes - row.boundaryBytes, row.afterForward);
  });
}

for (const row of llama7b) {
  test(`live peak of Llama 7B: ${row.segment === 0 ? 'none' : `k = ${row.segment}`}${row.reentrant ? ', reentrant' : ''}`, () => {
    const model: ModelShape = {
      family: 'llama',
      layers: 32,
      hidden: 4096,
      heads: 32,
      keyValueHeads: 32,
      headDimension: 128,
      feedForward: 11008,
      vocabulary: 32000,
      maximumSequence: 4096,
      activation: 'silu',
      tiedEmbeddings: false,
      bias: false,
    };
    const run: RunShape = {
      batch: 1,
      sequence: 4096,
      dataType: 'bf16',
      autocast: false,
      attention: 'sdpa',
      dropout: 0,
      kernels: 'meta',
    };
    const account = pytorchAccount(model, run, Math.max(1, row.segment))!;
    const [without, full] = account.strategies;
    const strategy = row.segment === 0 ? without : full;
    assert.equal(account.layerBytes, row.layerBytes);
    assert.equal(account.boundaryBytes, row.boundaryBytes);
    within(strategy?.peakBytes ?? 0, row.peak, 0.000001);
    within(strategy?.afterForwardBytes ?? 0, row.afterForward, 0.000001);
    if (row.segment > 0) assert.equal(account.peaksBySegment[row.segment - 1], strategy?.peakBytes);
  });
}

for (const row of core) {
  test(`recomputing the attention core, dropout ${row.dropout}`, () => {
    const memory = withPartRecomputed(layer(textbook(4096, 32), eager(2048, row.dropout)), 'attention-scores');
    assert.equal(memory.keptBytes, row.keptPerLayer);
    within(memory.backwardPeakBytes - memory.keptBytes, row.peakMinusKept, 0.0001);
  });
}
