import { underAutocast } from './autocast.ts';
import { type ConvolutionOptions, convolvedPlaces } from './convolutions.ts';
import type { GraphBuilder } from './graph.ts';
import { record } from './record.ts';
import { mean } from './reductions.ts';
import { newTensor, type Shape, size, type Tensor } from './tensor.ts';

export interface PoolOptions extends Pick<ConvolutionOptions, 'kernel' | 'stride' | 'padding' | 'dilation'> {
  /** `ceil_mode`. */
  readonly roundUp?: boolean;
}

/** `input` is `[batch, channels, ...places]`; windows lie side by side unless a stride says otherwise. */
export function maxPool(graph: GraphBuilder, input: Tensor, options: PoolOptions): Tensor {
  const shape = pooledShape(input, options);
  return record(graph, 'maxPool', [input], newTensor(shape, input.elementType), newTensor(shape, 'int64'));
}

export function averagePool(graph: GraphBuilder, input: Tensor, options: PoolOptions): Tensor {
  return record(graph, 'averagePool', [input], newTensor(pooledShape(input, options), input.elementType));
}

/** Down to `places`. PyTorch runs a single place per channel as a mean, which keeps nothing. */
export function adaptiveAveragePool(graph: GraphBuilder, input: Tensor, places: Shape): Tensor {
  if (places.length === 2 && places.every((length) => length === 1)) return mean(graph, input, [-2, -1], true);
  const shape = [...input.shape.slice(0, -places.length), ...places];
  return record(graph, 'adaptiveAveragePool', [input], newTensor(shape, input.elementType));
}

export function adaptiveMaxPool(graph: GraphBuilder, input: Tensor, places: Shape): Tensor {
  const shape = [...input.shape.slice(0, -places.length), ...places];
  return record(graph, 'adaptiveMaxPool', [input], newTensor(shape, input.elementType), newTensor(shape, 'int64'));
}

/** `torch.nn.functional.interpolate` of `[batch, channels, ...]` to `places`, by any kernel. */
export function upsample(graph: GraphBuilder, input: Tensor, places: Shape): Tensor {
  const [from = input] = underAutocast(graph, 'upsample', [input]);
  return record(graph, 'upsample', [from], newTensor([...from.shape.slice(0, 2), ...places], from.elementType));
}

/** `torch.nn.functional.grid_sample`: `[batch, channels, ...]` seen at the places of `[batch, ...places, dimensions]`. */
export function gridSample(graph: GraphBuilder, input: Tensor, grid: Tensor): Tensor {
  const [from = input, at = grid] = underAutocast(graph, 'gridSample', [input, grid]);
  const shape = [size(from, 0), size(from, 1), ...at.shape.slice(1, -1)];
  return record(graph, 'gridSample', [from, at], newTensor(shape, from.elementType));
}

const pooledShape = (input: Tensor, options: PoolOptions): Shape => [
  ...input.shape.slice(0, 2),
  ...convolvedPlaces(input.shape.slice(2), { ...options, stride: options.stride ?? options.kernel }),
];
