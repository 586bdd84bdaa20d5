import type { ModelShape, RunShape } from '../../budget/account.ts';
import { dropout, scale } from '../../graph/elementwise.ts';
import type { GraphBuilder } from '../../graph/graph.ts';
import { select } from '../../graph/indexing.ts';
import { linear, matrixProduct } from '../../graph/products.ts';
import { softmax } from '../../graph/reductions.ts';
import { permute, transpose, view } from '../../graph/shapes.ts';
import { size, type Tensor } from '../../graph/tensor.ts';
import type { Heads } from './attention.ts';

/** Query, key and value of `[batch, sequence, hidden]` by one product, all of them views over its result (timm). */
export function packedHeads(
  graph: GraphBuilder,
  { heads, headDimension, bias }: Pick<ModelShape, 'heads' | 'headDimension' | 'bias'>,
  input: Tensor,
): Heads {
  const together = linear(graph, input, 3 * heads * headDimension, bias, 'qkv');
  const seen = view(graph, together, [size(input, 0), size(input, 1), 3, heads, headDimension]);
  const apart = permute(graph, seen, 2, 0, 3, 1, 4);
  const part = (): Tensor => select(graph, apart, 0);
  return { query: part(), key: part(), value: part() };
}

/**
 * timm's attention without a fused kernel: the query is scaled ahead of the product, and softmax runs in the scores' own
 * type. `biased` is what is added to the scores.
 */
export function unfusedAttention(
  graph: GraphBuilder,
  run: Pick<RunShape, 'dropout'>,
  { query, key, value }: Heads,
  biased: (scores: Tensor) => Tensor = (scores) => scores,
): Tensor {
  const scores = matrixProduct(graph, scale(graph, query), transpose(graph, key, -2, -1));
  return matrixProduct(graph, dropout(graph, softmax(graph, biased(scores)), run.dropout), value);
}
