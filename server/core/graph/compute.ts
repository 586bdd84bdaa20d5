import type { GraphBuilder } from './graph.ts';
import { denseStrides, type OperationName } from './operations.ts';
import {
  type ElementType,
  elementCount,
  isContiguous,
  isFloating,
  newTensor,
  promoted,
  type Shape,
  sameShape,
  size,
  type Tensor,
} from './tensor.ts';
import { expanded, resolved, sliced, transposed, viewed, withNewDimension } from './views.ts';

/** What family templates are written in: PyTorch's functions, each adding to the graph what it runs underneath. */

export const parameter = (graph: GraphBuilder, ...shape: Shape): Tensor =>
  newTensor(shape, graph.precision.weights, { role: 'parameter', requiresGradient: true });

export const add = (graph: GraphBuilder, a: Tensor, b: Tensor): Tensor => binary(graph, 'add', a, b);
export const multiply = (graph: GraphBuilder, a: Tensor, b: Tensor): Tensor => binary(graph, 'multiply', a, b);
export const addScalar = (graph: GraphBuilder, input: Tensor): Tensor => unary(graph, 'addScalar', input);
/** `input * number`. */
export const scale = (graph: GraphBuilder, input: Tensor): Tensor => unary(graph, 'scale', input);
export const negate = (graph: GraphBuilder, input: Tensor): Tensor => unary(graph, 'negate', input);
export const tanh = (graph: GraphBuilder, input: Tensor): Tensor => unary(graph, 'tanh', input);
export const gelu = (graph: GraphBuilder, input: Tensor): Tensor => unary(graph, 'gelu', input);
export const silu = (graph: GraphBuilder, input: Tensor): Tensor => unary(graph, 'silu', input);
export const relu = (graph: GraphBuilder, input: Tensor): Tensor => unary(graph, 'relu', input);
/** `input ** number`; in fp32 under autocast. */
export const power = (graph: GraphBuilder, input: Tensor): Tensor => unary(graph, 'power', fullPrecision(graph, input));
export const rsqrt = (graph: GraphBuilder, input: Tensor): Tensor => unary(graph, 'rsqrt', fullPrecision(graph, input));

/** `input.to(type)`, which is the input itself where it has that type. */
export function cast(graph: GraphBuilder, input: Tensor, type: ElementType): Tensor {
  if (input.elementType === type) return input;
  return one(graph, 'cast', [input], newTensor(input.shape, type, { strides: denseStrides(input) }));
}

/** Nothing at probability 0; else a 1-byte mask beside the result, as CUDA keeps it. */
export function dropout(graph: GraphBuilder, input: Tensor, probability: number): Tensor {
  if (probability === 0) return input;
  const strides = denseStrides(input);
  return one(
    graph,
    'dropout',
    [input],
    newTensor(input.shape, input.elementType, { strides }),
    newTensor(input.shape, 'bool', { strides }),
  );
}

export const meanOfLast = (graph: GraphBuilder, input: Tensor): Tensor =>
  one(graph, 'mean', [input], newTensor(input.shape.with(-1, 1), input.elementType));

/** Softmax over the last dimension in the given type; autocast always takes fp32. */
export function softmax(graph: GraphBuilder, input: Tensor, type: ElementType = input.elementType): Tensor {
  const from = fullPrecision(graph, cast(graph, input, type));
  return one(graph, 'softmax', [from], newTensor(from.shape, from.elementType));
}

export function layerNorm(graph: GraphBuilder, input: Tensor, bias: boolean): Tensor {
  const width = size(input, -1);
  const from = fullPrecision(graph, input);
  const weights = [parameter(graph, width), ...(bias ? [parameter(graph, width)] : [])];
  const statistic = newTensor(input.shape.with(-1, 1), 'fp32');
  return one(graph, 'layerNorm', [from, ...weights], newTensor(from.shape, from.elementType), statistic, {
    ...statistic,
    storage: { ...statistic.storage },
  });
}

export function embedding(graph: GraphBuilder, ids: Tensor, weight: Tensor): Tensor {
  return one(graph, 'embedding', [ids, weight], newTensor([...ids.shape, size(weight, -1)], weight.elementType));
}

/** `input @ weight.T + bias` over the last dimension. */
export function linear(graph: GraphBuilder, input: Tensor, outputs: number, bias: boolean): Tensor {
  return linearWith(
    graph,
    input,
    parameter(graph, outputs, size(input, -1)),
    bias ? parameter(graph, outputs) : undefined,
  );
}

export function linearWith(graph: GraphBuilder, input: Tensor, weight: Tensor, bias?: Tensor): Tensor {
  const down = (weightOrBias: Tensor) =>
    graph.castWeight(weightOrBias, (each) => graph.within('weight-copies', () => lowPrecision(graph, each)));
  const from = contiguous(graph, lowPrecision(graph, input));
  const operands = [from, down(weight), ...(bias ? [down(bias)] : [])];
  return one(graph, 'linear', operands, newTensor(from.shape.with(-1, size(weight, 0)), from.elementType));
}

/** `a @ b` of two [batch, heads, rows, columns] tensors. PyTorch runs it as a product of 3-d tensors, copied if need be. */
export function matrixProduct(graph: GraphBuilder, a: Tensor, b: Tensor): Tensor {
  const [batch, heads, rows] = [size(a, 0), size(a, 1), size(a, 2)];
  const left = view(graph, lowPrecision(graph, a), [batch * heads, rows, size(a, 3)]);
  const right = view(graph, lowPrecision(graph, b), [batch * heads, size(b, 2), size(b, 3)]);
  const product = one(
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
  return one(
    graph,
    'flashAttention',
    [q, k, v],
    attentionOutput(q),
    newTensor(q.shape.slice(0, 3), 'fp32'),
    newTensor([2], 'int64'),
    newTensor([1], 'int64'),
  );
}

/** The memory-efficient kernel: key/value heads must be as many as query heads, log-sum-exp rows are padded to 32. */
export function efficientAttention(graph: GraphBuilder, query: Tensor, key: Tensor, value: Tensor): Tensor {
  const [q, k, v] = [lowPrecision(graph, query), lowPrecision(graph, key), lowPrecision(graph, value)];
  return one(
    graph,
    'efficientAttention',
    [q, k, v],
    attentionOutput(q),
    newTensor([size(q, 0), size(q, 1), 32 * Math.ceil(size(q, 2) / 32)], 'fp32'),
    newTensor([1], 'int64'),
    newTensor([1], 'int64'),
  );
}

/**
 * Mean cross-entropy of `[batch, sequence, vocabulary]` logits against the next token, through fp32 as transformers does it.
 * The labels are padded by one and cut again, which for a batch of one leaves a view of the padded tensor.
 */
export function nextTokenLoss(graph: GraphBuilder, logits: Tensor, labels: Tensor): Tensor {
  const [batch, sequence] = [size(labels, 0), size(labels, 1)];
  const wide = cast(graph, logits, 'fp32');
  const padded = one(graph, 'copy', [labels], newTensor([batch, sequence + 1], 'int64'));
  const shifted = view(graph, contiguous(graph, slice(graph, padded, -1, sequence)), [-1]);
  const flat = view(graph, wide, [-1, size(logits, -1)]);
  const logProbabilities = one(graph, 'logSoftmax', [flat], newTensor(flat.shape, 'fp32'));
  return one(graph, 'nllLoss', [logProbabilities, shifted], newTensor([], 'fp32'), newTensor([], 'fp32'));
}

export function transpose(graph: GraphBuilder, input: Tensor, first: number, second: number): Tensor {
  return (
    graph.add('transpose', [input], [transposed(input, first, second)], { dimensions: [first, second] })[0] ?? input
  );
}

/** `reshape`: a view where the strides allow it, else a copy. */
export function view(graph: GraphBuilder, input: Tensor, wanted: Shape): Tensor {
  const shape = resolved(wanted, elementCount(input.shape));
  if (sameShape(shape, input.shape)) return input;
  const seen = viewed(input, shape);
  return seen ? one(graph, 'view', [input], seen) : one(graph, 'copy', [input], newTensor(shape, input.elementType));
}

export function contiguous(graph: GraphBuilder, input: Tensor): Tensor {
  return isContiguous(input) ? input : one(graph, 'copy', [input], newTensor(input.shape, input.elementType));
}

export function slice(graph: GraphBuilder, input: Tensor, dimension: number, length: number): Tensor {
  return one(graph, 'slice', [input], sliced(input, dimension, length));
}

/** Equal parts along the last dimension, all over the same storage. */
export function split(graph: GraphBuilder, input: Tensor, parts: number): readonly Tensor[] {
  const part = sliced(input, -1, size(input, -1) / parts);
  return graph.add(
    'split',
    [input],
    Array.from({ length: parts }, () => part),
  );
}

export function concatenate(graph: GraphBuilder, inputs: readonly Tensor[]): Tensor {
  const [first] = inputs;
  const width = inputs.reduce((sum, input) => sum + size(input, -1), 0);
  return one(
    graph,
    'concatenate',
    inputs,
    newTensor((first?.shape ?? []).with(-1, width), first?.elementType ?? 'fp32'),
  );
}

/** Each key/value head for all its query heads: `[b, kv, s, d]` to `[b, kv * times, s, d]`. */
export function repeatHeads(graph: GraphBuilder, input: Tensor, times: number): Tensor {
  if (times === 1) return input;
  const [batch, heads, sequence, width] = [size(input, 0), size(input, 1), size(input, 2), size(input, 3)];
  const unsqueezed = one(graph, 'view', [input], withNewDimension(input, 2));
  const wide = one(graph, 'expand', [unsqueezed], expanded(unsqueezed, [batch, heads, times, sequence, width]));
  return view(graph, wide, [batch, heads * times, sequence, width]);
}

function attentionOutput(query: Tensor): Tensor {
  const { shape, elementType } = query;
  return transposed(newTensor([shape[0] ?? 1, shape[2] ?? 1, shape[1] ?? 1, shape[3] ?? 1], elementType), 1, 2);
}

function binary(graph: GraphBuilder, name: OperationName, a: Tensor, b: Tensor): Tensor {
  const layout = sameShape(a.shape, b.shape) || a.shape.length >= b.shape.length ? a : b;
  const shape = a.shape.length >= b.shape.length ? broadcast(a.shape, b.shape) : broadcast(b.shape, a.shape);
  const like = sameShape(shape, a.shape) ? a : sameShape(shape, b.shape) ? b : layout;
  const strides = sameShape(shape, like.shape) ? denseStrides(like) : undefined;
  return one(graph, name, [a, b], newTensor(shape, promoted(a.elementType, b.elementType), strides ? { strides } : {}));
}

function unary(graph: GraphBuilder, name: OperationName, input: Tensor): Tensor {
  return one(graph, name, [input], newTensor(input.shape, input.elementType, { strides: denseStrides(input) }));
}

/** The longer shape first. */
const broadcast = (long: Shape, short: Shape): Shape =>
  long.map((length, i) => Math.max(length, short[i - (long.length - short.length)] ?? 1));

const lowPrecision = (graph: GraphBuilder, input: Tensor): Tensor =>
  graph.precision.autocast && isFloating(input.elementType) ? cast(graph, input, graph.precision.compute) : input;

const fullPrecision = (graph: GraphBuilder, input: Tensor): Tensor =>
  graph.precision.autocast ? cast(graph, input, 'fp32') : input;

function one(
  graph: GraphBuilder,
  name: OperationName,
  inputs: readonly Tensor[],
  output: Tensor,
  ...side: readonly Tensor[]
): Tensor {
  return graph.add(name, inputs, [output, ...side])[0] ?? output;
}
