import type { Piece } from '../families/pieces.ts';
import type { Operation } from '../graph/graph.ts';
import { type KeptStorage, keeps, keptBytes, keptStorages } from '../graph/kept.ts';
import { MemoryMeter, runBackward, runForward } from '../graph/liveMemory.ts';
import { operationRow } from '../graph/operations.ts';
import type { Storage, Tensor } from '../graph/tensor.ts';

/** Memory and work of one piece of a model (a layer, or what is before or after the layers), in bytes and FLOPs. */
export interface PieceMemory {
  /** Kept from forward to backward; its input counts if it is kept, tensors shared by all layers do not. */
  readonly keptBytes: number;
  readonly keepsInput: boolean;
  /** Most live while it runs forward, what it keeps included. */
  readonly forwardPeakBytes: number;
  /** Most live while a checkpoint replays it, which stops as soon as the last kept tensor is there again. */
  readonly replayPeakBytes: number;
  /** Most live while it runs backward, what it keeps and the gradient it starts from included. */
  readonly backwardPeakBytes: number;
  readonly flops: number;
  /** FLOPs of a replay. */
  readonly replayFlops: number;
}

export function pieceMemory(piece: Piece): PieceMemory {
  const { operations } = piece.graph;
  const kept = keptStorages(piece.graph);
  const keptInBytes = keptBytes(kept, 'activation', 'boundary');
  const forward = new MemoryMeter();
  runForward(forward, operations, [piece.output], () => true);
  const backward = new MemoryMeter();
  holdKept(backward, operations);
  runBackward(backward, operations, piece.output, piece.input);
  return {
    keptBytes: keptInBytes,
    keepsInput: keeps(kept, piece.input),
    forwardPeakBytes: forward.peak,
    replayPeakBytes: replayPeak(operations),
    backwardPeakBytes: backward.peak,
    flops: totalFlops(operations),
    replayFlops: totalFlops(replayed(operations)),
  };
}

/**
 * The same with one part (the attention core) under a checkpoint of its own: the part's inputs are kept instead of what it
 * keeps itself, and it runs again when the backward pass reaches it.
 */
export function selectiveMemory(piece: Piece, part: string): PieceMemory & { readonly recomputedFlops: number } {
  const { operations } = piece.graph;
  const region = operations.filter((operation) => operation.part === part);
  const made = new Set(region.flatMap(({ outputs }) => outputs));
  const inputs = [...new Set(region.flatMap((operation) => operation.inputs))].filter((input) => !made.has(input));
  const outside = operations.filter((operation) => operation.part !== part);

  const forward = new MemoryMeter();
  for (const input of inputs) forward.hold(input);
  runForward(forward, operations, [piece.output], (operation) => operation.part !== part);

  const backward = new MemoryMeter();
  holdKept(backward, outside);
  for (const input of inputs) backward.hold(input);
  const keptInBytes = backward.live;
  const kept: readonly KeptStorage[] = keptStorages({ operations: outside });
  let state: 'kept' | 'replayed' | 'done' = 'kept';
  runBackward(backward, operations, piece.output, piece.input, (operation) => {
    const inside = operation.part === part;
    if (inside && state === 'kept') {
      runForward(backward, region, [], () => true);
      state = 'replayed';
    } else if (!inside && state === 'replayed') {
      for (const input of inputs) backward.release(input);
      state = 'done';
    }
  });
  const recomputedFlops = totalFlops(replayed(region));
  return {
    keptBytes: keptInBytes,
    keepsInput: keeps(kept, piece.input) || inputs.includes(piece.input),
    forwardPeakBytes: forward.peak,
    replayPeakBytes: replayPeak(operations),
    backwardPeakBytes: backward.peak,
    flops: totalFlops(operations),
    replayFlops: totalFlops(replayed(operations)),
    recomputedFlops,
  };
}

function replayPeak(operations: readonly Operation[]): number {
  const meter = new MemoryMeter();
  runForward(meter, replayed(operations), [], () => true);
  return meter.peak;
}

function holdKept(meter: MemoryMeter, operations: readonly Operation[]): void {
  for (const operation of operations) for (const kept of operation.kept) meter.hold(kept);
}

/** Up to the last operation that keeps something; that one itself runs only if it keeps a result of its own. */
function replayed(operations: readonly Operation[]): readonly Operation[] {
  const last = operations.findLastIndex(({ kept }) => kept.some(isActivation));
  const operation = operations[last];
  if (operation === undefined) return [];
  const ownStorages = new Set<Storage>(operation.outputs.map(({ storage }) => storage));
  return operations.slice(0, operation.kept.some(({ storage }) => ownStorages.has(storage)) ? last + 1 : last);
}

const isActivation = ({ storage }: Tensor): boolean => storage.role === 'activation' || storage.role === 'boundary';

const totalFlops = (operations: readonly Operation[]): number =>
  operations.reduce((sum, operation) => sum + (operationRow(operation.name).flops?.(operation) ?? 0), 0);
