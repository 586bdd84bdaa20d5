import { add, cast, multiply, negate } from '../../graph/elementwise.ts';
import type { GraphBuilder } from '../../graph/graph.ts';
import { concatenate, slice } from '../../graph/shapes.ts';
import { type ElementType, newTensor, size, type Tensor } from '../../graph/tensor.ts';
import type { ModelBuilder } from '../modelBuilder.ts';

/** Cosines and sines of the positions, `[1, 1, sequence, head]`. */
export interface RotaryTables {
  readonly cosine: Tensor;
  readonly sine: Tensor;
}

/**
 * Made once for all layers, with the positions they are made from; `width` of each head's entries are rotated. In fp32 where
 * the model rotates in fp32.
 */
export function rotaryTables(builder: ModelBuilder, width: number, elementType?: ElementType): RotaryTables {
  sharePositions(builder);
  return rotaryPair(builder, width, elementType);
}

/** The tables alone, for models with several pairs of them. */
export function rotaryPair(
  builder: ModelBuilder,
  width: number,
  elementType: ElementType = builder.precision.weights,
): RotaryTables {
  const table = (): Tensor => builder.share(newTensor([1, 1, builder.run.sequence, width], elementType));
  return { cosine: table(), sine: table() };
}

export const sharePositions = (builder: ModelBuilder): Tensor =>
  builder.share(newTensor([1, builder.run.sequence], 'int64'));

/** `x · cos + rotate_half(x) · sin`. */
export function rotated(graph: GraphBuilder, input: Tensor, { cosine, sine }: RotaryTables): Tensor {
  const half = size(input, -1) / 2;
  const first = slice(graph, input, -1, half);
  const turned = concatenate(graph, [negate(graph, slice(graph, input, -1, half)), first]);
  return add(graph, multiply(graph, input, cosine), multiply(graph, turned, sine));
}

/** The first entries of each head rotated, as many as the tables are wide, and the rest put behind them: always a copy. */
export function rotatedInPart(graph: GraphBuilder, input: Tensor, tables: RotaryTables): Tensor {
  const width = size(tables.cosine, -1);
  const turned = rotated(graph, slice(graph, input, -1, width), tables);
  return concatenate(graph, [turned, slice(graph, input, -1, size(input, -1) - width)]);
}

/** Pairs of neighbours as complex numbers, turned by a complex product in fp32: `[batch, sequence, heads, head]` in and out. */
export function complexRotated(graph: GraphBuilder, input: Tensor, table: Tensor): Tensor {
  return cast(graph, multiply(graph, cast(graph, input, 'fp32'), table), input.elementType);
}

/**
 * The complex table of `complexRotated`, `[1, sequence, 1, head]` with both parts of each number counted. The model makes it
 * once and for all when it is built, so a training step does not pay for it.
 */
export const complexTable = (builder: ModelBuilder, headDimension: number): Tensor =>
  builder.input([1, builder.run.sequence, 1, headDimension], 'fp32');
