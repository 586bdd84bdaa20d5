import type { ModelShape } from '../../budget/account.ts';
import { multiply } from '../../graph/elementwise.ts';
import type { GraphBuilder } from '../../graph/graph.ts';
import { linear } from '../../graph/products.ts';
import type { Tensor } from '../../graph/tensor.ts';
import { activated } from './activation.ts';

/** `down(act(gate(x)) · up(x))`. */
export function gatedMlp(
  graph: GraphBuilder,
  model: ModelShape,
  input: Tensor,
  names: { readonly gate: string; readonly up: string; readonly down: string } = transformersNames,
): Tensor {
  return graph.within('mlp', () => {
    const bias = model.feedForwardBias === true;
    const gate = activated(graph, model, linear(graph, input, model.feedForward, bias, names.gate));
    const up = linear(graph, input, model.feedForward, bias, names.up);
    return linear(graph, multiply(graph, gate, up), model.hidden, bias, names.down);
  });
}

const transformersNames = { gate: 'gate_proj', up: 'up_proj', down: 'down_proj' } as const;

/** As Llama's own code and those after it call them. */
export const referenceNames = { gate: 'w1', up: 'w3', down: 'w2' } as const;

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
