import type { OperationRow } from '../operations.ts';
import { fresh, inputsAndSideOutputs } from './rules.ts';

/** Inputs: input, weight, bias. A norm keeps its input even where its weights are frozen or its input needs no gradient. */
export const normRows = {
  // Outputs: result, mean, reciprocal standard deviation.
  layerNorm: { torch: 'native_layer_norm', keeps: inputsAndSideOutputs, gradients: fresh, autocast: 'fp32' },
  // Outputs: result, reciprocal root mean square.
  rmsNorm: { torch: '_fused_rms_norm', keeps: inputsAndSideOutputs, gradients: fresh, autocast: 'fp32' },
  // Outputs: result, mean and reciprocal standard deviation of each group.
  groupNorm: { torch: 'native_group_norm', keeps: inputsAndSideOutputs, gradients: fresh, autocast: 'fp32' },
  // Inputs: input, weight, bias, running mean, running variance. Outputs: result, and while training each channel's
  // mean and reciprocal standard deviation.
  batchNorm: { torch: 'native_batch_norm', keeps: inputsAndSideOutputs, gradients: fresh },
} as const satisfies Readonly<Record<string, OperationRow>>;
