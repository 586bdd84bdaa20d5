import type { Piece } from '../families/modelBuilder.ts';
import type { Operation } from '../graph/graph.ts';
import { type KeptStorage, keeps, keptBytes, keptStorages } from '../graph/kept.ts';
import { keptOf, MemoryMeter, newGradient, nothing, runBackward, runForward } from '../graph/liveMemory.ts';
import type { Storage, Tensor } from '../graph/tensor.ts';
import { replayed, totalFlops } from './replay.ts';

/** Memory and work of one piece of a model (a layer, or what is before or after the layers), in bytes and FLOPs. */
export interface PieceMemory {
  readonly piece: Piece;
  readonly kept: readonly KeptStorage[];
  /** Kept from forward to backward; its input counts if it is kept, tensors shared by all layers do not. */
  readonly keptBytes: number;
  readonly keepsInput: boolean;
  /** It keeps its own result, so that the next piece's input costs nothing more. */
  readonly keepsOutput: boolean;
  readonly inputBytes: number;
  readonly outputBytes: number;
  /** The gradient its backward pass starts from. */
  readonly gradientBytes: number;
  /** Gradients there when a checkpoint replays it: at the first step of its backward pass that needs a kept tensor. */
  readonly replayGradientBytes: number;
  /** Most live while it runs forward, what it keeps included. */
  readonly forwardPeakBytes: number;
  /** Most live while it runs forward and keeps nothing, its input not included. */
  readonly transientPeakBytes: number;
  /** Most live while a checkpoint replays it, which stops as soon as the last kept tensor is there again. */
  readonly replayPeakBytes: number;
  /** Most live while it runs backward, what it keeps and the gradient it starts from included. */
  readonly backwardPeakBytes: number;
  /** The same while somebody else holds that gradient to the end, as the reentrant variant does. */
  readonly backwardPeakHoldingGradientBytes: number;
  readonly flops: number;
  /** FLOPs of a replay. */
  readonly replayFlops: number;
  /** Its weights, by storage. */
  readonly weights: ReadonlyMap<Storage, Tensor>;
}

/** `arriving` is the gradient of its result, which may be a view of something small where a plain sum is the loss. */
export function pieceMemory(piece: Piece, arriving: Tensor = newGradient(piece.output)): PieceMemory {
  const { operations } = piece.graph;
  const kept = keptStorages(piece.graph);
  let holding: number | undefined;
  const replay = new MemoryMeter();
  runForward(replay, operations, [], keptOf, replayed(operations).length);
  return {
    piece,
    kept,
    keptBytes: keptBytes(kept, 'activation', 'boundary'),
    keepsInput: keeps(kept, piece.input),
    keepsOutput: keeps(kept, piece.output) && piece.output.storage !== piece.input.storage,
    inputBytes: piece.input.storage.role === 'boundary' ? piece.input.storage.bytes : 0,
    outputBytes: piece.output.storage.bytes,
    gradientBytes: arriving.storage.bytes,
    replayGradientBytes: replayGradientBytes(piece, arriving),
    forwardPeakBytes: forwardPeak(piece, true),
    transientPeakBytes: forwardPeak(piece, false),
    replayPeakBytes: replay.peak,
    backwardPeakBytes: backwardPeak(piece, arriving, false),
    // Asked for by the reentrant variant alone, and as dear as the rest of these together.
    get backwardPeakHoldingGradientBytes() {
      holding ??= backwardPeak(piece, arriving, true);
      return holding;
    },
    flops: totalFlops(operations),
    replayFlops: totalFlops(replayed(operations)),
    weights: weightsOf(operations),
  };
}

function forwardPeak(piece: Piece, keepsTensors: boolean): number {
  const meter = new MemoryMeter();
  runForward(meter, piece.graph.operations, [piece.output, ...piece.graph.locals], keepsTensors ? keptOf : nothing);
  return meter.peak;
}

function backwardPeak({ graph, output, input }: Piece, gradient: Tensor, holdsGradient: boolean): number {
  if (!output.requiresGradient) return 0;
  const meter = new MemoryMeter();
  holdKept(meter, graph.operations);
  if (holdsGradient) meter.hold(gradient);
  runBackward(meter, graph.operations, output, input, {
    arriving: gradient,
    kernels: graph.kernels,
    nodesHoldKept: holdsGradient,
  });
  return meter.peak;
}

function replayGradientBytes({ graph, output, input }: Piece, gradient: Tensor): number {
  if (!output.requiresGradient) return 0;
  const last = graph.operations.findLastIndex(({ kept }) => kept.length > 0);
  const meter = new MemoryMeter();
  runBackward(meter, graph.operations.slice(last + 1), output, input, { arriving: gradient });
  return meter.live;
}

export function holdKept(meter: MemoryMeter, operations: readonly Operation[]): void {
  for (const operation of operations) for (const kept of operation.kept) meter.hold(kept);
}

/** Each as the first operation sees it: whole, where a view of it may be expanded or cut. */
function weightsOf(operations: readonly Operation[]): ReadonlyMap<Storage, Tensor> {
  const weights = new Map<Storage, Tensor>();
  for (const { inputs } of operations) {
    for (const input of inputs) {
      if (input.storage.role === 'parameter' && !weights.has(input.storage)) weights.set(input.storage, input);
    }
  }
  return weights;
}
