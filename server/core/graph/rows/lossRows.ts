import type { OperationRow } from '../operations.ts';
import { allInputs, fresh, inputsAndSideOutputs } from './rules.ts';

/** Inputs: prediction, target. */
export const lossRows = {
  // Inputs: log-probabilities, labels. Outputs: loss, total weight.
  nllLoss: { torch: 'nll_loss', keeps: inputsAndSideOutputs, gradients: fresh, autocast: 'fp32' },
  squaredError: { torch: 'mse_loss', keeps: allInputs, gradients: fresh, autocast: 'fp32' },
  smoothAbsoluteError: { torch: 'smooth_l1_loss', keeps: allInputs, gradients: fresh, autocast: 'fp32' },
  huberLoss: { torch: 'huber_loss', keeps: allInputs, gradients: fresh, autocast: 'fp32' },
  binaryCrossEntropy: { torch: 'binary_cross_entropy', keeps: allInputs, gradients: fresh },
  binaryCrossEntropyWithLogits: {
    torch: 'binary_cross_entropy_with_logits',
    keeps: allInputs,
    gradients: fresh,
    autocast: 'fp32',
  },
} as const satisfies Readonly<Record<string, OperationRow>>;
