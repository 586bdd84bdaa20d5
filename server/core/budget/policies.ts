import type { operationRow } from '../graph/operations.ts';
import type { Policy } from './plan.ts';
import { operationFlops } from './replay.ts';

/** Policies people write for `create_selective_checkpoint_contexts`, over the operations of one layer. */

/** Results of matrix products (`aten.mm`, `aten.addmm`, `aten.bmm`) and of fused attention: the usual list of torchtitan and
 * PyTorch of what is expensive to compute. */
export const savesProductsAndAttention: Policy = {
  name: 'matmul+attention',
  saves: (operation) => operationFlops(operation) > 0,
};

/** Fused attention and every second matrix product, the first of them saved (torchtitan's `op` mode). */
export const savesEverySecondProduct: Policy = {
  name: 'every-second-matmul+attention',
  saves: (operation, index) => isAttention(operation.name) || (operationFlops(operation) > 0 && index % 2 === 0),
};

export const isAttention = (name: Parameters<typeof operationRow>[0]): boolean =>
  name === 'flashAttention' || name === 'efficientAttention' || name === 'cudnnAttention';
