import type { ModelShape, RunShape } from '../budget/account.ts';
import type { GraphBuilder } from '../graph/graph.ts';
import type { Tensor } from '../graph/tensor.ts';

/**
 * A family of models as a graph: what its `forward` runs before, in and after the layers. Adding a family is writing one
 * of these and naming it in `templates.ts`.
 */
export interface FamilyTemplate {
  /** Tensors made once and handed to every layer, such as rotary tables or a mask. */
  readonly shared: (graph: GraphBuilder, model: ModelShape, run: RunShape) => readonly Tensor[];
  /** Token ids to the first layer's input. */
  readonly embed: (graph: GraphBuilder, model: ModelShape, run: RunShape, ids: Tensor) => Tensor;
  readonly layer: LayerTemplate;
  /** The last layer's output to logits. */
  readonly head: (graph: GraphBuilder, model: ModelShape, run: RunShape, input: Tensor) => Tensor;
  /** Sizes this family cannot have, as a sentence; undefined where all is well. */
  readonly problem: (model: ModelShape) => string | undefined;
}

export type LayerTemplate = (
  graph: GraphBuilder,
  model: ModelShape,
  run: RunShape,
  input: Tensor,
  shared: readonly Tensor[],
) => Tensor;

/** The parts a layer's memory is broken down into. */
export const partLabels = {
  'attention-scores': 'Attention core',
  'attention-rest': 'Rest of attention',
  mlp: 'MLP',
  norms: 'Norms',
  'weight-copies': 'Low-precision weight copies',
} as const;

export type PartKey = keyof typeof partLabels;
