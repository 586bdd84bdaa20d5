import { underAutocast } from './autocast.ts';
import type { GraphBuilder } from './graph.ts';
import { parameter } from './products.ts';
import { record } from './record.ts';
import { repeat, view } from './shapes.ts';
import { newTensor, size, type Tensor } from './tensor.ts';

/** `torch.nn.functional.rms_norm` as its CUDA kernel runs it. Models that write the norm out in Python keep more. */
export function rmsNorm(graph: GraphBuilder, input: Tensor, weighted = true): Tensor {
  const weight = weighted ? [parameter(graph, size(input, -1))] : [];
  const [from = input, ...weights] = underAutocast(graph, 'rmsNorm', [input, ...weight]);
  const statistic = newTensor(from.shape.with(-1, 1), 'fp32');
  return record(graph, 'rmsNorm', [from, ...weights], newTensor(from.shape, from.elementType), statistic);
}

/** `layer_norm` without a weight (`elementwise_affine=False`), over the last dimension. */
export function plainLayerNorm(graph: GraphBuilder, input: Tensor): Tensor {
  const [from = input] = underAutocast(graph, 'layerNorm', [input]);
  const statistic = (): Tensor => newTensor(from.shape.with(-1, 1), 'fp32');
  return record(graph, 'layerNorm', [from], newTensor(from.shape, from.elementType), statistic(), statistic());
}

/** `input` is `[batch, channels, ...]`. Mean and deviation of each group are in the input's type, fp32 beside fp32 weights. */
export function groupNorm(graph: GraphBuilder, input: Tensor, groups: number): Tensor {
  const channels = size(input, 1);
  const given = underAutocast(graph, 'groupNorm', [input, parameter(graph, channels), parameter(graph, channels)]);
  const [from = input, weight = input, bias = input] = given;
  const statistic = (): Tensor => newTensor([size(from, 0), groups], weight.elementType);
  return record(
    graph,
    'groupNorm',
    [from, weight, bias],
    newTensor(from.shape, from.elementType),
    statistic(),
    statistic(),
  );
}

export interface BatchNormOptions {
  /** Whether there is a weight and a bias. Default true. */
  readonly affine?: boolean;
}

/** `input` is `[batch, channels, ...]`. The same is kept in training and in eval mode. */
export function batchNorm(graph: GraphBuilder, input: Tensor, options: BatchNormOptions = {}): Tensor {
  const channels = size(input, 1);
  const weights = options.affine === false ? [] : [parameter(graph, channels), parameter(graph, channels)];
  return normalisedByChannel(graph, input, weights);
}

/**
 * `torch.nn.functional.instance_norm` of `[batch, channels, ...]`: a batch norm that takes each channel of each sample for
 * a channel of its own, and repeats its weights to match.
 */
export function instanceNorm(graph: GraphBuilder, input: Tensor, affine = false): Tensor {
  const [batch, channels] = [size(input, 0), size(input, 1)];
  const weight = (): Tensor => repeat(graph, parameter(graph, channels), [batch]);
  const weights = affine ? [weight(), weight()] : [];
  const merged = view(graph, input, [1, batch * channels, ...input.shape.slice(2)]);
  return view(graph, normalisedByChannel(graph, merged, weights), input.shape);
}

function normalisedByChannel(graph: GraphBuilder, input: Tensor, weights: readonly Tensor[]): Tensor {
  const statistic = (): Tensor => newTensor([size(input, 1)], 'fp32');
  return record(
    graph,
    'batchNorm',
    [input, ...weights],
    newTensor(input.shape, input.elementType),
    statistic(),
    statistic(),
  );
}
