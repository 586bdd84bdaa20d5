import type { Adapters } from '../facts/facts.ts';
import { underAutocast } from './autocast.ts';
import { add, cast, dropout, lowPrecision, scale } from './elementwise.ts';
import type { GraphBuilder } from './graph.ts';
import { record } from './record.ts';
import { contiguous, view } from './shapes.ts';
import { denseStrides, newTensor, type Shape, size, type Tensor } from './tensor.ts';
import { transposed } from './views.ts';

export const parameter = (graph: GraphBuilder, ...shape: Shape): Tensor =>
  newTensor(shape, graph.precision.weights, {
    role: 'parameter',
    requiresGradient: !graph.training.frozen && graph.training.adapters === undefined,
  });

export function embedding(graph: GraphBuilder, ids: Tensor, weight: Tensor): Tensor {
  return record(graph, 'embedding', [ids, weight], newTensor([...ids.shape, size(weight, -1)], weight.elementType));
}

/** `input @ weight.T + bias` over the last dimension. `name` is the module's own (`q_proj`), by which adapters find it. */
export function linear(graph: GraphBuilder, input: Tensor, outputs: number, bias: boolean, name = ''): Tensor {
  const result = linearWith(
    graph,
    input,
    parameter(graph, outputs, size(input, -1)),
    bias ? parameter(graph, outputs) : undefined,
  );
  const { adapters } = graph.training;
  const adapted = adapters && (adapters.targets === 'all-linear' || adapters.targets.includes(name));
  return adapted ? graph.within('adapters', () => withAdapter(graph, input, result, adapters)) : result;
}

/** PEFT's LoRA: `result + B(A(dropout(input)))`, computed in the type of the adapters' weights. */
function withAdapter(graph: GraphBuilder, input: Tensor, result: Tensor, adapters: Adapters): Tensor {
  const matrix = (rows: number, columns: number): Tensor =>
    newTensor([rows, columns], adapters.elementType, { role: 'parameter', requiresGradient: true });
  const from = dropout(graph, cast(graph, input, adapters.elementType), adapters.dropout);
  const narrow = linearWith(graph, from, matrix(adapters.rank, size(input, -1)));
  const wide = linearWith(graph, narrow, matrix(size(result, -1), adapters.rank));
  return cast(graph, add(graph, result, scale(graph, wide)), result.elementType);
}

export function linearWith(graph: GraphBuilder, input: Tensor, weight: Tensor, bias?: Tensor): Tensor {
  const down = (weightOrBias: Tensor) =>
    graph.castWeight(weightOrBias, (each) => graph.within('weight-copies', () => lowPrecision(graph, each)));
  const low = lowPrecision(graph, input);
  // A product of matrices takes rows that lie apart; more dimensions are flattened into rows first.
  const from = low.shape.length > 2 ? contiguous(graph, low) : low;
  const operands = [from, down(weight), ...(bias ? [down(bias)] : [])];
  return record(graph, 'linear', operands, newTensor(from.shape.with(-1, size(weight, 0)), from.elementType));
}

/** `torch.bmm`: `[batch, rows, inner]` times `[batch, inner, columns]`. */
export function batchedProduct(graph: GraphBuilder, a: Tensor, b: Tensor): Tensor {
  const [left = a, right = b] = underAutocast(graph, 'batchedProduct', [a, b]);
  return record(
    graph,
    'batchedProduct',
    [left, right],
    newTensor(left.shape.with(-1, size(right, -1)), left.elementType),
  );
}

/** `torch.baddbmm`: `sum + a @ b`. */
export function batchedProductPlus(graph: GraphBuilder, sum: Tensor, a: Tensor, b: Tensor): Tensor {
  const operands = underAutocast(graph, 'batchedProductPlus', [sum, a, b]);
  const [, left = a, right = b] = operands;
  const shape = left.shape.with(-1, size(right, -1));
  return record(graph, 'batchedProductPlus', operands, newTensor(shape, left.elementType));
}

/** `a @ b` of two [batch, heads, rows, columns] tensors. PyTorch runs it as a product of 3-d tensors, copied if need be. */
export function matrixProduct(graph: GraphBuilder, a: Tensor, b: Tensor): Tensor {
  const [batch, heads, rows] = [size(a, 0), size(a, 1), size(a, 2)];
  const left = view(graph, lowPrecision(graph, a), [batch * heads, rows, size(a, 3)]);
  const right = view(graph, lowPrecision(graph, b), [batch * heads, size(b, 2), size(b, 3)]);
  const product = record(
    graph,
    'batchedProduct',
    [left, right],
    newTensor([batch * heads, rows, size(b, 3)], left.elementType),
  );
  return view(graph, product, [batch, heads, rows, size(b, 3)]);
}

/** FlashAttention's kernel: [batch, heads, sequence, head] in, no scores kept. Takes grouped key/value heads as they are. */
export function flashAttention(graph: GraphBuilder, query: Tensor, key: Tensor, value: Tensor): Tensor {
  const [q, k, v] = [lowPrecision(graph, query), lowPrecision(graph, key), lowPrecision(graph, value)];
  return record(
    graph,
    'flashAttention',
    [q, k, v],
    laidOutAs(q),
    newTensor(q.shape.slice(0, 3), 'fp32'),
    newTensor([2], 'int64'),
    newTensor([1], 'int64'),
  );
}

/**
 * The memory-efficient kernel: key/value heads must be as many as query heads, log-sum-exp rows are padded to 32. `bias` is
 * added to the scores, `[batch, heads, sequence, sequence]`.
 */
export function efficientAttention(
  graph: GraphBuilder,
  query: Tensor,
  key: Tensor,
  value: Tensor,
  bias?: Tensor,
): Tensor {
  const [q, k, v] = [lowPrecision(graph, query), lowPrecision(graph, key), lowPrecision(graph, value)];
  return record(
    graph,
    'efficientAttention',
    [q, k, v, ...(bias ? [lowPrecision(graph, bias)] : [])],
    attentionOutput(q, size(v, -1)),
    newTensor([size(q, 0), size(q, 1), 32 * Math.ceil(size(q, 2) / 32)], 'fp32'),
    newTensor([1], 'int64'),
    newTensor([1], 'int64'),
  );
}

/** cuDNN's attention kernel, which keeps one number for each row of scores. */
export function cudnnAttention(graph: GraphBuilder, query: Tensor, key: Tensor, value: Tensor): Tensor {
  const [q, k, v] = [lowPrecision(graph, query), lowPrecision(graph, key), lowPrecision(graph, value)];
  return record(
    graph,
    'cudnnAttention',
    [q, k, v],
    laidOutAs(q),
    newTensor([...q.shape.slice(0, 3), 1], 'fp32'),
    newTensor([1], 'int64'),
    newTensor([1], 'int64'),
  );
}

/** These kernels write their result in the order in which the query lies in memory. */
const laidOutAs = (query: Tensor): Tensor =>
  newTensor(query.shape, query.elementType, { strides: denseStrides(query) });

/** This one always writes `[batch, sequence, heads, head]`. */
function attentionOutput(query: Tensor, width = size(query, -1)): Tensor {
  const { shape, elementType } = query;
  return transposed(newTensor([shape[0] ?? 1, shape[2] ?? 1, shape[1] ?? 1, width], elementType), 1, 2);
}
