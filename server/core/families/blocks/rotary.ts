import { add, multiply, negate } from '../../graph/elementwise.ts';
import type { GraphBuilder } from '../../graph/graph.ts';
import { concatenate, slice } from '../../graph/shapes.ts';
import { newTensor, size, type Tensor } from '../../graph/tensor.ts';
import type { ModelBuilder } from '../modelBuilder.ts';

/** Cosines and sines of the positions, `[1, 1, sequence, head]`, in the type of the hidden states. */
export interface RotaryTables {
  readonly cosine: Tensor;
  readonly sine: Tensor;
}

/** Made once for all layers, with the positions they are made from. */
export function rotaryTables(builder: ModelBuilder, headDimension: number): RotaryTables {
  const { sequence } = builder.run;
  const table = (): Tensor => builder.share(newTensor([1, 1, sequence, headDimension], builder.precision.weights));
  builder.share(newTensor([1, sequence], 'int64'));
  return { cosine: table(), sine: table() };
}

/** `x · cos + rotate_half(x) · sin`. */
export function rotated(graph: GraphBuilder, input: Tensor, { cosine, sine }: RotaryTables): Tensor {
  const half = size(input, -1) / 2;
  const first = slice(graph, input, -1, half);
  const turned = concatenate(graph, [negate(graph, slice(graph, input, -1, half)), first]);
  return add(graph, multiply(graph, input, cosine), multiply(graph, turned, sine));
}
