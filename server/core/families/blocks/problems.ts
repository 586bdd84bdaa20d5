import type { ModelShape } from '../../budget/account.ts';

/** Sizes that a family cannot have, each as a sentence without a full stop; undefined where all is well. */

export const groupedHeadsProblem = (model: ModelShape): string | undefined =>
  model.heads % model.keyValueHeads === 0
    ? undefined
    : `${model.heads} query heads do not divide into ${model.keyValueHeads} key/value heads`;

export const rotaryProblem = (rotatedWidth: number): string | undefined =>
  rotatedWidth % 2 === 0 ? undefined : `rotary positions need an even head dimension, not ${rotatedWidth}`;

/** Where heads share out the hidden units among themselves. */
export const undividedHeadsProblem = (model: ModelShape): string | undefined =>
  model.heads * model.headDimension === model.hidden
    ? undefined
    : `${model.hidden} hidden units do not divide into ${model.heads} heads`;
