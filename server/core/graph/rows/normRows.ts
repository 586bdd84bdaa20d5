import type { OperationRow } from '../operations.ts';
import { allButBias, fresh, inputsAndSideOutputs } from './rules.ts';

/** Inputs: input, weight, bias. A norm keeps its input even where its weights are frozen or its input needs no gradient. */
export const normRows = {
  // Outputs: result, mean, reciprocal standard deviation.
  layerNorm: { torch: 'layer_norm', keeps: inputsAndSideOutputs, gradients: fresh, autocast: 'fp32' },
  // Outputs: result, reciprocal root mean square.
  rmsNorm: { torch: 'rms_norm', keeps: inputsAndSideOutputs, gradients: fresh, autocast: 'fp32' },
  // Outputs: result, mean and reciprocal standard deviation of each group.
  groupNorm: { torch: 'group_norm', keeps: allButBias, gradients: fresh, autocast: 'fp32' },
  // Outputs: result, each channel's mean and reciprocal standard deviation, which in eval mode are kept though unused.
  batchNorm: { torch: 'batch_norm', keeps: allButBias, gradients: fresh },
} as const satisfies Readonly<Record<string, OperationRow>>;
