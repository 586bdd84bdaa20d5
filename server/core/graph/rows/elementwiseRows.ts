import type { BackwardCall, Call, OperationRow } from '../operations.ts';
import { sameShape, tensorBytes } from '../tensor.ts';
import {
  allInputs,
  elementwise,
  everything,
  factorsOfEachOther,
  firstInput,
  firstInputAndOutput,
  firstOutput,
  inputOrItsCopy,
  inTypeOfGradient,
  none,
  passedOn,
  secondInput,
  sideOutputs,
} from './rules.ts';

/** A broadcast factor's gradient is a whole product before it is summed up. */
const unsummedBytes = ({ inputs, gradient }: BackwardCall): number =>
  inputs.some((input) => input.requiresGradient && !sameShape(input.shape, gradient.shape)) ? tensorBytes(gradient) : 0;

const twoSteps = ({ gradient }: BackwardCall): number => 2 * tensorBytes(gradient);

export const elementwiseRows = {
  add: { torch: 'add.Tensor', gradients: passedOn },
  addScalar: { torch: 'add.Scalar', gradients: passedOn },
  subtract: {
    torch: 'sub.Tensor',
    gradients: (call: BackwardCall) => [passedOn(call)[0], elementwise(call)[1]],
  },
  scale: { torch: 'mul.Scalar', gradients: elementwise },
  negate: { torch: 'neg', gradients: elementwise },
  // Casts of integers and masks carry no gradient.
  cast: { torch: '_to_copy', gradients: elementwise },
  multiply: {
    torch: 'mul.Tensor',
    keeps: factorsOfEachOther,
    gradients: inTypeOfGradient,
    backwardTemporaryBytes: unsummedBytes,
  },
  divide: {
    torch: 'div.Tensor',
    // The divisor is needed for either gradient, the dividend only for the divisor's.
    keeps: ({ inputs: [dividend, divisor] }: Call) =>
      dividend && divisor ? [...(divisor.requiresGradient ? [dividend] : []), divisor] : [],
    gradients: inTypeOfGradient,
    backwardTemporaryBytes: unsummedBytes,
  },
  // Inputs: factor, what the logarithm is taken of.
  timesLogarithm: { torch: 'xlogy.Tensor', keeps: allInputs, gradients: elementwise },
  // Inputs: sum, factor, factor.
  addProduct: {
    torch: 'addcmul',
    keeps: ({ inputs }: Call) => factorsOfEachOther({ inputs: inputs.slice(1), outputs: [] }),
    gradients: (call: BackwardCall) => [passedOn(call)[0], ...elementwise(call).slice(1)],
    autocast: 'widest',
  },
  power: {
    torch: 'pow.Tensor_Scalar',
    keeps: firstInput,
    gradients: elementwise,
    // exponent · inputⁿ⁻¹ in two steps, beside the result.
    backwardTemporaryBytes: twoSteps,
    autocast: 'fp32',
  },
  powerOf: {
    torch: 'pow.Tensor_Tensor',
    keeps: everything,
    gradients: elementwise,
    backwardTemporaryBytes: twoSteps,
    autocast: 'fp32',
  },
  rsqrt: {
    torch: 'rsqrt',
    keeps: firstOutput,
    gradients: elementwise,
    backwardTemporaryBytes: twoSteps,
    autocast: 'fp32',
  },
  squareRoot: { torch: 'sqrt', keeps: firstOutput, gradients: elementwise },
  reciprocal: { torch: 'reciprocal', keeps: firstOutput, gradients: elementwise, autocast: 'fp32' },
  exponential: { torch: 'exp', keeps: firstOutput, gradients: elementwise, autocast: 'fp32' },
  logarithm: { torch: 'log', keeps: firstInput, gradients: elementwise, autocast: 'fp32' },
  logarithmOfOnePlus: { torch: 'log1p', keeps: firstInput, gradients: elementwise, autocast: 'fp32' },
  absolute: { torch: 'abs', keeps: firstInput, gradients: elementwise },
  sine: { torch: 'sin', keeps: firstInput, gradients: elementwise },
  cosine: { torch: 'cos', keeps: firstInput, gradients: elementwise },
  errorFunction: { torch: 'erf', keeps: firstInput, gradients: elementwise },
  clamp: { torch: 'clamp', keeps: inputOrItsCopy, gradients: elementwise },
  // Inputs: input, lower bound, upper bound.
  clampBetween: { torch: 'clamp.Tensor', keeps: allInputs, gradients: elementwise },
  // Which of the two was larger is worked out again in backward.
  maximum: { torch: 'maximum', keeps: allInputs, gradients: elementwise },
  minimum: { torch: 'minimum', keeps: allInputs, gradients: elementwise },
  // Inputs: condition, value where true, value where false.
  where: { torch: 'where.self', keeps: firstInput, gradients: elementwise },
  // Inputs: input, mask.
  maskedFill: { torch: 'masked_fill.Scalar', keeps: secondInput, gradients: elementwise },
  lowerTriangle: { torch: 'tril', gradients: elementwise },
  cumulativeProduct: { torch: 'cumprod', keeps: firstInputAndOutput, gradients: elementwise, autocast: 'fp32' },
  compare: { torch: 'eq.Tensor', gradients: none },
  floorDivide: { torch: 'floor_divide', gradients: none },
  // A new tensor of random numbers, from nothing.
  randomNumbers: { torch: 'bernoulli_', gradients: none, random: true },
  // Outputs: result, one byte per element for the mask.
  dropout: { torch: 'native_dropout', keeps: sideOutputs, gradients: elementwise, random: true },
  // Outputs: result, noise of the input's type. What in-place dropout, feature dropout and dropout off CUDA run.
  noiseDropout: { torch: 'dropout_', keeps: sideOutputs, gradients: elementwise, random: true },
} as const satisfies Readonly<Record<string, OperationRow>>;
