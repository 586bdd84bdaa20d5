import type { StrategyName } from '../budget/account.ts';

/** A strategy that a person picked, to be written into code. */
export interface ChosenStrategy {
  readonly name: StrategyName;
  /** Layers in one region, at least 1; where a strategy has regions of its own size this is 1. */
  readonly segment: number;
}

/** For titles and sentences: `checkpointing in segments of 4 layers`. */
export function chosenText({ name, segment }: ChosenStrategy): string {
  const texts: Readonly<Record<StrategyName, string>> = {
    none: 'no checkpointing',
    full: segment === 1 ? 'checkpointing of every layer' : `checkpointing in segments of ${segment} layers`,
    selective: 'recomputing the attention core',
    'every-second': 'checkpointing of every second layer',
    sequential: `checkpoint_sequential with segments of ${segment} ${segment === 1 ? 'layer' : 'layers'}`,
    policy: 'selective checkpointing that saves matrix products and attention',
    'policy-second': 'selective checkpointing that saves every second matrix product',
    offload: 'checkpointing with inputs in host memory',
  };
  return texts[name];
}

/** For menus: `Checkpoint every layer`. */
export function chosenTitle({ name, segment }: ChosenStrategy): string {
  const texts: Readonly<Record<StrategyName, string>> = {
    none: 'Remove checkpointing',
    full: segment === 1 ? 'Checkpoint every layer' : `Checkpoint in segments of ${segment} layers`,
    selective: 'Recompute the attention core only',
    'every-second': 'Checkpoint every second layer',
    sequential: `Use checkpoint_sequential with segments of ${segment} ${segment === 1 ? 'layer' : 'layers'}`,
    policy: 'Checkpoint selectively: save matrix products and attention',
    'policy-second': 'Checkpoint selectively: save every second matrix product',
    offload: 'Checkpoint every layer with inputs in host memory',
  };
  return texts[name];
}
