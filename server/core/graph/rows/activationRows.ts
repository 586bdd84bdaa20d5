import type { Call, OperationRow } from '../operations.ts';
import { allInputs, elementwise, firstInput, firstOutput, fresh } from './rules.ts';

/** In place, the output lies over the input's storage; a row that keeps its output then keeps just that one. */
const resultInPlaceElseInput = ({ inputs: [input], outputs: [output] }: Call) =>
  input && output ? [input.storage === output.storage ? output : input] : [];

export const activationRows = {
  tanh: { torch: 'tanh', keeps: firstOutput, gradients: elementwise },
  sigmoid: { torch: 'sigmoid', keeps: firstOutput, gradients: elementwise },
  relu: { torch: 'relu', keeps: firstOutput, gradients: elementwise },
  // relu6 is hardtanh from 0 to 6.
  hardTanh: { torch: 'hardtanh', keeps: resultInPlaceElseInput, gradients: elementwise },
  leakyRelu: { torch: 'leaky_relu', keeps: resultInPlaceElseInput, gradients: elementwise },
  elu: { torch: 'elu', keeps: resultInPlaceElseInput, gradients: elementwise },
  gelu: { torch: 'gelu', keeps: firstInput, gradients: elementwise },
  silu: { torch: 'silu', keeps: firstInput, gradients: elementwise },
  mish: { torch: 'mish', keeps: firstInput, gradients: elementwise },
  softplus: { torch: 'softplus', keeps: firstInput, gradients: elementwise, autocast: 'fp32' },
  logSigmoid: { torch: 'log_sigmoid_forward', keeps: firstInput, gradients: elementwise },
  hardSwish: { torch: 'hardswish', keeps: firstInput, gradients: elementwise },
  hardSigmoid: { torch: 'hardsigmoid', keeps: firstInput, gradients: elementwise },
  // Inputs: input, slope.
  prelu: { torch: '_prelu_kernel', keeps: allInputs, gradients: elementwise, autocast: 'low' },
  // Halves of one tensor, the second gating the first.
  glu: {
    torch: 'glu',
    keeps: firstInput,
    gradients: fresh,
  },
} as const satisfies Readonly<Record<string, OperationRow>>;
