import type { RunShape } from '../../budget/account.ts';
import { add, dropout, scale, where } from '../../graph/elementwise.ts';
import type { GraphBuilder } from '../../graph/graph.ts';
import { efficientAttention, matrixProduct } from '../../graph/products.ts';
import { softmax } from '../../graph/reductions.ts';
import { expand, transpose } from '../../graph/shapes.ts';
import { newTensor, size, type Tensor } from '../../graph/tensor.ts';
import { attentionKernel, type Heads, plainAttention } from './attention.ts';

/**
 * The attention core of T5, `[batch, heads, sequence, head]` in and out: a bias `[1, heads, queries, keys]` is added to the
 * scores. FlashAttention takes none, so that scaled_dot_product_attention falls back to the memory-efficient kernel; where
 * places may not look ahead, the bias is masked first, for each layer anew.
 */
export function biasedAttention(
  graph: GraphBuilder,
  run: RunShape,
  { query, key, value }: Heads,
  bias: Tensor,
  isCausal: boolean,
): Tensor {
  if (attentionKernel(run) === 'eager') {
    const scores = add(graph, scale(graph, matrixProduct(graph, query, transpose(graph, key, -1, -2))), bias);
    return matrixProduct(graph, dropout(graph, softmax(graph, scores), run.dropout), value);
  }
  if (attentionKernel(run) === 'math') return plainAttention(graph, { query, key, value }, { bias });
  const shape = [size(query, 0), size(query, 1), size(query, 2), size(key, 2)];
  return efficientAttention(graph, query, key, value, expand(graph, isCausal ? masked(graph, bias) : bias, shape));
}

function masked(graph: GraphBuilder, bias: Tensor): Tensor {
  const allowed = newTensor([1, 1, size(bias, 2), size(bias, 3)], 'bool');
  return where(graph, allowed, bias, newTensor([], bias.elementType));
}
