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
  softmax: { torch: 'softmax', keeps: firstOutput, gradients: fresh, autocast: 'fp32' },
  logSoftmax: { torch: 'log_softmax', keeps: firstOutput, gradients: fresh, autocast: 'fp32' },
  largestIndex: { torch: 'argmax', gradients: none },
} as const satisfies Readonly<Record<string, OperationRow>>;
