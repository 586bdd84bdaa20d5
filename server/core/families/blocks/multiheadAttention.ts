import type { ModelShape, RunShape } from '../../budget/account.ts';
import type { GraphBuilder } from '../../graph/graph.ts';
import { select } from '../../graph/indexing.ts';
import { linearWith, parameter } from '../../graph/products.ts';
import { contiguous, permute, transpose, view } from '../../graph/shapes.ts';
import { size, type Tensor } from '../../graph/tensor.ts';
import { attentionCore } from './attention.ts';

export interface MultiheadOptions {
  /** Tensors are `[batch, sequence, hidden]`, else `[sequence, batch, hidden]`. */
  readonly batchFirst: boolean;
  /** What keys and values are made from where it is not the input itself. */
  readonly memory?: Tensor;
}

/**
 * `torch.nn.MultiheadAttention` as its own layers call it: no weights asked for, so that it always goes through
 * scaled_dot_product_attention, even where the run says eager. Its projections are not modules that adapters could find.
 */
export function multiheadAttention(
  graph: GraphBuilder,
  model: ModelShape,
  run: RunShape,
  input: Tensor,
  { batchFirst, memory }: MultiheadOptions,
): Tensor {
  const stepsFirst = (each: Tensor): Tensor => (batchFirst ? transpose(graph, each, 0, 1) : each);
  const from = stepsFirst(input);
  const projected = memory
    ? [project(graph, model, from), ...packed(graph, model, stepsFirst(memory), 2)]
    : packed(graph, model, from, 3);
  const [query = from, key = from, value = from] = projected.map((each) => heads(graph, model, each));
  const core = graph.within('attention-scores', () =>
    attentionCore(graph, fusedAlways(run), { query, key, value }, undefined),
  );
  const joined = view(graph, contiguous(graph, permute(graph, core, 2, 0, 1, 3)), [-1, model.hidden]);
  return stepsFirst(view(graph, project(graph, model, joined), from.shape));
}

const fusedAlways = (run: RunShape): RunShape => (run.attention === 'eager' ? { ...run, attention: 'sdpa' } : run);

/** One product for several projections, which are then laid out one after the other. */
function packed(graph: GraphBuilder, model: ModelShape, from: Tensor, parts: number): readonly Tensor[] {
  const together = view(graph, project(graph, model, from, parts), [...from.shape.slice(0, 2), parts, model.hidden]);
  const apart = contiguous(graph, permute(graph, together, 2, 0, 1, 3));
  return Array.from({ length: parts }, () => select(graph, apart, 0));
}

function project(graph: GraphBuilder, model: ModelShape, from: Tensor, parts = 1): Tensor {
  const weight = parameter(graph, parts * model.hidden, model.hidden);
  return linearWith(graph, from, weight, model.bias ? parameter(graph, parts * model.hidden) : undefined);
}

/** `[sequence, batch, hidden]` as `[batch, heads, sequence, head]`. */
const heads = (graph: GraphBuilder, model: ModelShape, input: Tensor): Tensor =>
  permute(graph, view(graph, input, [size(input, 0), size(input, 1), model.heads, model.headDimension]), 1, 2, 0, 3);
