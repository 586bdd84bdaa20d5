import type { BackwardCall, Call, OperationRow } from '../operations.ts';
import { tensorBytes } from '../tensor.ts';
import { allInputs, elementwise, firstInput, firstOutput, fresh, inputOrItsCopy } from './rules.ts';

/** In place these can do with their result, so nothing is kept that would not live anyway. */
const resultInPlaceElseInput = ({ inputs: [input], outputs: [output] }: Call) =>
  input && output ? [input.storage === output.storage ? output : input] : [];

export const activationRows = {
  tanh: { torch: 'tanh', keeps: firstOutput, gradients: elementwise },
  sigmoid: { torch: 'sigmoid', keeps: firstOutput, gradients: elementwise },
  relu: { torch: 'relu', keeps: firstOutput, gradients: elementwise },
  // relu6 is hardtanh from 0 to 6.
  hardTanh: { torch: 'hardtanh', keeps: inputOrItsCopy, gradients: elementwise },
  leakyRelu: { torch: 'leaky_relu', keeps: resultInPlaceElseInput, gradients: elementwise },
  elu: { torch: 'elu', keeps: resultInPlaceElseInput, gradients: elementwise },
  gelu: { torch: 'gelu', keeps: firstInput, gradients: elementwise },
  // BLOOM's own, in Python: five tensors of the input's size are in use at once where its gradient is worked out.
  ownGelu: {
    torch: 'GeLUFunction',
    keeps: firstInput,
    gradients: elementwise,
    backwardTemporaryBytes: ({ gradient }: BackwardCall) => 4 * tensorBytes(gradient),
  },
  // Inputs: gate, up. One kernel of Liger for `act(gate) · up`, which writes both gradients over what it kept.
  gatedActivation: { torch: 'LigerSiLUMulFunction', keeps: allInputs, gradients: allInputs },
  silu: { torch: 'silu', keeps: inputOrItsCopy, gradients: elementwise },
  mish: { torch: 'mish', keeps: inputOrItsCopy, gradients: elementwise },
  softplus: { torch: 'softplus', keeps: firstInput, gradients: elementwise, autocast: 'fp32' },
  logSigmoid: { torch: 'log_sigmoid_forward', keeps: firstInput, gradients: elementwise },
  hardSwish: { torch: 'hardswish', keeps: inputOrItsCopy, gradients: elementwise },
  hardSigmoid: { torch: 'hardsigmoid', keeps: inputOrItsCopy, gradients: elementwise },
  // Inputs: input, slope.
  prelu: { torch: 'prelu', keeps: allInputs, gradients: elementwise, autocast: 'low' },
  // Halves of one tensor, the second gating the first.
  glu: {
    torch: 'glu',
    keeps: firstInput,
    gradients: fresh,
  },
} as const satisfies Readonly<Record<string, OperationRow>>;
