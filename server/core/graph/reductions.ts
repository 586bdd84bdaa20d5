import { underAutocast } from './autocast.ts';
import { cast, fullPrecision } from './elementwise.ts';
import type { GraphBuilder } from './graph.ts';
import type { OperationName } from './operations.ts';
import { parameter } from './products.ts';
import { record, recordAlong } from './record.ts';
import { contiguous, slice, view } from './shapes.ts';
import { type ElementType, newTensor, size, type Tensor } from './tensor.ts';

export const meanOfLast = (graph: GraphBuilder, input: Tensor): Tensor =>
  record(graph, 'mean', [input], newTensor(input.shape.with(-1, 1), input.elementType));

/** Over the given dimensions. */
export const mean = (
  graph: GraphBuilder,
  input: Tensor,
  dimensions: readonly number[],
  keepDimension = false,
): Tensor => reduced(graph, 'mean', input, dimensions, keepDimension);
export const sum = (graph: GraphBuilder, input: Tensor, dimensions: readonly number[], keepDimension = false): Tensor =>
  reduced(graph, 'sum', input, dimensions, keepDimension);
export const variance = (
  graph: GraphBuilder,
  input: Tensor,
  dimensions: readonly number[],
  keepDimension = false,
): Tensor => reduced(graph, 'variance', input, dimensions, keepDimension);
/** `amax` or `amin`. */
export const largest = (
  graph: GraphBuilder,
  input: Tensor,
  dimensions: readonly number[],
  keepDimension = false,
): Tensor => reduced(graph, 'largest', input, dimensions, keepDimension);
export const standardDeviation = (
  graph: GraphBuilder,
  input: Tensor,
  dimensions: readonly number[],
  keepDimension = false,
): Tensor => reduced(graph, 'standardDeviation', input, dimensions, keepDimension);
export const product = (
  graph: GraphBuilder,
  input: Tensor,
  dimensions: readonly number[],
  keepDimension = false,
): Tensor => reduced(graph, 'product', input, dimensions, keepDimension);
export const vectorNorm = (
  graph: GraphBuilder,
  input: Tensor,
  dimensions: readonly number[],
  keepDimension = false,
): Tensor => reduced(graph, 'vectorNorm', input, dimensions, keepDimension);
export const logSumExp = (
  graph: GraphBuilder,
  input: Tensor,
  dimensions: readonly number[],
  keepDimension = false,
): Tensor => reduced(graph, 'logSumExp', input, dimensions, keepDimension);

/** `cumsum` along any dimension. */
export const cumulativeSum = (graph: GraphBuilder, input: Tensor): Tensor => alike(graph, 'cumulativeSum', input);
/** `cumprod` along any dimension. */
export const cumulativeProduct = (graph: GraphBuilder, input: Tensor): Tensor =>
  alike(graph, 'cumulativeProduct', input);
export const logSoftmax = (graph: GraphBuilder, input: Tensor): Tensor => alike(graph, 'logSoftmax', input);

/** Softmax over the last dimension in the given type; autocast always takes fp32. */
export function softmax(graph: GraphBuilder, input: Tensor, type: ElementType = input.elementType): Tensor {
  const from = fullPrecision(graph, cast(graph, input, type));
  const result = newTensor(from.shape, from.elementType);
  return graph.add('softmax', [from], [result], { castFrom: input.elementType })[0] ?? result;
}

export function layerNorm(graph: GraphBuilder, input: Tensor, bias: boolean): Tensor {
  const width = size(input, -1);
  const from = fullPrecision(graph, input);
  const weights = [parameter(graph, width), ...(bias ? [parameter(graph, width)] : [])];
  const statistic = newTensor(input.shape.with(-1, 1), 'fp32');
  return record(graph, 'layerNorm', [from, ...weights], newTensor(from.shape, from.elementType), statistic, {
    ...statistic,
    storage: { ...statistic.storage },
  });
}

/**
 * Mean cross-entropy of `[batch, sequence, vocabulary]` logits against the next token, through fp32 as transformers does it.
 * The labels are padded by one and cut again, which for a batch of one leaves a view of the padded tensor.
 */
export function nextTokenLoss(graph: GraphBuilder, logits: Tensor, labels: Tensor): Tensor {
  const [batch, sequence] = [size(labels, 0), size(labels, 1)];
  graph.locals.push(logits);
  const wide = cast(graph, logits, 'fp32');
  const padded = record(graph, 'copy', [labels], newTensor([batch, sequence + 1], 'int64'));
  const shifted = view(graph, contiguous(graph, slice(graph, padded, -1, sequence)), [-1]);
  const flat = view(graph, wide, [-1, size(logits, -1)]);
  const logProbabilities = record(graph, 'logSoftmax', [flat], newTensor(flat.shape, 'fp32'));
  return record(graph, 'nllLoss', [logProbabilities, shifted], newTensor([], 'fp32'), newTensor([], 'fp32'));
}

function alike(graph: GraphBuilder, name: OperationName, input: Tensor): Tensor {
  const [from = input] = underAutocast(graph, name, [input]);
  return record(graph, name, [from], newTensor(from.shape, from.elementType));
}

function reduced(
  graph: GraphBuilder,
  name: OperationName,
  input: Tensor,
  dimensions: readonly number[],
  keepDimension: boolean,
): Tensor {
  const [from = input] = underAutocast(graph, name, [input]);
  const gone = dimensions.map((each) => (each < 0 ? from.shape.length + each : each));
  const kept = from.shape.map((length, i) => (gone.includes(i) ? 1 : length));
  const shape = keepDimension ? kept : kept.filter((_, i) => !gone.includes(i));
  return recordAlong(graph, name, gone, [from], newTensor(shape, from.elementType));
}
