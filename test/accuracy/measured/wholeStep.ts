import type { Plan } from '../../../server/core/budget/plan.ts';
import { peakOf, simulate, trace } from '../../../server/core/budget/simulate.ts';
import type { Step } from '../../../server/core/budget/step.ts';
import type { Operation } from '../../../server/core/graph/graph.ts';
import { keptOf, MemoryMeter, runForward } from '../../../server/core/graph/liveMemory.ts';
import { oneDevice, type StatesSetup } from '../../../server/core/states/setup.ts';
import { totalsOf } from '../../../server/core/total/totalMemory.ts';

/** The product's account of a whole training step, with what the loop that was measured holds besides. In bytes. */
export interface WholeStep {
  /** Weights, optimizer states and buffers, there all the time. */
  readonly lastingBytes: number;
  /** Most on top of them over the step: activations with the gradients so far, then gradients with the step's temporaries. */
  readonly passingBytes: number;
  /** The same over forward and backward alone, and in the forward pass alone. */
  readonly backwardPeakBytes: number;
  readonly forwardPeakBytes: number;
  /** Live when the forward pass has ended. */
  readonly afterForwardBytes: number;
  /** Most of activations and of their own gradients, those of weights left out. */
  readonly activationPeakBytes: number;
  /** Gradients of everything that learns, when the backward pass has ended. */
  readonly gradientBytes: number;
}

/** What a training loop holds beside the model's own tensors; the same for every row of one script. */
export interface Loop {
  /** The model's output object is still there in the backward pass and in the step, and the logits with it. */
  readonly holdsOutputs: boolean;
  /** Keys and values that a model with `use_cache` left on copies into its cache, beside the ones autograd keeps. */
  readonly cacheBytes?: number;
}

export function wholeStep(
  step: Step,
  planOf: (layers: number) => Plan,
  setup: Partial<StatesSetup>,
  loop: Loop,
): WholeStep | string {
  const plan = planOf(step.layers);
  const { totals, problems } = totalsOf({
    step,
    setup: { ...oneDevice, ...setup },
    generation: 'turing',
    attention: 'fused',
  });
  if (totals === undefined) return problems.map(({ field }) => field).join(', ');
  const { moments } = totals.of(plan);
  const points = trace(step, plan);
  const cache = loop.cacheBytes ?? 0;
  const held = (loop.holdsOutputs ? (headProduct(step)?.outputs[0]?.storage.bytes ?? 0) : 0) + cache;
  const lastingBytes = moments[0]?.stateBytes ?? 0;
  let forwardPeakBytes = 0;
  let backwardPeakBytes = 0;
  let stepBytes = 0;
  moments.forEach((moment, at) => {
    const point = points[at];
    const passing = moment.totalBytes - lastingBytes;
    if (point === undefined) stepBytes = passing + held;
    else if (point.phase === 'forward') {
      const isHead = point.unit === step.units.length - 1;
      const inLoss = isHead ? headForwardPeak(step) - (step.units[point.unit]?.memory.forwardPeakBytes ?? 0) : 0;
      forwardPeakBytes = Math.max(forwardPeakBytes, passing + inLoss + cache);
    } else backwardPeakBytes = Math.max(backwardPeakBytes, passing + held);
  });
  return {
    lastingBytes,
    passingBytes: Math.max(forwardPeakBytes, backwardPeakBytes, stepBytes),
    backwardPeakBytes: Math.max(forwardPeakBytes, backwardPeakBytes),
    forwardPeakBytes,
    afterForwardBytes: simulate(step, plan).afterForwardBytes + held,
    activationPeakBytes: peakOf(simulate(step, plan)) + held,
    gradientBytes: moments.at(-1)?.gradientBytes ?? 0,
  };
}

/** The head's forward pass where its input and its logits are local variables of the model's `forward` during the loss. */
export function headForwardPeak(step: Step): number {
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
