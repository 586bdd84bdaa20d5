import { underAutocast } from './autocast.ts';
import type { GraphBuilder } from './graph.ts';
import { parameter } from './products.ts';
import { record } from './record.ts';
import { newTensor, type Shape, size, type Tensor } from './tensor.ts';

export interface ConvolutionOptions {
  /** One length for all dimensions, or one for each of them. */
  readonly kernel: number | Shape;
  readonly stride?: number | Shape;
  readonly padding?: number | Shape;
  readonly dilation?: number | Shape;
  readonly groups?: number;
  /** Default true. */
  readonly bias?: boolean;
}

/** `input` is `[batch, channels, ...places]` with one, two or three dimensions of places. */
export function convolution(graph: GraphBuilder, input: Tensor, channels: number, options: ConvolutionOptions): Tensor {
  const places = input.shape.length - 2;
  const kernel = each(options.kernel, places);
  const weight = parameter(graph, channels, size(input, 1) / (options.groups ?? 1), ...kernel);
  const shape = convolvedPlaces(input.shape.slice(2), options);
  return recorded(graph, 'convolution', input, weight, options, [size(input, 0), channels, ...shape]);
}

/** `torch.nn.ConvTranspose1d` to `3d`. */
export function transposedConvolution(
  graph: GraphBuilder,
  input: Tensor,
  channels: number,
  options: ConvolutionOptions & { readonly outputPadding?: number | Shape },
): Tensor {
  const places = input.shape.length - 2;
  const kernel = each(options.kernel, places);
  const [stride, padding] = [each(options.stride ?? 1, places), each(options.padding ?? 0, places)];
  const [dilation, more] = [each(options.dilation ?? 1, places), each(options.outputPadding ?? 0, places)];
  const weight = parameter(graph, size(input, 1), channels / (options.groups ?? 1), ...kernel);
  const shape = input.shape
    .slice(2)
    .map(
      (length, i) =>
        (length - 1) * (stride[i] ?? 1) -
        2 * (padding[i] ?? 0) +
        (dilation[i] ?? 1) * ((kernel[i] ?? 1) - 1) +
        (more[i] ?? 0) +
        1,
    );
  return recorded(graph, 'transposedConvolution', input, weight, options, [size(input, 0), channels, ...shape]);
}

/** How many places a window of this kind takes in each dimension. */
export function convolvedPlaces(places: Shape, options: ConvolutionOptions & { readonly roundUp?: boolean }): Shape {
  const [kernel, stride] = [each(options.kernel, places.length), each(options.stride ?? 1, places.length)];
  const [padding, dilation] = [each(options.padding ?? 0, places.length), each(options.dilation ?? 1, places.length)];
  return places.map((length, i) => {
    const reach = (dilation[i] ?? 1) * ((kernel[i] ?? 1) - 1) + 1;
    const steps = (length + 2 * (padding[i] ?? 0) - reach) / (stride[i] ?? 1);
    if (!options.roundUp) return Math.floor(steps) + 1;
    const count = Math.ceil(steps) + 1;
    // A window may not start beyond the padding on the left and the input.
    return (count - 1) * (stride[i] ?? 1) >= length + (padding[i] ?? 0) ? count - 1 : count;
  });
}

function recorded(
  graph: GraphBuilder,
  name: 'convolution' | 'transposedConvolution',
  input: Tensor,
  weight: Tensor,
  options: ConvolutionOptions,
  shape: Shape,
): Tensor {
  const bias = options.bias === false ? [] : [parameter(graph, shape[1] ?? 1)];
  const operands = underAutocast(graph, name, [input, weight, ...bias]);
  return record(graph, name, operands, newTensor(shape, operands[0]?.elementType ?? input.elementType));
}

const each = (value: number | Shape, dimensions: number): Shape =>
  typeof value === 'number' ? Array.from({ length: dimensions }, () => value) : value;
