import type { ModelShape } from '../../budget/account.ts';
import { gatedActivation } from '../../graph/activations.ts';
import { multiply } from '../../graph/elementwise.ts';
import type { GraphBuilder } from '../../graph/graph.ts';
import { linear } from '../../graph/products.ts';
import type { Tensor } from '../../graph/tensor.ts';
import { activated } from './activation.ts';

export interface GatedMlpOptions {
  readonly names?: { readonly gate: string; readonly up: string; readonly down: string };
  /** Activation and product in one kernel. */
  readonly fused?: boolean | undefined;
}

/** `down(act(gate(x)) · up(x))`. */
export function gatedMlp(
  graph: GraphBuilder,
  model: ModelShape,
  input: Tensor,
  { names = transformersNames, fused = false }: GatedMlpOptions = {},
): Tensor {
  return graph.within('mlp', () => {
    const bias = model.feedForwardBias === true;
    const gate = linear(graph, input, model.feedForward, bias, names.gate);
    if (fused) {
      const up = linear(graph, input, model.feedForward, bias, names.up);
      return linear(graph, gatedActivation(graph, gate, up), model.hidden, bias, names.down);
    }
    const open = activated(graph, model, gate);
    const up = linear(graph, input, model.feedForward, bias, names.up);
    return linear(graph, multiply(graph, open, up), model.hidden, bias, names.down);
  });
}

/** As transformers calls them. */
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
