import { detach } from './arrangement.ts';
import type { GraphBuilder } from './graph.ts';
import { linearWith } from './products.ts';
import { record } from './record.ts';
import { slice } from './shapes.ts';
import { newTensor, size, type Tensor } from './tensor.ts';

/** Head and loss in one, of `[rows, width]` hidden states against `[rows]` labels; `weights` are the head's weight and bias. */

/** Cut cross-entropy: logits exist only within the kernel, in both directions. */
export function cutCrossEntropy(
  graph: GraphBuilder,
  hidden: Tensor,
  labels: Tensor,
  ...weights: readonly Tensor[]
): Tensor {
  const logSumExp = newTensor([size(hidden, 0)], 'fp32');
  return record(graph, 'cutCrossEntropy', [hidden, labels, ...weights], newTensor([], 'fp32'), logSumExp);
}

/**
 * Liger's fused linear cross-entropy: a chunk of rows at a time, so many that its logits are about as large as the hidden
 * states. The gradients it keeps are the only ones there will be.
 */
export function linearLossInChunks(
  graph: GraphBuilder,
  hidden: Tensor,
  labels: Tensor,
  weight: Tensor,
  ...more: readonly Tensor[]
): Tensor {
  const rows = rowsOfChunk(size(hidden, 0), size(hidden, 1), size(weight, 0));
  linearWith(graph, slice(graph, detach(graph, hidden), 0, rows), detach(graph, weight));
  const learning = [weight, ...more].filter((each) => each.requiresGradient);
  const gradients = [hidden, ...learning].map(({ shape, elementType }) => newTensor(shape, elementType));
  return record(graph, 'linearLossInChunks', [hidden, labels, weight, ...more], newTensor([], 'fp32'), ...gradients);
}

/** As many chunks as the vocabulary is wider than the hidden states, their rows rounded up to a power of two. */
function rowsOfChunk(rows: number, width: number, vocabulary: number): number {
  const chunks = Math.ceil(vocabulary / width);
  return Math.min(rows, 2 ** Math.ceil(Math.log2(Math.ceil(rows / chunks))));
}
