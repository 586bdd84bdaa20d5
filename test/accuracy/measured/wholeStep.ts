import type { Plan } from '../../../server/core/budget/plan.ts';
import { simulate, type TracePoint, trace } from '../../../server/core/budget/simulate.ts';
import type { Step } from '../../../server/core/budget/step.ts';
import type { Operation } from '../../../server/core/graph/graph.ts';
import { keptOf, MemoryMeter, runForward } from '../../../server/core/graph/liveMemory.ts';
import type { Storage } from '../../../server/core/graph/tensor.ts';

/** A training step with the gradients it leaves behind, in bytes; parameters and optimizer states are beside it. */
export interface WholeStep {
  /** Most live in the forward pass, where gradients were set to none before. */
  readonly forwardPeakBytes: number;
  /** Most live over forward and backward: activations, what replays them, and the gradients made so far. */
  readonly peakBytes: number;
  /** Gradients of everything that learns, when the backward pass has ended. */
  readonly gradientBytes: number;
  readonly afterForwardBytes: number;
  /** What the loop holds from the forward pass to the end of the step. */
  readonly heldBytes: number;
}

/** What a training loop holds beside the model's own tensors; the same for every row of one script. */
export interface Loop {
  /** The model's output object is still there in the backward pass and in the step, and the logits with it. */
  readonly holdsOutputs: boolean;
  /** Keys and values that a model with `use_cache` left on copies into its cache, beside the ones autograd keeps. */
  readonly cacheBytes?: number;
  /** Of a gradient's element. */
  readonly gradientBytesPerElement: number;
}

export function wholeStep(step: Step, plan: Plan, loop: Loop): WholeStep {
  const logitsBytes = headProduct(step)?.outputs[0]?.storage.bytes ?? 0;
  const cache = loop.cacheBytes ?? 0;
  const held = (loop.holdsOutputs ? logitsBytes : 0) + cache;
  const shared = sharedWeights(step);
  const gradientOf = (unit: number): number => {
    let elements = 0;
    for (const [storage, count] of step.units[unit]?.memory.trainable ?? [])
      if (!shared.has(storage)) elements += count;
    return elements * loop.gradientBytesPerElement;
  };
  let forwardPeakBytes = 0;
  let peakBytes = 0;
  let gradientBytes = 0;
  let through: TracePoint | undefined;
  for (const point of trace(step, plan)) {
    if (through?.phase === 'backward') gradientBytes += gradientOf(through.unit);
    if (point.phase === 'forward') {
      const isHead = point.unit === step.units.length - 1;
      const inLoss = isHead ? headForwardPeak(step) - (step.units[point.unit]?.memory.forwardPeakBytes ?? 0) : 0;
      forwardPeakBytes = Math.max(forwardPeakBytes, point.peakBytes + inLoss + cache);
    } else {
      peakBytes = Math.max(peakBytes, point.peakBytes + gradientBytes + held);
    }
    through = point;
  }
  if (through !== undefined) gradientBytes += gradientOf(through.unit);
  const end = gradientBytes + 3 * step.waitingBytes + held + step.resultBytes;
  return {
    forwardPeakBytes,
    peakBytes: Math.max(forwardPeakBytes, peakBytes, end),
    gradientBytes: gradientBytes + step.waitingBytes,
    afterForwardBytes: simulate(step, plan).afterForwardBytes + held,
    heldBytes: held,
  };
}

/** Weights of several units: their gradient is part of what waits in the step. */
function sharedWeights(step: Step): ReadonlySet<Storage> {
  const owner = new Map<Storage, unknown>();
  const shared = new Set<Storage>();
  for (const { memory } of step.units) {
    for (const storage of memory.trainable.keys()) {
      const known = owner.get(storage);
      if (known !== undefined && known !== memory) shared.add(storage);
      owner.set(storage, memory);
    }
  }
  return shared;
}

/** The head's forward pass where its input and its logits are local variables of the model's `forward` during the loss. */
function headForwardPeak(step: Step): number {
  const piece = step.units.at(-1)?.memory.piece;
  if (piece === undefined) return 0;
  const meter = new MemoryMeter();
  const product = headProduct(step);
  const locals = [product?.inputs[0], product?.outputs[0]].flatMap((local) => local ?? []);
  runForward(meter, piece.graph.operations, [piece.output, ...locals], keptOf);
  return meter.peak;
}

/** The head's matrix product, which gives the logits. */
const headProduct = (step: Step): Operation | undefined =>
  step.units.at(-1)?.memory.piece.graph.operations.findLast(({ name }) => name === 'linear');
