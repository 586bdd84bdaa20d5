import { add } from '../../graph/elementwise.ts';
import type { GraphBuilder } from '../../graph/graph.ts';
import type { Tensor } from '../../graph/tensor.ts';
import type { Sublayers } from './preNormLayer.ts';

/** `x + norm(attention(norm(x)))`, and of the result `x + norm(mlp(norm(x)))`; each norm has a weight of its own. */
export function sandwichLayer(graph: GraphBuilder, input: Tensor, sublayers: Sublayers): Tensor {
  const norm = (hidden: Tensor): Tensor => graph.within('norms', () => sublayers.norm(hidden));
  const normed = norm(input);
  const attended = norm(graph.within('attention-rest', () => sublayers.attention(normed)));
  const residual = graph.within('attention-rest', () => add(graph, input, attended));
  const normedAgain = norm(residual);
  const fed = norm(graph.within('mlp', () => sublayers.mlp(normedAgain)));
  return graph.within('mlp', () => add(graph, residual, fed));
}
