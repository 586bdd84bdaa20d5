import type { Call, OperationRow } from '../operations.ts';
import { elementCount, size, type Tensor } from '../tensor.ts';
import { fresh } from './rules.ts';

const elementCountOfMatrices = (tensors: readonly Tensor[]): number =>
  tensors.reduce((sum, { shape }) => sum + (shape.length === 2 ? elementCount(shape) : 0), 0);

/** Steps of a recurrent layer after their matrix products. Backward may be differentiated again, for which the gates stay. */
export const recurrentRows = {
  // All layers and steps by cuDNN. Inputs: input, first states, weights. Outputs: result, last states, what cuDNN reserves.
  recurrentLayers: {
    torch: '_cudnn_rnn',
    keeps: ({ inputs, outputs }: Call) => [...inputs, ...outputs.slice(0, 1), ...outputs.slice(-1)],
    gradients: fresh,
    // Every matrix once for each step and entry of the batch.
    flops: ({ inputs: [input, ...rest] }: Call) =>
      input ? 2 * size(input, 0) * size(input, 1) * elementCountOfMatrices(rest) : 0,
  },
  // Inputs: input gates, hidden gates, cell, biases. Outputs: hidden, cell, workspace of all four gates.
  lstmCell: {
    torch: '_thnn_fused_lstm_cell',
    keeps: ({ inputs, outputs }: Call) => [...inputs, ...outputs.slice(1)],
    gradients: fresh,
    autocast: 'low',
  },
  // Inputs: input gates, hidden gates, hidden, biases. Outputs: hidden, workspace of five times the hidden size.
  gruCell: {
    torch: '_thnn_fused_gru_cell',
    keeps: ({ inputs, outputs }: Call) => [...inputs, ...outputs.slice(1)],
    gradients: fresh,
    autocast: 'low',
  },
} as const satisfies Readonly<Record<string, OperationRow>>;
