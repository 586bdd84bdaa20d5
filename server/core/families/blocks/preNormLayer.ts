import { add } from '../../graph/elementwise.ts';
import type { GraphBuilder } from '../../graph/graph.ts';
import type { Tensor } from '../../graph/tensor.ts';

export interface Sublayers {
  readonly norm: (input: Tensor) => Tensor;
  readonly attention: (input: Tensor) => Tensor;
  readonly mlp: (input: Tensor) => Tensor;
}

/** `x + attention(norm(x))`, and of the result `x + mlp(norm(x))`. */
export function preNormLayer(graph: GraphBuilder, input: Tensor, { norm, attention, mlp }: Sublayers): Tensor {
  const normed = graph.within('norms', () => norm(input));
  const residual = graph.within('attention-rest', () => add(graph, input, attention(normed)));
  const normedAgain = graph.within('norms', () => norm(residual));
  return graph.within('mlp', () => add(graph, residual, mlp(normedAgain)));
}
