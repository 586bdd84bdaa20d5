import type { ModelShape, RunShape } from '../../budget/account.ts';
import type { GraphBuilder } from '../../graph/graph.ts';
import { linear } from '../../graph/products.ts';
import { transpose, view } from '../../graph/shapes.ts';
import { size, type Tensor } from '../../graph/tensor.ts';
import type { Heads } from './attention.ts';

/** `q_proj`, `k_proj` and `v_proj` of the hidden states, each seen as heads. */
export const projectedHeads = (graph: GraphBuilder, model: ModelShape, run: RunShape, input: Tensor): Heads =>
  normedHeads(graph, model, run, input, (heads) => heads);

/** The same with a norm over each head of queries and keys, `[batch, sequence, heads, head]` in and out. */
export function normedHeads(
  graph: GraphBuilder,
  model: ModelShape,
  run: RunShape,
  input: Tensor,
  norm: (heads: Tensor) => Tensor,
): Heads {
  const heads = (name: string, count: number): Tensor => {
    const projected = linear(graph, input, count * model.headDimension, model.bias, name);
    return view(graph, projected, [run.batch, run.sequence, count, model.headDimension]);
  };
  return {
    query: transpose(graph, norm(heads('q_proj', model.heads)), 1, 2),
    key: transpose(graph, norm(heads('k_proj', model.keyValueHeads)), 1, 2),
    value: transpose(graph, heads('v_proj', model.keyValueHeads), 1, 2),
  };
}

/** `[batch, sequence, heads · head]` as `[batch, heads, sequence, head]`. */
export const asHeads = (graph: GraphBuilder, run: RunShape, input: Tensor, headDimension: number): Tensor =>
  transpose(graph, view(graph, input, [run.batch, run.sequence, size(input, -1) / headDimension, headDimension]), 1, 2);

/** The heads side by side again, `[batch, sequence, heads · head]`. */
export const joinedHeads = (graph: GraphBuilder, run: RunShape, heads: Tensor): Tensor =>
  view(graph, transpose(graph, heads, 1, 2), [run.batch, run.sequence, size(heads, 1) * size(heads, 3)]);
