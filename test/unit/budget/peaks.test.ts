import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ModelShape, RunShape } from '../../../server/core/budget/account.ts';
import { type PieceMemory, pieceMemory, selectiveMemory } from '../../../server/core/budget/pieceMemory.ts';
import { pytorchAccount } from '../../../server/core/budget/pytorch.ts';
import { peakBytes, stepWithout, stepWithSegments } from '../../../server/core/budget/schedule.ts';
import { modelPieces } from '../../../server/core/families/pieces.ts';
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
});
const layerPiece = (model: ModelShape, run: RunShape) => modelPieces(model, run).layer;

const within = (actual: number, expected: number, share: number) =>
  assert.ok(
    Math.abs(actual / expected - 1) <= share,
    `${actual}, measured ${expected}: ${(100 * (actual / expected - 1)).toFixed(2)} %`,
  );

// Bare layers without a model around them: the measured input was not counted and its loss, a plain sum, hands back a
// gradient without storage. A model's embedding output and loss gradient are two boundaries more than that.
const none: PieceMemory = {
  keptBytes: 0,
  keepsInput: false,
  forwardPeakBytes: 0,
  replayPeakBytes: 0,
  backwardPeakBytes: 0,
  flops: 0,
  replayFlops: 0,
};
for (const row of segments) {
  const how = `${row.mode}, k = ${row.segment}, dropout ${row.dropout}${row.reentrant ? ', reentrant' : ''}`;
  test(`live peak of 12 textbook layers: ${how}`, () => {
    const layer = pieceMemory(layerPiece(textbook(1024, 16), eager(1024, row.dropout)));
    assert.equal(layer.keptBytes, row.layerBytes);
    const step = {
      layers: row.layers,
      embed: none,
      layer,
      head: none,
      boundaryBytes: row.boundaryBytes,
      sharedBytes: 0,
      argumentBytes: 0,
      resultBytes: 2,
      waitingBytes: 0,
    };
    const peak = row.mode === 'none' ? stepWithout(step) : stepWithSegments(step, row.segment);
    within(peakBytes(peak), row.peak, 0.03);
    assert.equal(peak.afterForwardBytes, row.afterForward + row.boundaryBytes);
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
    };
    const account = pytorchAccount(model, run, Math.max(1, row.segment));
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
    const memory = selectiveMemory(layerPiece(textbook(4096, 32), eager(2048, row.dropout)), 'attention-scores');
    assert.equal(memory.keptBytes, row.keptPerLayer);
    within(memory.backwardPeakBytes - memory.keptBytes, row.peakMinusKept, 0.0001);
  });
}
