import type { Operation } from '../graph/graph.ts';
import { MemoryMeter, runForward } from '../graph/liveMemory.ts';
import type { Storage, Tensor } from '../graph/tensor.ts';
import type { PieceMemory } from './pieceMemory.ts';
import type { Policy } from './plan.ts';
import { rememberedPerPiece } from './remembered.ts';
import { isActivation, replayed, totalFlops } from './replay.ts';

/** What a selective checkpoint does to one piece. */
export interface SelectiveMemory {
  /** Results the policy saves, from forward to backward, beside the region's input. */
  readonly savedBytes: number;
  /** The piece's own result is among them, so that the next region's input costs nothing more. */
  readonly savesOutput: boolean;
  /** Most live while the piece runs again, what is saved included. */
  readonly replayPeakBytes: number;
  /** Most live in the forward pass, what is saved included, the piece's input not. */
  readonly forwardPeakBytes: number;
  readonly recomputedFlops: number;
}

/**
 * Saved results do not run again: PyTorch puts them away in the forward pass and hands them out in the replay. A saved view
 * costs nothing beside what it looks into, but holds on to it.
 */
export const selectiveMemory = rememberedPerPiece(underPolicy);

function underPolicy({ piece }: PieceMemory, policy: Policy): SelectiveMemory {
  const { operations } = piece.graph;
  const saved = savedOperations(operations, policy);
  const tensors = [...saved].flatMap(({ outputs }) => outputs).filter(isActivation);
  const storages = new Set(tensors.map(({ storage }) => storage));
  storages.delete(piece.input.storage);

  const forward = new MemoryMeter();
  runForward(forward, operations, [piece.output], (operation) =>
    saved.has(operation) ? outputsBeside(operation, piece.input) : [],
  );
  const replay = new MemoryMeter();
  for (const operation of saved) for (const tensor of outputsBeside(operation, piece.input)) replay.hold(tensor);
  const again = replayed(operations);
  const keep = (operation: Operation): readonly Tensor[] => {
    if (saved.has(operation)) for (const tensor of outputsBeside(operation, piece.input)) replay.release(tensor);
    return operation.kept;
  };
  runForward(replay, operations, [], keep, again.length);
  return {
    savedBytes: total(storages),
    savesOutput: storages.has(piece.output.storage),
    replayPeakBytes: replay.peak,
    forwardPeakBytes: forward.peak,
    recomputedFlops: totalFlops(again.filter((operation) => !saved.has(operation))),
  };
}

function savedOperations(operations: readonly Operation[], policy: Policy): ReadonlySet<Operation> {
  const saved = new Set<Operation>();
  let products = 0;
  for (const operation of operations) {
    if (policy.saves(operation, products)) saved.add(operation);
    if (operation.name === 'linear') products++;
  }
  return saved;
}

const outputsBeside = (operation: Operation, input: Tensor): readonly Tensor[] =>
  operation.outputs.filter((output) => output.storage !== input.storage);

const total = (storages: Iterable<Storage>): number => [...storages].reduce((sum, { bytes }) => sum + bytes, 0);
