import type { Storage } from '../graph/tensor.ts';
import type { PieceMemory } from './pieceMemory.ts';
import type { Step } from './step.ts';

/** Numbers of weights of a model, in elements. A weight that several pieces use (a tied embedding) counts once. */
export interface WeightCounts {
  readonly total: number;
  /** Those that learn. */
  readonly trainable: number;
  /** Of each layer, first to last. */
  readonly layers: readonly number[];
  readonly trainableLayers: readonly number[];
  /** Of embeddings, head and whatever else runs outside the layers. */
  readonly outside: number;
  readonly trainableOutside: number;
}

export function weightCounts({ units }: Step): WeightCounts {
  const layers = units.filter(({ isLayer }) => isLayer).map(({ memory }) => sum(memory.weights.values()));
  const trainableLayers = units.filter(({ isLayer }) => isLayer).map(({ memory }) => sum(memory.trainable.values()));
  const others = units.filter(({ isLayer }) => !isLayer).map(({ memory }) => memory);
  const outside = once(others, ({ weights }) => weights);
  const trainableOutside = once(others, ({ trainable }) => trainable);
  return {
    total: sum(layers) + outside,
    trainable: sum(trainableLayers) + trainableOutside,
    layers,
    trainableLayers,
    outside,
    trainableOutside,
  };
}

function once(memories: readonly PieceMemory[], of: (memory: PieceMemory) => ReadonlyMap<Storage, number>): number {
  return sum(new Map(memories.flatMap((memory) => [...of(memory)])).values());
}

const sum = (counts: Iterable<number>): number => [...counts].reduce((total, count) => total + count, 0);
