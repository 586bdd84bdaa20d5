import type { ByteUnits } from '../../server/core/report/quantities.ts';
import type { Moment } from '../../server/core/total/totalMemory.ts';
import { byteTicks } from './byteTicks.ts';
import type { CurveSize } from './curve.ts';

/** The memory of one strategy over a step. */
export interface TimelineSeries {
  readonly key: string;
  readonly moments: readonly Moment[];
}

export type TimelinePhase = 'forward' | 'loss' | 'backward' | 'step';

export interface Timeline {
  readonly plot: { readonly left: number; readonly right: number; readonly top: number; readonly bottom: number };
  readonly lines: readonly TimelineLine[];
  readonly phases: readonly { readonly phase: TimelinePhase; readonly from: number; readonly to: number }[];
  readonly ticks: readonly { readonly bytes: number; readonly at: number }[];
  /** Where the device ends; undefined where none is chosen or it is far above. */
  readonly limitY: number | undefined;
}

export interface TimelineLine {
  readonly key: string;
  /** SVG path data: one stair for each moment. */
  readonly path: string;
  /** The same closed down to the axis. */
  readonly area: string;
  readonly peak: { readonly x: number; readonly y: number; readonly moment: Moment };
}

const margin = { left: 50, right: 6, top: 8, bottom: 18 } as const;

/**
 * Shares of the width. A backward pass is about two forward passes; loss and step get room enough to be seen. Within a phase
 * moments are equally wide: the axis is order, not seconds.
 */
const widths: Readonly<Record<TimelinePhase, number>> = { forward: 0.28, loss: 0.12, backward: 0.5, step: 0.1 };
const phases = Object.keys(widths) as readonly TimelinePhase[];

export function layoutTimeline(
  series: readonly TimelineSeries[],
  limitBytes: number | undefined,
  size: CurveSize,
  units: ByteUnits,
): Timeline {
  const left = margin.left;
  const right = Math.max(left + 1, size.width - margin.right);
  const top = margin.top;
  const bottom = Math.max(top + 1, size.height - margin.bottom);
  const most = Math.max(1, ...series.flatMap(({ moments }) => moments.map(({ totalBytes }) => totalBytes)));
  // A device that is much larger would press the curves flat.
  const limit = limitBytes !== undefined && limitBytes <= most * 1.6 ? limitBytes : undefined;
  const highest = Math.max(most, limit ?? 0) * 1.04;
  const y = (bytes: number): number => bottom - (bytes / highest) * (bottom - top);
  const spans = phaseSpans(left, right);
  const slots = Math.max(1, Math.floor(right - left));
  return {
    plot: { left, right, top, bottom },
    lines: series.filter(({ moments }) => moments.length > 0).map((each) => line(each, spans, slots, y, bottom)),
    phases: spans,
    ticks: byteTicks(highest, units).map((bytes) => ({ bytes, at: y(bytes) })),
    limitY: limit === undefined ? undefined : y(limit),
  };
}

type Spans = Timeline['phases'];

function phaseSpans(left: number, right: number): Spans {
  let share = 0;
  return phases.map((phase) => {
    const from = left + share * (right - left);
    share += widths[phase];
    return { phase, from, to: left + share * (right - left) };
  });
}

function line(
  { key, moments }: TimelineSeries,
  spans: Spans,
  slots: number,
  y: (bytes: number) => number,
  bottom: number,
): TimelineLine {
  const stairs = spans.flatMap(({ phase, from, to }) => {
    const mine = thinned(
      moments.filter((each) => phaseOf(each) === phase),
      slots,
    );
    const step = (to - from) / Math.max(1, mine.length);
    return mine.map((moment, at) => ({ moment, from: from + at * step, to: from + (at + 1) * step }));
  });
  const points = stairs.map(({ moment, from, to }) => `${round(from)} ${round(y(moment.totalBytes))}H${round(to)}`);
  const path = points.length === 0 ? '' : `M${points.join('L')}`;
  const highest = stairs.reduce((best, each) => (each.moment.totalBytes > best.moment.totalBytes ? each : best));
  const first = stairs[0]?.from ?? 0;
  return {
    key,
    path,
    area: `${path}V${round(bottom)}H${round(first)}Z`,
    peak: {
      x: (highest.from + highest.to) / 2,
      y: y(highest.moment.totalBytes),
      moment: highest.moment,
    },
  };
}

const phaseOf = ({ phase }: Moment): TimelinePhase => (phase === 'replay' ? 'backward' : phase);

/** No more moments than pixels, each the highest of those it stands for. */
function thinned(moments: readonly Moment[], most: number): readonly Moment[] {
  if (moments.length <= most) return moments;
  const each = moments.length / most;
  return Array.from({ length: most }, (_, at) =>
    moments
      .slice(Math.floor(at * each), Math.max(Math.floor(at * each) + 1, Math.floor((at + 1) * each)))
      .reduce((highest, moment) => (moment.totalBytes > highest.totalBytes ? moment : highest)),
  );
}

const round = (value: number): number => Math.round(value * 10) / 10;
