import type { Operation } from '../graph/graph.ts';
import { type KeptStorage, keeps, keptStorages } from '../graph/kept.ts';
import { keptOf, MemoryMeter, runBackward, runForward } from '../graph/liveMemory.ts';
import { holdKept, type PieceMemory } from './pieceMemory.ts';
import { rememberedPerPiece } from './remembered.ts';
import { replayed, totalFlops } from './replay.ts';

/**
 * A piece with one part (the attention core, as in Megatron's selective recomputation) under a checkpoint of its own: the
 * part's inputs are kept instead of what it keeps itself, and it runs again when the backward pass reaches it.
 */
export const withPartRecomputed = rememberedPerPiece(partRecomputed);

export interface PartRecomputed extends PieceMemory {
  readonly recomputedFlops: number;
}

function partRecomputed(memory: PieceMemory, part: string): PartRecomputed {
  const { piece } = memory;
  const { operations } = piece.graph;
  const region = operations.filter((operation) => operation.part === part);
  const made = new Set(region.flatMap(({ outputs }) => outputs));
  const inputs = [...new Set(region.flatMap((operation) => operation.inputs))].filter((input) => !made.has(input));
  const outside = operations.filter((operation) => operation.part !== part);

  const forward = new MemoryMeter();
  for (const input of inputs) forward.hold(input);
  runForward(forward, operations, [piece.output], (operation) => (operation.part === part ? [] : operation.kept));

  const backward = new MemoryMeter();
  holdKept(backward, outside);
  for (const input of inputs) backward.hold(input);
  const keptInBytes = backward.live;
  const kept: readonly KeptStorage[] = keptStorages({ operations: outside });
  let state: 'kept' | 'replayed' | 'done' = 'kept';
  const before = (operation: Operation): void => {
    const inside = operation.part === part;
    if (inside && state === 'kept') {
      runForward(backward, region, [], keptOf);
      state = 'replayed';
    } else if (!inside && state === 'replayed') {
      for (const input of inputs) backward.release(input);
      state = 'done';
    }
  };
  runBackward(backward, operations, piece.output, piece.input, { before, kernels: piece.graph.kernels });
  return {
    ...memory,
    kept,
    keptBytes: keptInBytes,
    keepsInput: keeps(kept, piece.input) || inputs.includes(piece.input),
    forwardPeakBytes: forward.peak,
    backwardPeakBytes: backward.peak,
    recomputedFlops: totalFlops(replayed(region)),
  };
}
