import type { Operation } from '../graph/graph.ts';
import { operationRow } from '../graph/operations.ts';
import type { Storage, Tensor } from '../graph/tensor.ts';

/**
 * What a checkpoint runs again: up to the last operation that keeps something (PyTorch's early stop). That one itself runs
 * only if it keeps a result of its own.
 */
export function replayed(operations: readonly Operation[]): readonly Operation[] {
  const last = operations.findLastIndex(({ kept }) => kept.some(isActivation));
  const operation = operations[last];
  if (operation === undefined) return [];
  const ownStorages = new Set<Storage>(operation.outputs.map(({ storage }) => storage));
  return operations.slice(0, operation.kept.some(({ storage }) => ownStorages.has(storage)) ? last + 1 : last);
}

export const totalFlops = (operations: readonly Operation[]): number =>
  operations.reduce((sum, operation) => sum + operationFlops(operation), 0);

/** Forward FLOPs, 2 per multiply-add. */
export const operationFlops = (operation: Operation): number => operationRow(operation.name).flops?.(operation) ?? 0;

export const isActivation = ({ storage }: Tensor): boolean =>
  storage.role === 'activation' || storage.role === 'boundary';
