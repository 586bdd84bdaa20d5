import type { Graph } from './graph.ts';
import type { Storage, StorageRole, Tensor } from './tensor.ts';

/** What autograd keeps of a graph, one entry per distinct storage, in the order in which it is first kept. */
export interface KeptStorage {
  readonly storage: Storage;
  /** The part of the model whose operation keeps it first. */
  readonly part: string;
}

export function keptStorages(graph: Graph): readonly KeptStorage[] {
  const first = new Map<Storage, string>();
  for (const operation of graph.operations) {
    for (const { storage } of operation.kept) if (!first.has(storage)) first.set(storage, operation.part);
  }
  return [...first].map(([storage, part]) => ({ storage, part }));
}

/** Bytes of distinct kept storages with one of these roles. */
export const keptBytes = (kept: readonly KeptStorage[], ...roles: readonly StorageRole[]): number =>
  kept.reduce((sum, { storage }) => sum + (roles.includes(storage.role) ? storage.bytes : 0), 0);

export const keeps = (kept: readonly KeptStorage[], tensor: Tensor): boolean =>
  kept.some(({ storage }) => storage === tensor.storage);
