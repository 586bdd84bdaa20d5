import type { Plan } from '../budget/plan.ts';
import { type TracePoint, trace } from '../budget/simulate.ts';
import type { Step } from '../budget/step.ts';
import type { Phase, StateGroup } from '../states/parts.ts';
import type { Moment, TotalMemory } from './totalMemory.ts';

/** One stretch of the bar that shows everything a device holds at the peak. The parts add up to `range.expected`. */
export interface PeakPart {
  readonly key: StateGroup | 'stored' | 'running' | 'head' | 'allowance';
  readonly label: string;
  readonly bytes: number;
  /** Checkpointing works on this part. */
  readonly isLowered: boolean;
  /** What it is made of. */
  readonly lines: readonly PeakLine[];
}

export interface PeakLine {
  readonly label: string;
  readonly bytes: number;
  /** The computation in words. */
  readonly formula: string;
  readonly source: string;
  /** Where a formula gives no one figure. */
  readonly low?: number;
  readonly high?: number;
}

/** The peak of `total` under `plan`, which runs on `stage`, from what stays to what passes; empty parts are left out. */
export function peakParts(stage: Step, plan: Plan, total: TotalMemory): readonly PeakPart[] {
  const points = trace(stage, plan);
  const at = total.moments.indexOf(total.peak);
  const point = points[at];
  const phase = point === undefined ? 'step' : point.phase === 'forward' ? 'forward' : 'backward';
  const beside = waitingBeside(stage, points, at);
  return [
    ...stateParts(total, phase),
    ...(point === undefined ? [] : activationParts(total.peak, Math.max(0, point.peakBytes - beside))),
    allowancePart(total),
  ].filter(({ bytes }) => bytes > 0);
}

const groupLabels: Readonly<Record<StateGroup, string>> = {
  parameters: 'Parameters',
  gradients: 'Gradients',
  optimizer: 'Optimizer states',
  communication: 'Communication buffers',
};

function stateParts({ peak, states }: TotalMemory, phase: Phase): readonly PeakPart[] {
  const onDevice = states.filter(({ place }) => place === 'device' || place === 'paged');
  return (Object.keys(groupLabels) as StateGroup[]).map((group): PeakPart => {
    const lines = onDevice.filter(
      (part) => part.group === group && (group === 'gradients' || part.live.includes(phase)),
    );
    const bytes = group === 'gradients' ? peak.gradientBytes : sum(lines);
    return {
      key: group,
      label: groupLabels[group],
      bytes,
      isLowered: false,
      lines: group === 'gradients' && bytes !== sum(lines) ? gradientsSoFar(bytes, lines) : lines,
    };
  });
}

/** The backward pass is still under way at the peak, so not all gradients are there. */
function gradientsSoFar(bytes: number, lines: readonly PeakLine[]): readonly PeakLine[] {
  const [first] = lines;
  if (first === undefined) return [];
  const formula = `${first.formula}, of the layers that the backward pass has been through`;
  return [{ label: 'Gradients there by then', bytes, formula, source: first.source }];
}

const account = 'what autograd keeps, op by op, from torch’s derivative definitions';

function activationParts({ phase, activationBytes }: Moment, runningBytes: number): readonly PeakPart[] {
  const runs = Math.min(activationBytes, runningBytes);
  const part = (key: PeakPart['key'], label: string, bytes: number, isLowered: boolean, formula: string): PeakPart => ({
    key,
    label,
    bytes,
    isLowered,
    lines: [{ label, bytes, formula, source: account }],
  });
  const stored = part(
    'stored',
    'Stored for the backward pass',
    activationBytes - runs,
    true,
    'kept from the forward pass by layers that the backward pass has still to reach',
  );
  if (phase === 'loss') {
    return [
      stored,
      part('head', 'Head and loss', runs, false, 'logits over the vocabulary, their copies and gradients'),
    ];
  }
  const doing = { forward: 'runs forward', replay: 'is run again', backward: 'runs backward', step: '' }[phase];
  return [
    stored,
    part('running', 'The layer that runs', runs, true, `kept, temporary and gradients of the layer that ${doing}`),
  ];
}

/** What is live beside the unit that runs at a point: what others stored. */
function waitingBeside(stage: Step, points: readonly TracePoint[], at: number): number {
  const point = points[at];
  if (point === undefined) return 0;
  if (point.unit >= stage.firstHeadUnit) {
    return points.findLast(({ phase, unit }) => phase === 'forward' && unit < stage.firstHeadUnit)?.liveBytes ?? 0;
  }
  return point.phase === 'backward' ? point.liveBytes : (points[at - 1]?.liveBytes ?? 0);
}

function allowancePart({ allowance }: TotalMemory): PeakPart {
  return {
    key: 'allowance',
    label: 'Allowance',
    bytes: allowance.reduce((total, { expected }) => total + expected, 0),
    isLowered: false,
    lines: allowance.map(({ label, expected, low, high, reason, source }) => ({
      label,
      bytes: expected,
      low,
      high,
      formula: reason,
      source,
    })),
  };
}

const sum = (lines: readonly { readonly bytes: number }[]): number =>
  lines.reduce((total, { bytes }) => total + bytes, 0);
