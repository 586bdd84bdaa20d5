import type { RunShape } from '../../budget/account.ts';
import { cast, dropout, scale } from '../../graph/elementwise.ts';
import type { GraphBuilder } from '../../graph/graph.ts';
import { efficientAttention, flashAttention, matrixProduct } from '../../graph/products.ts';
import { softmax } from '../../graph/reductions.ts';
import { repeatHeads, repeatInterleave, transpose } from '../../graph/shapes.ts';
import { type ElementType, newTensor, size, type Tensor } from '../../graph/tensor.ts';

/** What really runs: eager, or the kernel that scaled_dot_product_attention takes. */
export type AttentionKernel = 'eager' | 'flash' | 'efficient';

/**
 * The kernel behind `sdpa` on CUDA without a mask: FlashAttention for 16-bit tensors, the memory-efficient kernel for
 * fp32, which FlashAttention does not take.
 */
export function attentionKernel(run: RunShape): AttentionKernel {
  if (run.attention === 'eager') return 'eager';
  if (run.attention === 'efficient') return 'efficient';
  return run.dataType === 'fp32' ? 'efficient' : 'flash';
}

/** transformers makes the causal mask once for all layers, one for each sequence, and only where no kernel knows causality. */
export function causalMask(run: RunShape): readonly Tensor[] {
  if (attentionKernel(run) !== 'eager') return [];
  const elementType = run.autocast ? 'fp32' : run.dataType;
  return [newTensor([run.batch, 1, run.sequence, run.sequence], elementType, { role: 'shared' })];
}

/**
 * The attention core of a decoder, `[batch, heads, sequence, head]` in and out. `softmaxType` is what eager code asks
 * softmax for: Llama fp32, GPT-2 the tensor's own type.
 */
export function attentionCore(
  graph: GraphBuilder,
  run: RunShape,
  { query, key, value }: { readonly query: Tensor; readonly key: Tensor; readonly value: Tensor },
  softmaxType: ElementType | undefined,
): Tensor {
  const groups = size(query, 1) / size(key, 1);
  const kernel = attentionKernel(run);
  if (kernel === 'flash') return flashAttention(graph, query, key, value);
  if (kernel === 'efficient') {
    return efficientAttention(
      graph,
      query,
      repeatInterleave(graph, key, groups),
      repeatInterleave(graph, value, groups),
    );
  }
  const keys = repeatHeads(graph, key, groups);
  const values = repeatHeads(graph, value, groups);
  const scores = scale(graph, matrixProduct(graph, query, transpose(graph, keys, -1, -2)));
  const weights = cast(graph, softmax(graph, scores, softmaxType), value.elementType);
  return matrixProduct(graph, dropout(graph, weights, run.dropout), values);
}
