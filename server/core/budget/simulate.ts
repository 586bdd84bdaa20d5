import type { Plan } from './plan.ts';
import { recomputedFlops, type Span, spansOf, visitBackward, visitForward } from './spans.ts';
import type { SharedBytes, Step } from './step.ts';

/** One moment of a step: the run of one unit in one direction. Bytes of activations and their gradients. */
export interface TracePoint {
  readonly phase: Phase;
  /** Index of the unit in the forward pass. */
  readonly unit: number;
  /** Live when the unit is through. */
  readonly liveBytes: number;
  /** Most live while it runs. */
  readonly peakBytes: number;
}

export type Phase = 'forward' | 'replay' | 'backward';

export interface StepPeaks {
  /** Live when the forward pass has ended. */
  readonly afterForwardBytes: number;
  /** Most live while head and loss run forward and backward. */
  readonly lossPeakBytes: number;
  /** Most live while everything else runs. */
  readonly segmentPeakBytes: number;
  /** Work done a second time, in FLOPs. */
  readonly recomputedFlops: number;
}

export const peakOf = (peaks: StepPeaks): number => Math.max(peaks.lossPeakBytes, peaks.segmentPeakBytes);

export type Visit = (phase: Phase, unit: number, liveBytes: number, peakBytes: number) => void;

/**
 * Runs one training step under a plan: the units forward, head and loss (the loss phase), then back through the units.
 * Lasting gradients of weights and the optimizer's states are not in here. Expects a plan over exactly the step's layers.
 */
export function simulate(step: Step, plan: Plan, visit: Visit = () => undefined): StepPeaks {
  let lossPeakBytes = 0;
  let segmentPeakBytes = 0;
  // At the very end a tied embedding's own gradient meets the head's, and autograd adds them up into a third tensor.
  const sumBytes = step.resultBytes + 3 * step.waitingBytes;
  const spans = spansOf(step, plan);
  const holdsArguments = spans.some(({ treatment }: Span) => treatment.kind === 'checkpoint');
  const sharedBytes = (unit: number, goesBack: boolean): number => {
    const shared = step.units[unit]?.shared ?? nothingShared;
    return (holdsArguments ? shared.arguments : shared.kept) + (goesBack ? shared.gradients : 0);
  };
  const see: Visit = (phase, unit, liveOfUnits, peakOfUnit) => {
    const shared = sharedBytes(unit, phase !== 'forward');
    const liveBytes = liveOfUnits + shared;
    const isLast = phase === 'backward' && unit === 0;
    const peakBytes = isLast ? Math.max(peakOfUnit + shared, sumBytes) : peakOfUnit + shared;
    if (unit >= step.firstHeadUnit) lossPeakBytes = Math.max(lossPeakBytes, peakBytes);
    else segmentPeakBytes = Math.max(segmentPeakBytes, peakBytes);
    visit(phase, unit, liveBytes, peakBytes);
  };
  let live = step.resultBytes;
  const lives: number[] = [];
  for (const span of spans) {
    lives.push(live);
    live = visitForward(span, live, see);
  }
  for (let at = spans.length - 1; at >= 0; at--) {
    const span = spans[at];
    if (span === undefined) continue;
    const waiting = span.first >= step.firstHeadUnit ? 0 : step.waitingBytes;
    visitBackward(span, (lives[at] ?? 0) + waiting, see);
  }
  return {
    afterForwardBytes: live + sharedBytes(step.units.length - 1, false),
    lossPeakBytes,
    segmentPeakBytes,
    recomputedFlops: spans.reduce((sum, span) => sum + recomputedFlops(span), 0),
  };
}

const nothingShared: SharedBytes = { kept: 0, arguments: 0, gradients: 0 };

/** The whole timeline of a step. */
export function trace(step: Step, plan: Plan): readonly TracePoint[] {
  const points: TracePoint[] = [];
  simulate(step, plan, (phase, unit, liveBytes, peakBytes) => points.push({ phase, unit, liveBytes, peakBytes }));
  return points;
}
