/** Points of one account: `values[k - 1]` is its peak at segment length k, as a share of its own peak without checkpointing. */
export interface Series {
  readonly key: string;
  readonly values: readonly number[];
}

export interface CurveSize {
  readonly width: number;
  readonly height: number;
}

export interface CurvePoint {
  readonly segment: number;
  readonly value: number;
  readonly x: number;
  readonly y: number;
}

export interface CurveLine {
  readonly key: string;
  /** SVG path data. */
  readonly path: string;
  readonly current: CurvePoint;
  /** Smallest value; the smallest k where several tie. */
  readonly best: CurvePoint;
}

export interface Tick {
  readonly label: string;
  readonly at: number;
}

export interface Curve {
  readonly plot: { readonly left: number; readonly right: number; readonly top: number; readonly bottom: number };
  readonly lines: readonly CurveLine[];
  readonly xTicks: readonly Tick[];
  readonly yTicks: readonly Tick[];
  readonly currentX: number;
  /** The segment length under a horizontal position, for pointers. */
  readonly segmentAt: (x: number) => number;
}

const margin = { left: 38, right: 10, top: 8, bottom: 20 } as const;

/** Both accounts over k = 1 … L. The vertical axis starts at 0 and reaches the highest value, at least 100 %. */
export function layoutCurve(series: readonly Series[], current: number, size: CurveSize): Curve {
  const layers = Math.max(1, ...series.map(({ values }) => values.length));
  const highest = Math.max(1, ...series.flatMap(({ values }) => values));
  const left = margin.left;
  const right = Math.max(left + 1, size.width - margin.right);
  const top = margin.top;
  const bottom = Math.max(top + 1, size.height - margin.bottom);
  const x = (segment: number) =>
    layers === 1 ? (left + right) / 2 : left + ((segment - 1) / (layers - 1)) * (right - left);
  const y = (value: number) => bottom - (value / highest) * (bottom - top);
  const point = (segment: number, value: number): CurvePoint => ({ segment, value, x: x(segment), y: y(value) });
  return {
    plot: { left, right, top, bottom },
    lines: series
      .filter(({ values }) => values.length > 0)
      .map(({ key, values }) => {
        const points = values.map((value, index) => point(index + 1, value));
        return { key, path: path(points), current: at(points, current), best: lowest(points) };
      }),
    xTicks: segmentTicks(layers, right - left).map((segment) => ({ label: String(segment), at: x(segment) })),
    yTicks: [0, 0.5, 1].map((value) => ({ label: `${value * 100}\u202f%`, at: y(value) })),
    currentX: x(current),
    segmentAt: (position) => clamp(Math.round(1 + ((position - left) / (right - left)) * (layers - 1)), 1, layers),
  };
}

/** Segment lengths to write under the axis: 1, L and round steps between, as many as fit. */
export function segmentTicks(layers: number, width: number): readonly number[] {
  if (layers === 1) return [1];
  const fitting = Math.max(1, Math.floor(width / 36));
  const step =
    [1, 2, 4, 5, 8, 10, 16, 20, 25, 50, 100, 200, 500, 1000].find((each) => layers / each <= fitting) ?? layers;
  const ticks = [1];
  for (let segment = step; segment < layers; segment += step) if (segment > 1) ticks.push(segment);
  // A tick right beside the last one would run into it.
  const last = ticks.at(-1) ?? 1;
  if (last > 1 && layers - last < step / 2) ticks.pop();
  return [...ticks, layers];
}

const path = (points: readonly CurvePoint[]): string =>
  points.map(({ x, y }, index) => `${index === 0 ? 'M' : 'L'}${round(x)} ${round(y)}`).join('');

const lowest = (points: readonly CurvePoint[]): CurvePoint =>
  points.reduce((best, point) => (point.value < best.value ? point : best));

const at = (points: readonly CurvePoint[], segment: number): CurvePoint =>
  points[clamp(segment, 1, points.length) - 1] ?? lowest(points);

const round = (value: number): number => Math.round(value * 10) / 10;

const clamp = (value: number, low: number, high: number): number => Math.min(high, Math.max(low, value));
