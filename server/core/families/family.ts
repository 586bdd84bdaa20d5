import type { ModelShape, RunShape } from '../budget/account.ts';
import type { AttentionImplementation } from '../facts/facts.ts';
import type { ConfigClassOfFamily } from './configClass.ts';
import type { ModelBuilder } from './modelBuilder.ts';

/**
 * A family of models: how their configurations are written and what their `forward` runs. One file in `models/` is all that
 * a new family takes; `npm run gen` finds it.
 */
export interface Family {
  /** Key in facts and reports: `gemma2`. */
  readonly name: string;
  /** For people: `Gemma 2`. */
  readonly label: string;
  readonly configs: readonly ConfigClassOfFamily[];
  /** Runs the model's forward pass and its loss on `builder`, piece by piece, in the order in which PyTorch would. */
  readonly forward: (builder: ModelBuilder, model: ModelShape, run: RunShape) => void;
  /** What runs where the library does not have the attention that is asked for; absent where it has all of them. */
  readonly attention?: (run: RunShape) => AttentionImplementation;
  /** Settings that tensor parallelism divides beside heads, feed-forward width and vocabulary: an expert's width. */
  readonly dividedSettings?: readonly string[];
  /** Nothing in it is divided among tensor-parallel ranks here, so such runs have no account of the whole device. */
  readonly undivided?: true;
  /** It reads images of its configuration's size, so the run's sequence plays no part. */
  readonly readsImages?: true;
  /** Sizes this family cannot have, as a sentence without a full stop; undefined where all is well. */
  readonly problem: (model: ModelShape, run: RunShape) => string | undefined;
}

/** The parts a layer's memory is broken down into. */
export const partLabels = {
  'attention-scores': 'Attention core',
  'attention-rest': 'Rest of attention',
  mlp: 'MLP',
  norms: 'Norms',
  convolutions: 'Convolutions',
  experts: 'Experts and routing',
  recurrent: 'Recurrent cells',
  adapters: 'Adapters (LoRA)',
  'weight-copies': 'Low-precision weight copies',
  other: 'Other',
} as const;

export type PartKey = keyof typeof partLabels;
