import type { ModelGraph, Piece } from '../families/modelBuilder.ts';
import type { Storage } from '../graph/tensor.ts';
import { type PieceMemory, pieceMemory } from './pieceMemory.ts';

/** A training step ready to be simulated: its units in forward order, each with what its piece needs. All in bytes. */
export interface Step {
  readonly units: readonly StepUnit[];
  /** Number of units that are layers. */
  readonly layers: number;
  /** Index of the first unit after the last layer: head and loss. */
  readonly firstHeadUnit: number;
  /** Made once for all layers and kept by some of them. */
  readonly sharedBytes: number;
  /** All that is handed to every layer. A checkpoint holds on to its arguments, kept or not. */
  readonly argumentBytes: number;
  /** Gradients of shared tensors (an encoder's output), which add up until the last of their readers is through. */
  readonly sharedGradientBytes: number;
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
}

export function stepOf(model: ModelGraph): Step {
  const memories = new Map<Piece, PieceMemory>(model.pieces.map((piece) => [piece, pieceMemory(piece)]));
  const memoryOf = (piece: Piece): PieceMemory => memories.get(piece) ?? pieceMemory(piece);
  const units = model.units.map(({ piece, kind }, at): StepUnit => {
    const next = model.units[at + 1];
    const memory = memoryOf(piece);
    return {
      memory,
      isLayer: kind === 'layer',
      handsOverKept: memory.keepsOutput && next !== undefined && memoryOf(next.piece).keepsInput,
    };
  });
  const lastLayer = units.findLastIndex(({ isLayer }) => isLayer);
  return {
    units,
    layers: units.filter(({ isLayer }) => isLayer).length,
    firstHeadUnit: lastLayer + 1,
    sharedBytes: total(sharedStorages([...memories.values()])),
    argumentBytes: total(model.shared.map(({ storage }) => storage)),
    sharedGradientBytes: total(model.shared.filter((each) => each.requiresGradient).map(({ storage }) => storage)),
    resultBytes: units.at(-1)?.memory.outputBytes ?? 0,
    waitingBytes: waitingBytes([...memories.values()]),
  };
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
