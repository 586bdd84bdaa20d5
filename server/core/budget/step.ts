import type { ModelGraph, Piece, SharedTensor } from '../families/modelBuilder.ts';
import type { Storage, Tensor } from '../graph/tensor.ts';
import { type PieceMemory, pieceMemory } from './pieceMemory.ts';

/** A training step ready to be simulated: its units in forward order, each with what its piece needs. All in bytes. */
export interface Step {
  readonly units: readonly StepUnit[];
  /** Number of units that are layers. */
  readonly layers: number;
  /** Index of the first unit after the last layer: head and loss. */
  readonly firstHeadUnit: number;
  /** The loss itself, which the training loop holds. */
  readonly resultBytes: number;
  /** Gradients of weights that several pieces use (a tied embedding); each waits for the other's share. */
  readonly waitingBytes: number;
}

export interface StepUnit {
  readonly memory: PieceMemory;
  readonly isLayer: boolean;
  /** The next unit's input is this unit's result, kept by this one already. */
  readonly handsOverKept: boolean;
  readonly shared: SharedBytes;
}

/** What several units share and is there while one of them runs, in either direction: made by then, and still of use. */
export interface SharedBytes {
  /** Those that some unit keeps. */
  readonly kept: number;
  /** All. A checkpoint holds on to its arguments, kept or not. */
  readonly arguments: number;
  /** Their gradients (of an encoder's output), from the last of their readers back to where they were made. */
  readonly gradients: number;
}

export function stepOf(model: ModelGraph): Step {
  const memories = new Map<Piece, PieceMemory>(model.pieces.map((piece) => [piece, pieceMemory(piece)]));
  const memoryOf = (piece: Piece): PieceMemory => memories.get(piece) ?? pieceMemory(piece);
  const keptSomewhere = sharedStorages([...memories.values()]);
  const lastReaders = lastReadersOf(model);
  const units = model.units.map(({ piece, kind }, at): StepUnit => {
    const next = model.units[at + 1];
    const memory = memoryOf(piece);
    return {
      memory,
      isLayer: kind === 'layer',
      handsOverKept: memory.keepsOutput && next !== undefined && memoryOf(next.piece).keepsInput,
      shared: sharedAt(model.shared, at, keptSomewhere, lastReaders),
    };
  });
  const lastLayer = units.findLastIndex(({ isLayer }) => isLayer);
  return {
    units,
    layers: units.filter(({ isLayer }) => isLayer).length,
    firstHeadUnit: lastLayer + 1,
    resultBytes: units.at(-1)?.memory.outputBytes ?? 0,
    waitingBytes: waitingBytes([...memories.values()]),
  };
}

function sharedAt(
  shared: readonly SharedTensor[],
  unit: number,
  kept: ReadonlySet<Storage>,
  lastReaders: ReadonlyMap<Storage, number>,
): SharedBytes {
  const hasGradient = ({ storage, requiresGradient }: Tensor): boolean =>
    requiresGradient && unit < (lastReaders.get(storage) ?? 0);
  const there = shared.filter(({ from }) => from <= unit).map(({ tensor }) => tensor);
  const bytesOf = (tensors: readonly Tensor[]): number => total(tensors.map(({ storage }) => storage));
  return {
    kept: bytesOf(there.filter(({ storage }) => kept.has(storage))),
    arguments: bytesOf(there),
    gradients: bytesOf(there.filter(hasGradient)),
  };
}

/** Index of the last unit that reads each shared tensor. */
function lastReadersOf({ units }: ModelGraph): ReadonlyMap<Storage, number> {
  const last = new Map<Storage, number>();
  units.forEach(({ piece }, at) => {
    for (const { inputs } of piece.graph.operations)
      for (const { storage } of inputs) if (storage.role === 'shared') last.set(storage, at);
  });
  return last;
}

function sharedStorages(memories: readonly PieceMemory[]): ReadonlySet<Storage> {
  const shared = new Set<Storage>();
  for (const { kept } of memories) for (const { storage } of kept) if (storage.role === 'shared') shared.add(storage);
  return shared;
}

function waitingBytes(memories: readonly PieceMemory[]): number {
  const seen = new Set<Storage>();
  const several = new Set<Storage>();
  for (const { weights } of memories) {
    for (const [storage, { requiresGradient }] of weights) {
      if (seen.has(storage) && requiresGradient) several.add(storage);
      seen.add(storage);
    }
  }
  return total(several);
}

/** Work of one forward pass, in FLOPs. */
export const forwardFlops = ({ units }: Step): number => units.reduce((sum, { memory }) => sum + memory.flops, 0);

const total = (storages: Iterable<Storage>): number => [...storages].reduce((sum, { bytes }) => sum + bytes, 0);
