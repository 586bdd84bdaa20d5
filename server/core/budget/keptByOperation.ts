import { operationRow } from '../graph/operations.ts';
import type { ElementType, Shape, Storage, Tensor } from '../graph/tensor.ts';
import type { Step } from './step.ts';

/** What autograd keeps for one kind of operation of a layer, each storage with the operation that keeps it first. */
export interface KeptByOperation {
  /** The operation of torch: `linear`, `gelu`. */
  readonly operation: string;
  /** Key of the layer's part it belongs to: `mlp`. */
  readonly part: string;
  readonly bytes: number;
  /** Largest first; tensors that look the same are one entry. */
  readonly tensors: readonly KeptTensors[];
}

export interface KeptTensors {
  readonly shape: Shape;
  readonly elementType: ElementType;
  readonly count: number;
  /** All `count` of them. */
  readonly bytes: number;
}

/** One inner layer by operation, largest first; adds up to the parts of `PytorchAccount.layerParts`. */
export function keptByOperation({ units }: Step): readonly KeptByOperation[] {
  const layers = units.filter(({ isLayer }) => isLayer);
  const operations = (layers[1] ?? layers[0])?.memory.piece.graph.operations ?? [];
  const seen = new Set<Storage>();
  const groups = new Map<string, { operation: string; part: string; tensors: Tensor[] }>();
  for (const { name, part, kept } of operations) {
    for (const tensor of kept) {
      const { storage } = tensor;
      if (seen.has(storage)) continue;
      seen.add(storage);
      if (storage.role !== 'activation' && storage.role !== 'boundary') continue;
      const operation = operationRow(name).torch;
      const key = `${part} ${operation}`;
      const group = groups.get(key) ?? { operation, part, tensors: [] };
      group.tensors.push(tensor);
      groups.set(key, group);
    }
  }
  return [...groups.values()]
    .map(({ operation, part, tensors }) => ({ operation, part, bytes: bytesOf(tensors), tensors: alike(tensors) }))
    .toSorted((a, b) => b.bytes - a.bytes);
}

const bytesOf = (tensors: readonly Tensor[]): number => tensors.reduce((sum, { storage }) => sum + storage.bytes, 0);

function alike(tensors: readonly Tensor[]): readonly KeptTensors[] {
  const groups = new Map<string, Tensor[]>();
  for (const tensor of tensors) {
    const key = `${tensor.shape} ${tensor.elementType} ${tensor.storage.bytes}`;
    groups.set(key, [...(groups.get(key) ?? []), tensor]);
  }
  return [...groups.values()]
    .flatMap((group) => {
      const [first] = group;
      if (first === undefined) return [];
      const { shape, elementType } = first;
      return [{ shape, elementType, count: group.length, bytes: bytesOf(group) }];
    })
    .toSorted((a, b) => b.bytes - a.bytes);
}
