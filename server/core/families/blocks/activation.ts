import type { ModelShape } from '../../budget/account.ts';
import { quickGelu } from '../../graph/activations.ts';
import { add, addScalar, gelu, multiply, power, relu, scale, silu, tanh } from '../../graph/elementwise.ts';
import type { GraphBuilder } from '../../graph/graph.ts';
import type { Tensor } from '../../graph/tensor.ts';

/** `gelu_new` and `quick_gelu` are written out in Python, each step keeping what it needs; the others are one operation. */
export function activated(graph: GraphBuilder, { activation }: Pick<ModelShape, 'activation'>, input: Tensor): Tensor {
  if (activation === 'gelu') return gelu(graph, input);
  if (activation === 'relu') return relu(graph, input);
  if (activation === 'silu') return silu(graph, input);
  if (activation === 'quick_gelu') return quickGelu(graph, input);
  const half = scale(graph, input);
  const inner = scale(graph, add(graph, input, scale(graph, power(graph, input))));
  return multiply(graph, half, addScalar(graph, tanh(graph, inner)));
}
