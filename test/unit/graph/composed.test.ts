import assert from 'node:assert/strict';
import { test } from 'node:test';
import { convolution } from '../../../server/core/graph/convolutions.ts';
import { add, relu, silu } from '../../../server/core/graph/elementwise.ts';
import { groupedExperts, routeTokens } from '../../../server/core/graph/experts.ts';
import { GraphBuilder } from '../../../server/core/graph/graph.ts';
import { keptBytes, keptStorages } from '../../../server/core/graph/kept.ts';
import { crossEntropy } from '../../../server/core/graph/losses.ts';
import { batchNorm } from '../../../server/core/graph/norms.ts';
import { operationRow } from '../../../server/core/graph/operations.ts';
import { adaptiveAveragePool, maxPool } from '../../../server/core/graph/pooling.ts';
import { linear } from '../../../server/core/graph/products.ts';
import {
  cellWeights,
  composedLstmCell,
  type LstmState,
  recurrentLayers,
} from '../../../server/core/graph/recurrent.ts';
import { view } from '../../../server/core/graph/shapes.ts';
import { newTensor, type Tensor } from '../../../server/core/graph/tensor.ts';

/** Whole models, against what `saved_tensors_hooks` counted of the same models on torch 2.13. */

const builder = (type: 'fp32' | 'bf16') => new GraphBuilder({ compute: type, weights: type, autocast: false });
const activationBytes = (graph: GraphBuilder) => keptBytes(keptStorages(graph), 'activation');

for (const [batch, bytes] of [
  [1, 21620132],
  [32, 690653700],
] as const) {
  test(`torchvision's resnet18 with its loss, batch ${batch}`, () => {
    const graph = builder('fp32');
    const images = newTensor([batch, 3, 224, 224], 'fp32', { role: 'input' });
    const labels = newTensor([batch], 'int64', { role: 'input' });
    const stem = norm(graph, images, 64, { kernel: 7, stride: 2, padding: 3 });
    let hidden = maxPool(graph, relu(graph, stem), { kernel: 3, stride: 2, padding: 1 });
    for (const [i, channels] of [64, 128, 256, 512].entries()) {
      hidden = block(graph, hidden, channels, i === 0 ? 1 : 2);
      hidden = block(graph, hidden, channels, 1);
    }
    const pooled = view(graph, adaptiveAveragePool(graph, hidden, [1, 1]), [batch, 512]);
    crossEntropy(graph, linear(graph, pooled, 1000, true), labels);
    assert.equal(activationBytes(graph), bytes);
  });
}

function block(graph: GraphBuilder, input: Tensor, channels: number, stride: number): Tensor {
  const wide = relu(graph, norm(graph, input, channels, { kernel: 3, stride, padding: 1 }));
  const result = norm(graph, wide, channels, { kernel: 3, padding: 1 });
  const isSame = stride === 1 && input.shape[1] === channels;
  const skipped = isSame ? input : norm(graph, input, channels, { kernel: 1, stride });
  return relu(graph, add(graph, result, skipped));
}

const norm = (graph: GraphBuilder, input: Tensor, channels: number, window: Parameters<typeof convolution>[3]) =>
  batchNorm(graph, convolution(graph, input, channels, { ...window, bias: false }));

test("Mixtral's experts in transformers 5.18: 1024 tokens, the best 2 of 8", () => {
  const graph = builder('bf16');
  const router = { experts: 8, chosen: 2, scaledToOne: true, inTokensType: false };
  const tokens = newTensor([1024, 4096], 'bf16', { requiresGradient: true });
  groupedExperts(graph, tokens, routeTokens(graph, tokens, router), 8, 14336, silu);
  assert.equal(activationBytes(graph), 8450048 + 151052320 + 117440512);
});

test("Qwen3's experts: 1024 tokens, the best 8 of 128", () => {
  const graph = builder('bf16');
  const router = { experts: 128, chosen: 8, scaledToOne: false, inTokensType: true };
  const tokens = newTensor([1024, 2048], 'bf16', { requiresGradient: true });
  groupedExperts(graph, tokens, routeTokens(graph, tokens, router), 128, 768, silu);
  assert.equal(activationBytes(graph), 4784128 + 92488192 + 25165824);
});

test('four LSTM cells of 1024 over 64 steps, batch 64', () => {
  const graph = builder('fp32');
  const cells = [0, 1, 2, 3].map(() => cellWeights(graph, 1024, 1024, 4));
  const zeros = (): LstmState => {
    const state = newTensor([64, 1024], 'fp32');
    return { hidden: state, cell: state };
  };
  const states = cells.map(zeros);
  const steps = newTensor([64, 64, 1024], 'fp32', { role: 'input', requiresGradient: true });
  for (let step = 0; step < 64; step++) {
    let hidden: Tensor = { ...steps, shape: [64, 1024], strides: [1024, 1] };
    for (const [i, weights] of cells.entries()) {
      const state = composedLstmCell(graph, hidden, states[i]!, weights);
      states[i] = state;
      hidden = state.hidden;
    }
  }
  assert.equal(activationBytes(graph), 469499904);
});

test('two recurrent layers multiply each of their matrices once for each step and entry of the batch', () => {
  const graph = builder('fp32');
  const [input, state] = [newTensor([5, 2, 8], 'fp32'), newTensor([2, 2, 16], 'fp32')];
  const weights = [cellWeights(graph, 8, 16, 4), cellWeights(graph, 16, 16, 4)];
  recurrentLayers(graph, input, [state, state], weights, 1000);
  const flops = graph.operations.map((each) => operationRow(each.name).flops?.(each));
  assert.deepEqual(flops, [2 * 5 * 2 * (64 * 8 + 64 * 16 + 64 * 16 + 64 * 16)]);
});
