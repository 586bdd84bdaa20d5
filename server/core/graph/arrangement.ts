import type { GraphBuilder } from './graph.ts';
import { record, recordAlong } from './record.ts';
import { elementCount, newTensor, promoted, type Shape, size, type Tensor } from './tensor.ts';

/** Operations that move elements to other places by copying them. None of them keeps anything but `padByCopies`. */

/** `torch.roll`, by any shifts. */
export const roll = (graph: GraphBuilder, input: Tensor): Tensor =>
  record(graph, 'roll', [input], newTensor(input.shape, input.elementType));

export const flip = (graph: GraphBuilder, input: Tensor): Tensor =>
  record(graph, 'flip', [input], newTensor(input.shape, input.elementType));

/** With a constant around it. `padding` is torch's: before and after, the last dimension first. */
export const pad = (graph: GraphBuilder, input: Tensor, padding: readonly number[]): Tensor =>
  record(graph, 'pad', [input], newTensor(padded(input.shape, padding), input.elementType));

/** `mode='reflect'` or `'replicate'`. */
export const padByCopies = (graph: GraphBuilder, input: Tensor, padding: readonly number[]): Tensor =>
  record(graph, 'padByCopies', [input], newTensor(padded(input.shape, padding), input.elementType));

/** A new dimension over equal tensors. */
export function stack(graph: GraphBuilder, inputs: readonly Tensor[], dimension = 0): Tensor {
  const [first] = inputs;
  if (first === undefined) return newTensor([0], 'fp32');
  const at = dimension < 0 ? first.shape.length + 1 + dimension : dimension;
  const type = inputs.reduce((widest, input) => promoted(widest, input.elementType), first.elementType);
  return recordAlong(graph, 'stack', [at], inputs, newTensor(first.shape.toSpliced(at, 0, inputs.length), type));
}

/** `Tensor.unfold`: windows along a dimension, as a view with their length in a new last dimension. */
export function windows(graph: GraphBuilder, input: Tensor, dimension: number, length: number, step: number): Tensor {
  const stride = input.strides[dimension] ?? 1;
  const count = Math.floor((size(input, dimension) - length) / step) + 1;
  const shape = [...input.shape.with(dimension, count), length];
  const strides = [...input.strides.with(dimension, step * stride), stride];
  return recordAlong(graph, 'windows', [dimension], [input], { ...input, shape, strides });
}

/** `torch.nn.functional.unfold` of `[batch, channels, height, width]` with `[kernel, kernel]` windows. */
export function imageToColumns(graph: GraphBuilder, input: Tensor, kernel: Shape, windows: number): Tensor {
  const shape = [size(input, 0), size(input, 1) * elementCount(kernel), windows];
  return record(graph, 'imageToColumns', [input], newTensor(shape, input.elementType));
}

/** `torch.nn.functional.fold` to `[batch, channels, height, width]`. */
export const columnsToImage = (graph: GraphBuilder, input: Tensor, shape: Shape): Tensor =>
  record(graph, 'columnsToImage', [input], newTensor(shape, input.elementType));

/** `[batch, channels · factor², height, width]` to `[batch, channels, height · factor, width · factor]`. */
export function pixelShuffle(graph: GraphBuilder, input: Tensor, factor: number): Tensor {
  const [batch, channels, height, width] = [size(input, 0), size(input, 1), size(input, 2), size(input, 3)];
  const shape = [batch, channels / factor ** 2, height * factor, width * factor];
  return record(graph, 'pixelShuffle', [input], newTensor(shape, input.elementType));
}

/** `input.detach()`: the same storage, and no gradient beyond it. */
export const detach = (graph: GraphBuilder, input: Tensor): Tensor => ({
  ...record(graph, 'detach', [input], input),
  requiresGradient: false,
});

/** `input.clone()`. */
export const clone = (graph: GraphBuilder, input: Tensor): Tensor =>
  record(graph, 'copy', [input], newTensor(input.shape, input.elementType));

const padded = (shape: Shape, padding: readonly number[]): Shape =>
  shape.map((length, i) => {
    const at = 2 * (shape.length - 1 - i);
    return length + (padding[at] ?? 0) + (padding[at + 1] ?? 0);
  });
