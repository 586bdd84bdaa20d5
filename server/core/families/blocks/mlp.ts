import type { ModelShape } from '../../budget/account.ts';
import { multiply } from '../../graph/elementwise.ts';
import type { GraphBuilder } from '../../graph/graph.ts';
import { linear } from '../../graph/products.ts';
import type { Tensor } from '../../graph/tensor.ts';
import { activated } from './activation.ts';

/** `down(act(gate(x)) · up(x))`. */
export function gatedMlp(graph: GraphBuilder, model: ModelShape, input: Tensor): Tensor {
  return graph.within('mlp', () => {
    const bias = model.feedForwardBias === true;
    const gate = activated(graph, model, linear(graph, input, model.feedForward, bias, 'gate_proj'));
    return linear(
      graph,
      multiply(graph, gate, linear(graph, input, model.feedForward, bias, 'up_proj')),
      model.hidden,
      bias,
      'down_proj',
    );
  });
}

/** `down(act(up(x)))`, each with its name. */
export function plainMlp(
  graph: GraphBuilder,
  model: ModelShape,
  input: Tensor,
  bias: boolean,
  names: { readonly up: string; readonly down: string },
): Tensor {
  const wide = activated(graph, model, linear(graph, input, model.feedForward, bias, names.up));
  return linear(graph, wide, model.hidden, bias, names.down);
}
