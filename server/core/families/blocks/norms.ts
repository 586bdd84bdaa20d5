import type { RunShape } from '../../budget/account.ts';
import { addScalar, cast, multiply, power, rsqrt } from '../../graph/elementwise.ts';
import type { GraphBuilder } from '../../graph/graph.ts';
import { rmsNorm } from '../../graph/norms.ts';
import { parameter } from '../../graph/products.ts';
import { meanOfLast } from '../../graph/reductions.ts';
import { size, type Tensor } from '../../graph/tensor.ts';

/**
 * RMSNorms as models write them out in Python, or the fused kernel that keeps its input and one number for each row.
 */

/** Llama's RMSNorm: computed in fp32 whatever the input, then scaled by the weight in the input's own type. */
export function llamaNorm(graph: GraphBuilder, run: RunShape, input: Tensor): Tensor {
  if (run.fused?.norm) return rmsNorm(graph, input);
  return multiply(graph, parameter(graph, size(input, -1)), cast(graph, normedWide(graph, input), input.elementType));
}

/** Gemma's RMSNorm: the weight, to which 1 is added, is applied in fp32 before the result takes the input's type. */
export function gemmaNorm(graph: GraphBuilder, run: RunShape, input: Tensor): Tensor {
  if (run.fused?.norm) return rmsNorm(graph, input);
  const weight = addScalar(graph, cast(graph, parameter(graph, size(input, -1)), 'fp32'));
  return cast(graph, multiply(graph, normedWide(graph, input), weight), input.elementType);
}

/** OLMo 2's RMSNorm: the weight is applied to the fp32 result. */
export function olmoNorm(graph: GraphBuilder, run: RunShape, input: Tensor): Tensor {
  if (run.fused?.norm) return rmsNorm(graph, input);
  const weight = parameter(graph, size(input, -1));
  return cast(graph, multiply(graph, weight, normedWide(graph, input)), input.elementType);
}

/** `x / sqrt(mean(x²))` in fp32 whatever the input. */
function normedWide(graph: GraphBuilder, input: Tensor): Tensor {
  const wide = cast(graph, input, 'fp32');
  const meanSquare = meanOfLast(graph, power(graph, wide));
  return multiply(graph, wide, rsqrt(graph, addScalar(graph, meanSquare)));
}
