import type { BackwardCall, Call, OperationRow } from '../operations.ts';
import { newTensor } from '../tensor.ts';
import { allInputs, fresh, none, passedOn, secondInput, sideOutputs } from './rules.ts';

/** Backward writes zeros where the values went; the values' own gradient is gathered. */
const clearedAndGathered = ({ inputs, gradient }: BackwardCall) =>
  inputs.map((input) => newTensor(input.shape, gradient.elementType));
/** Where values were added, the gradient of what they were added to is the output's own. */
const passedOnAndGathered = (call: BackwardCall) => [passedOn(call)[0], ...clearedAndGathered(call).slice(1)];

/** Where values are added, indices matter to the gradient of the values alone. */
const indicesOfLearning = ({ inputs: [, indices, values] }: Call) =>
  indices && values?.requiresGradient ? [indices] : [];
const indicesAndValues = ({ inputs: [, indices, values] }: Call) =>
  indices && values?.requiresGradient ? [indices, values] : [];

/** Inputs: input, indices, and the values written where there are any. */
export const indexingRows = {
  indexSelect: { torch: 'index_select', keeps: secondInput, gradients: fresh },
  // Any number of index tensors.
  index: { torch: 'index.Tensor', keeps: ({ inputs }: Call) => inputs.slice(1), gradients: fresh },
  // Of the input only the shape is ever used, yet it is kept.
  gather: { torch: 'gather', keeps: allInputs, gradients: fresh },
  scatter: { torch: 'scatter.src', keeps: secondInput, gradients: clearedAndGathered },
  scatterAdd: { torch: 'scatter_add', keeps: indicesOfLearning, gradients: passedOnAndGathered, autocast: 'widest' },
  indexAdd: { torch: 'index_add', keeps: indicesAndValues, gradients: passedOnAndGathered },
  indexPut: { torch: 'index_put', keeps: secondInput, gradients: clearedAndGathered, autocast: 'widest' },
  maskedSelect: { torch: 'masked_select', keeps: allInputs, gradients: fresh },
  // Outputs: values, int64 indices.
  topk: { torch: 'topk', keeps: sideOutputs, gradients: fresh },
  sort: { torch: 'sort', keeps: sideOutputs, gradients: fresh },
  oneHot: { torch: 'one_hot', gradients: none },
} as const satisfies Readonly<Record<string, OperationRow>>;
