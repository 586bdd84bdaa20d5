import type { ByteUnits } from '../../server/core/report/quantities.ts';
import { byteTicks } from './byteTicks.ts';
import type { CurveSize } from './curve.ts';

/** Memory in bytes against the share of a step that is done again. */
export interface Trade {
  readonly totalBytes: number;
  readonly extraStep: number;
}

export interface Pareto {
  readonly plot: { readonly left: number; readonly right: number; readonly top: number; readonly bottom: number };
  /** The front as stairs: between two plans the one with more memory is what there is. SVG path data. */
  readonly path: string;
  readonly points: readonly Dot[];
  readonly marks: readonly (Dot & { readonly key: string })[];
  readonly xTicks: readonly { readonly share: number; readonly at: number }[];
  readonly yTicks: readonly { readonly bytes: number; readonly at: number }[];
  readonly limitY: number | undefined;
}

export interface Dot {
  readonly x: number;
  readonly y: number;
}

const margin = { left: 50, right: 12, top: 8, bottom: 20 } as const;

/** `front` from no recomputation on; `marks` are drawn by their keys, wherever they lie. */
export function layoutPareto(
  front: readonly Trade[],
  marks: readonly (Trade & { readonly key: string })[],
  limitBytes: number | undefined,
  size: CurveSize,
  units: ByteUnits,
): Pareto {
  const left = margin.left;
  const right = Math.max(left + 1, size.width - margin.right);
  const top = margin.top;
  const bottom = Math.max(top + 1, size.height - margin.bottom);
  const all = [...front, ...marks];
  const most = Math.max(1, ...all.map(({ totalBytes }) => totalBytes));
  const limit = limitBytes !== undefined && limitBytes <= most * 1.6 ? limitBytes : undefined;
  const highest = Math.max(most, limit ?? 0) * 1.04;
  const widest = Math.max(0.05, ...all.map(({ extraStep }) => extraStep)) * 1.05;
  const dot = ({ totalBytes, extraStep }: Trade): Dot => ({
    x: left + (extraStep / widest) * (right - left),
    y: bottom - (totalBytes / highest) * (bottom - top),
  });
  const points = front.map(dot);
  return {
    plot: { left, right, top, bottom },
    path: points.map(({ x, y }, at) => (at === 0 ? `M${round(x)} ${round(y)}` : `H${round(x)}V${round(y)}`)).join(''),
    points,
    marks: marks.map((mark) => ({ key: mark.key, ...dot(mark) })),
    xTicks: shareTicks(widest, right - left).map((share) => ({
      share,
      at: dot({ totalBytes: 0, extraStep: share }).x,
    })),
    yTicks: byteTicks(highest, units).map((bytes) => ({ bytes, at: dot({ totalBytes: bytes, extraStep: 0 }).y })),
    limitY: limit === undefined ? undefined : dot({ totalBytes: limit, extraStep: 0 }).y,
  };
}

/** Round shares from none on, as many as have room: `+10.0 %` and a gap. */
function shareTicks(widest: number, width: number): readonly number[] {
  const fitting = Math.min(5, Math.max(1, Math.floor(width / 52)));
  const step = [0.01, 0.02, 0.05, 0.1, 0.2, 0.5].find((each) => widest / each <= fitting) ?? 1;
  return Array.from({ length: Math.floor(widest / step + 1e-9) + 1 }, (_, at) => at * step);
}

const round = (value: number): number => Math.round(value * 10) / 10;
