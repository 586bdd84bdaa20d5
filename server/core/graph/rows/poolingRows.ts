import type { Call, OperationRow } from '../operations.ts';
import { firstInput, fresh } from './rules.ts';

const inputAndPlaces = ({ inputs, outputs }: Call) => [...inputs, ...outputs.slice(1)];

export const poolingRows = {
  // Outputs: result, int64 places of the largest values.
  maxPool: { torch: 'max_pool2d_with_indices', keeps: inputAndPlaces, gradients: fresh },
  adaptiveMaxPool: { torch: 'adaptive_max_pool2d', keeps: inputAndPlaces, gradients: fresh },
  averagePool: { torch: 'avg_pool2d', keeps: firstInput, gradients: fresh },
  adaptiveAveragePool: { torch: '_adaptive_avg_pool2d', keeps: firstInput, gradients: fresh },
  // By any kernel, nearest to bicubic: linear in its input, so nothing is kept.
  upsample: { torch: 'upsample_bilinear2d', gradients: fresh, autocast: 'fp32' },
  // Inputs: input, grid.
  gridSample: {
    torch: 'grid_sampler',
    keeps: ({ inputs }: Call) => inputs,
    gradients: fresh,
    autocast: 'widest',
  },
} as const satisfies Readonly<Record<string, OperationRow>>;
