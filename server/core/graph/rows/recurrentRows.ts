import type { Call, OperationRow } from '../operations.ts';
import { fresh } from './rules.ts';

/** 2 FLOPs for each weight of each step and batch entry; the matrices are the inputs from the third on. */
export const recurrentRows = {
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
