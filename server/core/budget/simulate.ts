import { withPartRecomputed } from './coreRecompute.ts';
import type { Plan, Policy, Region, Treatment } from './plan.ts';
import { selectiveMemory } from './selective.ts';
import type { Step, StepUnit } from './step.ts';

/** One moment of a step: the run of one unit in one direction. Bytes of activations and their gradients. */
export interface TracePoint {
  readonly phase: 'forward' | 'replay' | 'backward';
  /** Index of the unit in the forward pass. */
  readonly unit: number;
  /** Live when the unit is through. */
  readonly liveBytes: number;
  /** Most live while it runs. */
  readonly peakBytes: number;
}

export interface StepTrace {
  readonly points: readonly TracePoint[];
  /** Live when the forward pass has ended. */
  readonly afterForwardBytes: number;
  /** Most live while head and loss run forward and backward. */
  readonly lossPeakBytes: number;
  /** Most live while everything else runs. */
  readonly segmentPeakBytes: number;
  /** Work done a second time, in FLOPs. */
  readonly recomputedFlops: number;
}

export const tracePeakBytes = (trace: StepTrace): number => Math.max(trace.lossPeakBytes, trace.segmentPeakBytes);

/**
 * Runs one training step under a plan: the units forward, head and loss (the loss phase), then back through the units.
 * Lasting gradients of weights and the optimizer's states are not in here. Expects a plan over exactly the step's layers.
 */
export function simulate(step: Step, plan: Plan): StepTrace {
  const points: TracePoint[] = [];
  const spans = regionSpans(step, plan);
  const checkpoints = spans.some(({ treatment }) => treatment.kind === 'checkpoint');
  const start = step.resultBytes + (checkpoints ? step.argumentBytes : step.sharedBytes);
  const behind = step.waitingBytes + step.sharedGradientBytes;
  const isHead = (span: Span): boolean => span.first >= step.firstHeadUnit;
  let live = start;
  const lives: number[] = [];
  let recomputedFlops = 0;
  const inputs = spans.map((span, at) => inputBytes(span, spans[at - 1]));
  for (const [at, span] of spans.entries()) {
    lives.push(live);
    for (const point of forwardPoints(span, live, inputs[at] ?? 0)) {
      points.push(point);
      live = point.liveBytes;
    }
    recomputedFlops += recomputed(span);
  }
  const afterForwardBytes = live;
  for (let at = spans.length - 1; at >= 0; at--) {
    const span = spans[at];
    if (span === undefined) continue;
    const waiting = isHead(span) ? 0 : behind;
    const before = (lives[at] ?? 0) + waiting;
    points.push(...backwardPoints(span, before, inputs[at] ?? 0));
  }
  const end = step.resultBytes + 3 * step.waitingBytes;
  const isLoss = ({ unit }: TracePoint): boolean => unit >= step.firstHeadUnit;
  return {
    points,
    afterForwardBytes,
    lossPeakBytes: most(points.filter(isLoss)),
    segmentPeakBytes: Math.max(end, most(points.filter((point) => !isLoss(point)))),
    recomputedFlops,
  };
}

const most = (points: readonly TracePoint[]): number =>
  points.reduce((peak, { peakBytes }) => Math.max(peak, peakBytes), 0);

/** Consecutive units that are treated as one: a region of layers, or a single unit outside the layers. */
interface Span {
  readonly first: number;
  readonly units: readonly StepUnit[];
  readonly treatment: Treatment;
}

function regionSpans(step: Step, plan: Plan): readonly Span[] {
  const spans: Span[] = [];
  const regions = plan.flatMap((region): Region[] =>
    region.treatment.kind === 'checkpoint'
      ? [region]
      : Array.from({ length: region.layers }, () => ({ ...region, layers: 1 })),
  );
  let next = 0;
  let left = 0;
  for (let at = 0; at < step.units.length; ) {
    const unit = step.units[at];
    if (unit === undefined) break;
    if (!unit.isLayer) {
      spans.push(spanOf(at, [unit], undefined));
      at++;
      continue;
    }
    const region = regions[next];
    left = left > 0 ? left : (region?.layers ?? 1);
    // A region cannot reach over a unit that is not a layer; what is left of it goes on behind.
    const units: StepUnit[] = [];
    while (units.length < left && step.units[at + units.length]?.isLayer === true) {
      const member = step.units[at + units.length];
      if (member !== undefined) units.push(member);
    }
    spans.push(spanOf(at, units, region));
    at += units.length;
    left -= units.length;
    if (left <= 0) next++;
  }
  return spans;
}

function forwardPoints({ first, units, treatment }: Span, before: number, input: number): readonly TracePoint[] {
  if (treatment.kind !== 'checkpoint') {
    return units.map((unit, at) => {
      const memory = treatment.kind === 'part' ? withPartRecomputed(unit.memory, treatment.part) : unit.memory;
      const live = before + memory.keptBytes - (unit.handsOverKept ? unit.memory.outputBytes : 0);
      return { phase: 'forward', unit: first + at, liveBytes: live, peakBytes: before + memory.forwardPeakBytes };
    });
  }
  let live = before + (treatment.offloaded ? 0 : input);
  return units.map(({ memory }, at) => {
    const policy = treatment.policy && selectiveMemory(memory, treatment.policy);
    const peak = live + (at === 0 && treatment.offloaded ? memory.inputBytes : 0);
    const point: TracePoint = {
      phase: 'forward',
      unit: first + at,
      liveBytes: live + (policy?.savedBytes ?? 0),
      peakBytes: peak + (policy?.forwardPeakBytes ?? memory.transientPeakBytes),
    };
    live = point.liveBytes;
    return point;
  });
}

/** What a region keeps of its input: nothing where the unit before it has it in memory already, as its own result. */
function inputBytes({ units }: Span, before: Span | undefined): number {
  const memory = before?.units.at(-1)?.memory;
  const treatment = before?.treatment;
  const isThere =
    memory !== undefined &&
    (treatment?.kind === 'checkpoint'
      ? treatment.policy !== undefined && selectiveMemory(memory, treatment.policy).savesOutput
      : memory.keepsOutput);
  return isThere ? 0 : (units[0]?.memory.inputBytes ?? 0);
}

function backwardPoints({ first, units, treatment }: Span, before: number, input: number): readonly TracePoint[] {
  if (treatment.kind !== 'checkpoint') {
    return units.map((unit, at) => {
      const memory = treatment.kind === 'part' ? withPartRecomputed(unit.memory, treatment.part) : unit.memory;
      return { phase: 'backward', unit: first + at, liveBytes: before, peakBytes: before + memory.backwardPeakBytes };
    });
  }
  return checkpointPoints(units, first, before, input, treatment);
}

/** A region runs again as a whole, keeping all its layers keep, and is then gone through backward. */
function checkpointPoints(
  units: readonly StepUnit[],
  first: number,
  before: number,
  input: number,
  { reentrant, policy }: { readonly reentrant: boolean; readonly policy?: Policy },
): readonly TracePoint[] {
  const policies = units.map(({ memory }) => policy && selectiveMemory(memory, policy));
  const gradient = units.at(-1)?.memory.gradientBytes ?? 0;
  const result = units.at(-1)?.memory.outputBytes ?? 0;
  // The region's own input is stored already; its first layer would only keep it once more.
  let own = units[0]?.memory.keepsInput === true ? (units[0]?.memory.inputBytes ?? 0) : 0;
  let live = before + input;
  let saved = policies.reduce((sum, each) => sum + (each?.savedBytes ?? 0), 0);
  const points: TracePoint[] = [];
  const starts: number[] = [];
  units.forEach((unit, at) => {
    const { memory } = unit;
    const chosen = policies[at];
    saved -= chosen?.savedBytes ?? 0;
    starts.push(live + saved - own);
    const whole = at < units.length - 1 || reentrant;
    const replay = chosen?.replayPeakBytes ?? (whole ? memory.forwardPeakBytes : memory.replayPeakBytes);
    const peak = live + saved - own + replay + gradient;
    live += memory.keptBytes - own - (unit.handsOverKept && at < units.length - 1 ? memory.outputBytes : 0);
    own = 0;
    points.push({ phase: 'replay', unit: first + at, liveBytes: live + saved, peakBytes: peak });
  });
  for (let at = units.length - 1; at >= 0; at--) {
    const start = starts[at] ?? before;
    const liveBytes = at === 0 ? before : start;
    const memory = units[at]?.memory;
    const isLast = at === units.length - 1;
    // The reentrant variant holds on to the replay's result and to the gradient that came in, until it is through.
    const backward = reentrant
      ? result +
        (isLast ? (memory?.backwardPeakHoldingGradientBytes ?? 0) : (memory?.backwardPeakBytes ?? 0) + gradient)
      : (memory?.backwardPeakBytes ?? 0);
    points.push({ phase: 'backward', unit: first + at, liveBytes, peakBytes: start + backward });
  }
  return points;
}

function recomputed({ units, treatment }: Span): number {
  if (treatment.kind === 'plain') return 0;
  return units.reduce((sum, { memory }, at) => {
    if (treatment.kind === 'part') return sum + withPartRecomputed(memory, treatment.part).recomputedFlops;
    if (treatment.policy !== undefined) return sum + selectiveMemory(memory, treatment.policy).recomputedFlops;
    const stopsEarly = !treatment.reentrant && at === units.length - 1;
    return sum + (stopsEarly ? memory.replayFlops : memory.flops);
  }, 0);
}

/** Where no gradient flows (frozen layers before the first one that learns) a checkpoint keeps nothing and never replays. */
function spanOf(first: number, units: readonly StepUnit[], region: Region | undefined): Span {
  const flows = units.at(-1)?.memory.piece.output.requiresGradient === true;
  return { first, units, treatment: region !== undefined && flows ? region.treatment : { kind: 'plain' } };
}
