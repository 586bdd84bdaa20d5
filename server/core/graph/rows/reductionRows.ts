import type { BackwardCall, OperationRow } from '../operations.ts';
import { tensorBytes } from '../tensor.ts';
import { firstInput, firstInputAndOutput, firstOutput, fresh, none, sideOutputs, spread } from './rules.ts';

export const reductionRows = {
  mean: { torch: 'mean.dim', gradients: fresh },
  sum: { torch: 'sum.dim_IntList', gradients: spread, autocast: 'fp32' },
  variance: { torch: 'var.correction', keeps: firstInput, gradients: fresh },
  standardDeviation: { torch: 'std.correction', keeps: firstInputAndOutput, gradients: fresh },
  // Largest values with their places: outputs values, int64 indices.
  maximumWithIndices: { torch: 'max.dim', keeps: sideOutputs, gradients: fresh },
  // Backward compares every element with the largest one.
  largest: { torch: 'amax', keeps: firstInputAndOutput, gradients: fresh },
  product: { torch: 'prod.dim_int', keeps: firstInputAndOutput, gradients: fresh, autocast: 'fp32' },
  vectorNorm: { torch: 'linalg_vector_norm', keeps: firstInputAndOutput, gradients: fresh, autocast: 'fp32' },
  cumulativeSum: { torch: 'cumsum', gradients: fresh, autocast: 'fp32' },
  logSumExp: {
    torch: 'logsumexp',
    keeps: firstInputAndOutput,
    gradients: fresh,
    backwardTemporaryBytes: ({ inputs: [input] }: BackwardCall) => (input ? tensorBytes(input) : 0),
    autocast: 'fp32',
  },
  softmax: {
    torch: 'softmax',
    keeps: firstOutput,
    gradients: fresh,
    autocast: 'fp32',
    // The kernel multiplies gradient and result first (aten/src/ATen/native/cuda/SoftMax.cu). From fp16 to fp32 one kernel
    // does both, in fp16 on the way back (aten/src/ATen/native/SoftMax.cpp).
    cudaTemporaryBytes: ({ gradient, castFrom }: BackwardCall) =>
      castFrom === 'fp16' && gradient.elementType === 'fp32' ? tensorBytes(gradient) / 2 : tensorBytes(gradient),
  },
  logSoftmax: { torch: 'log_softmax', keeps: firstOutput, gradients: fresh, autocast: 'fp32' },
  largestIndex: { torch: 'argmax', gradients: none },
} as const satisfies Readonly<Record<string, OperationRow>>;
