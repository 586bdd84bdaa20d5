import type { ModelShape } from '../../budget/account.ts';
import { gelu, multiply, relu, silu } from '../../graph/elementwise.ts';
import type { GraphBuilder } from '../../graph/graph.ts';
import { linear } from '../../graph/products.ts';
import type { Tensor } from '../../graph/tensor.ts';

/** `down(act(gate(x)) · up(x))`. */
export function gatedMlp(graph: GraphBuilder, model: ModelShape, input: Tensor): Tensor {
  return graph.within('mlp', () => {
    const bias = model.feedForwardBias === true;
    const gate = activationOf(graph, model, linear(graph, input, model.feedForward, bias, 'gate_proj'));
    return linear(
      graph,
      multiply(graph, gate, linear(graph, input, model.feedForward, bias, 'up_proj')),
      model.hidden,
      bias,
      'down_proj',
    );
  });
}

/** The activation functions that are one operation each. */
export function activationOf(graph: GraphBuilder, model: ModelShape, input: Tensor): Tensor {
  if (model.activation === 'relu') return relu(graph, input);
  return model.activation === 'silu' ? silu(graph, input) : gelu(graph, input);
}
