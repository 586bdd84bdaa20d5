import type { ModelShape } from '../../budget/account.ts';
import { sigmoid } from '../../graph/activations.ts';
import { add, multiply } from '../../graph/elementwise.ts';
import { groupedExperts, type Router, routeTokens } from '../../graph/experts.ts';
import type { GraphBuilder } from '../../graph/graph.ts';
import { linear } from '../../graph/products.ts';
import { view } from '../../graph/shapes.ts';
import { size, type Tensor } from '../../graph/tensor.ts';
import { activated } from './activation.ts';
import { gatedMlp } from './mlp.ts';

export interface SparseMlp extends Router {
  /** Width of one expert. */
  readonly feedForward: number;
  /** Width of an expert that every token goes to, through a gate of its own (Qwen2-MoE). */
  readonly gatedShared?: number;
}

/** Experts in place of an MLP, `[batch, sequence, hidden]` in and out. */
export function sparseMlp(graph: GraphBuilder, model: ModelShape, input: Tensor, sizes: SparseMlp): Tensor {
  return graph.within('experts', () => {
    const tokens = view(graph, input, [-1, size(input, -1)]);
    const shared = sizes.gatedShared && gatedMlp(graph, { ...model, feedForward: sizes.gatedShared }, tokens);
    const routing = routeTokens(graph, tokens, sizes);
    const routed = groupedExperts(graph, tokens, routing, sizes.experts, sizes.feedForward, (builder, gate) =>
      activated(builder, model, gate),
    );
    if (!shared) return view(graph, routed, input.shape);
    const gate = sigmoid(graph, linear(graph, tokens, 1, false, 'shared_expert_gate'));
    return view(graph, add(graph, routed, multiply(graph, gate, shared)), input.shape);
  });
}

/** Whether the layer at `index` has experts, by the rule of Qwen's configuration classes. */
export function hasExperts(index: number, sparseStep: number, dense: readonly unknown[]): boolean {
  return !dense.includes(index) && (index + 1) % sparseStep === 0;
}
