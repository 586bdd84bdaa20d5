import { addScalar, cast, multiply, power, rsqrt } from '../../graph/elementwise.ts';
import type { GraphBuilder } from '../../graph/graph.ts';
import { parameter } from '../../graph/products.ts';
import { meanOfLast } from '../../graph/reductions.ts';
import { size, type Tensor } from '../../graph/tensor.ts';

/** Llama's RMSNorm: computed in fp32 whatever the input, then scaled by the weight in the input's own type. */
export function llamaNorm(graph: GraphBuilder, input: Tensor): Tensor {
  const wide = cast(graph, input, 'fp32');
  const meanSquare = meanOfLast(graph, power(graph, wide));
  const normed = multiply(graph, wide, rsqrt(graph, addScalar(graph, meanSquare)));
  return multiply(graph, parameter(graph, size(input, -1)), cast(graph, normed, input.elementType));
}
