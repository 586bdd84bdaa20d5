import type { Call, OperationRow } from '../operations.ts';
import { elementCount, size } from '../tensor.ts';
import { allInputs, fresh, inputsAndSideOutputs, sideOutputs } from './rules.ts';

const headFlops = ({ inputs: [hidden, , weight] }: Call): number =>
  hidden && weight ? 2 * elementCount(hidden.shape) * size(weight, 0) : 0;

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
  // Inputs: hidden states, labels, the head's weight. Outputs: loss, log-sum-exp. Logits exist only within the kernel.
  cutCrossEntropy: {
    torch: 'LinearCrossEntropyFunction',
    keeps: inputsAndSideOutputs,
    gradients: fresh,
    flops: headFlops,
  },
  // Inputs as before. Outputs: loss, and the gradients of hidden states and weight, worked out in the forward pass.
  linearLossInChunks: {
    torch: 'LigerFusedLinearCrossEntropyFunction',
    keeps: sideOutputs,
    gradients: ({ outputs: [, ofHidden, ofWeight] }: Call) => [ofHidden, undefined, ofWeight],
    flops: headFlops,
  },
} as const satisfies Readonly<Record<string, OperationRow>>;
