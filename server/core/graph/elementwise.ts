import type { GraphBuilder } from './graph.ts';
import type { OperationName } from './operations.ts';
import { record } from './record.ts';
import {
  denseStrides,
  type ElementType,
  isFloating,
  newTensor,
  promoted,
  type Shape,
  sameShape,
  type Tensor,
} from './tensor.ts';

export const add = (graph: GraphBuilder, a: Tensor, b: Tensor): Tensor => binary(graph, 'add', a, b);
export const multiply = (graph: GraphBuilder, a: Tensor, b: Tensor): Tensor => binary(graph, 'multiply', a, b);
export const addScalar = (graph: GraphBuilder, input: Tensor): Tensor => unary(graph, 'addScalar', input);
export const subtract = (graph: GraphBuilder, a: Tensor, b: Tensor): Tensor => binary(graph, 'subtract', a, b);
export const divide = (graph: GraphBuilder, a: Tensor, b: Tensor): Tensor => binary(graph, 'divide', a, b);
export const maximum = (graph: GraphBuilder, a: Tensor, b: Tensor): Tensor => binary(graph, 'maximum', a, b);
export const minimum = (graph: GraphBuilder, a: Tensor, b: Tensor): Tensor => binary(graph, 'minimum', a, b);
/** `a ** b` of two tensors. */
export const powerOf = (graph: GraphBuilder, a: Tensor, b: Tensor): Tensor =>
  binary(graph, 'powerOf', fullPrecision(graph, a), fullPrecision(graph, b));
/** `input * number`. */
export const scale = (graph: GraphBuilder, input: Tensor): Tensor => unary(graph, 'scale', input);
export const negate = (graph: GraphBuilder, input: Tensor): Tensor => unary(graph, 'negate', input);
export const tanh = (graph: GraphBuilder, input: Tensor): Tensor => unary(graph, 'tanh', input);
export const gelu = (graph: GraphBuilder, input: Tensor): Tensor => unary(graph, 'gelu', input);
export const silu = (graph: GraphBuilder, input: Tensor): Tensor => unary(graph, 'silu', input);
export const relu = (graph: GraphBuilder, input: Tensor): Tensor => unary(graph, 'relu', input);
export const absolute = (graph: GraphBuilder, input: Tensor): Tensor => unary(graph, 'absolute', input);
export const squareRoot = (graph: GraphBuilder, input: Tensor): Tensor => unary(graph, 'squareRoot', input);
export const sine = (graph: GraphBuilder, input: Tensor): Tensor => unary(graph, 'sine', input);
export const cosine = (graph: GraphBuilder, input: Tensor): Tensor => unary(graph, 'cosine', input);
export const clamp = (graph: GraphBuilder, input: Tensor): Tensor => unary(graph, 'clamp', input);
/** `clamp` to bounds that are tensors. */
export const clampBetween = (graph: GraphBuilder, input: Tensor, lower: Tensor, upper: Tensor): Tensor =>
  record(
    graph,
    'clampBetween',
    [input, lower, upper],
    newTensor(input.shape, input.elementType, { strides: denseStrides(input) }),
  );
export const exponential = (graph: GraphBuilder, input: Tensor): Tensor =>
  unary(graph, 'exponential', fullPrecision(graph, input));
export const logarithm = (graph: GraphBuilder, input: Tensor): Tensor =>
  unary(graph, 'logarithm', fullPrecision(graph, input));

export const logarithmOfOnePlus = (graph: GraphBuilder, input: Tensor): Tensor =>
  unary(graph, 'logarithmOfOnePlus', fullPrecision(graph, input));
export const reciprocal = (graph: GraphBuilder, input: Tensor): Tensor =>
  unary(graph, 'reciprocal', fullPrecision(graph, input));
export const errorFunction = (graph: GraphBuilder, input: Tensor): Tensor => unary(graph, 'errorFunction', input);
/** `tril` or `triu`. */
export const lowerTriangle = (graph: GraphBuilder, input: Tensor): Tensor => unary(graph, 'lowerTriangle', input);

/** `addcmul`: `sum + a * b` of three tensors of one shape. */
export const addProduct = (graph: GraphBuilder, sum: Tensor, a: Tensor, b: Tensor): Tensor =>
  record(graph, 'addProduct', [sum, a, b], newTensor(sum.shape, sum.elementType));

/** `masked_fill` with a number. */
export function maskedFill(graph: GraphBuilder, input: Tensor, mask: Tensor): Tensor {
  return record(graph, 'maskedFill', [input, mask], newTensor(input.shape, input.elementType));
}

/** `torch.where(condition, a, b)`. */
export function where(graph: GraphBuilder, condition: Tensor, a: Tensor, b: Tensor): Tensor {
  const shape = [condition, a, b].map((each) => each.shape).reduce(broadcastOf);
  return record(graph, 'where', [condition, a, b], newTensor(shape, promoted(a.elementType, b.elementType)));
}

/** `input ** number`; in fp32 under autocast. */
export const power = (graph: GraphBuilder, input: Tensor): Tensor => unary(graph, 'power', fullPrecision(graph, input));
export const rsqrt = (graph: GraphBuilder, input: Tensor): Tensor => unary(graph, 'rsqrt', fullPrecision(graph, input));

/** `input.to(type)`, which is the input itself where it has that type. */
export function cast(graph: GraphBuilder, input: Tensor, type: ElementType): Tensor {
  if (input.elementType === type) return input;
  return record(graph, 'cast', [input], newTensor(input.shape, type, { strides: denseStrides(input) }));
}

/** Nothing at probability 0; else a 1-byte mask beside the result, as CUDA keeps it. */
export function dropout(graph: GraphBuilder, input: Tensor, probability: number): Tensor {
  if (probability === 0) return input;
  const strides = denseStrides(input);
  return record(
    graph,
    'dropout',
    [input],
    newTensor(input.shape, input.elementType, { strides }),
    newTensor(input.shape, 'bool', { strides }),
  );
}

/** What autocast does to the inputs of matrix products and fused attention. */
export const lowPrecision = (graph: GraphBuilder, input: Tensor): Tensor =>
  graph.precision.autocast && isFloating(input.elementType) ? cast(graph, input, graph.precision.compute) : input;

/** What autocast does to the inputs of norms, softmax and powers. */
export const fullPrecision = (graph: GraphBuilder, input: Tensor): Tensor =>
  graph.precision.autocast ? cast(graph, input, 'fp32') : input;

function binary(graph: GraphBuilder, name: OperationName, a: Tensor, b: Tensor): Tensor {
  const layout = sameShape(a.shape, b.shape) || a.shape.length >= b.shape.length ? a : b;
  const shape = broadcastOf(a.shape, b.shape);
  const like = sameShape(shape, a.shape) ? a : sameShape(shape, b.shape) ? b : layout;
  const strides = sameShape(shape, like.shape) ? denseStrides(like) : undefined;
  return record(
    graph,
    name,
    [a, b],
    newTensor(shape, promoted(a.elementType, b.elementType), strides ? { strides } : {}),
  );
}

function unary(graph: GraphBuilder, name: OperationName, input: Tensor): Tensor {
  return record(graph, name, [input], newTensor(input.shape, input.elementType, { strides: denseStrides(input) }));
}

const broadcastOf = (a: Shape, b: Shape): Shape => (a.length >= b.length ? broadcast(a, b) : broadcast(b, a));

/** The longer shape first. */
const broadcast = (long: Shape, short: Shape): Shape =>
  long.map((length, i) => Math.max(length, short[i - (long.length - short.length)] ?? 1));
