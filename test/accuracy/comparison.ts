/** What our engine says about one row: a number, or why it has none. */
export type Answer = { readonly value: number } | { readonly notCovered: string };

/** One number that was measured or published, beside ours. */
export interface Comparison {
  readonly id: string;
  readonly expected: number;
  /** `B`, `MiB`, `GB`, `%`; a row is compared in its own unit. */
  readonly unit: string;
  readonly ours: Answer;
  /** How far the expected number itself may be off, as it is printed rounded; in its own unit. */
  readonly tolerance?: number;
  /** Why physically the two differ, where they do by more than the bar allows for one row. */
  readonly explanation?: string;
}

export interface Bar {
  readonly name: string;
  /** What was reached and what is asked, for people: `0.31 % (≤ 2.5 %)`. */
  readonly reached: string;
  readonly passed: boolean;
}

export interface Section {
  readonly title: string;
  readonly comparisons: readonly Comparison[];
  readonly bars: readonly Bar[];
  /** More lines for people, printed after the bars. */
  readonly details?: readonly string[];
}

/** A row of both sides: signed error of ours as a share of what is expected. */
export interface RowError {
  readonly id: string;
  readonly share: number;
}

/** The rows that have an answer of ours, with their errors, largest first. */
export const errorsOf = (comparisons: readonly Comparison[]): readonly RowError[] =>
  comparisons
    .flatMap((row) => ('value' in row.ours ? [{ id: row.id, share: errorShare(row, row.ours.value) }] : []))
    .sort((a, b) => Math.abs(b.share) - Math.abs(a.share));

export function errorShare({ expected, tolerance = 0 }: Comparison, ours: number): number {
  if (Math.abs(ours - expected) <= tolerance) return 0;
  return expected === 0 ? Number.POSITIVE_INFINITY : ours / expected - 1;
}

export const meanError = (errors: readonly RowError[]): number =>
  errors.length === 0 ? 0 : errors.reduce((sum, { share }) => sum + Math.abs(share), 0) / errors.length;

/** Every covered row within `limit`; 0 asks for equality. A bar over no row at all is missed: nothing was shown. */
export function worstBar(name: string, comparisons: readonly Comparison[], limit: number): Bar {
  const errors = errorsOf(comparisons);
  const worst = errors[0];
  const within = errors.filter(({ share }) => Math.abs(share) <= limit).length;
  const asked = limit === 0 ? 'equal' : `within ${percent(limit)}`;
  const worstText =
    worst === undefined || worst.share === 0 ? '' : `; worst ${signedPercent(worst.share)}: ${worst.id}`;
  return {
    name,
    reached: `${within} of ${errors.length} rows ${asked}${limit === 0 && within === errors.length ? '' : worstText}`,
    passed: errors.length > 0 && within === errors.length,
  };
}

export function meanBar(name: string, comparisons: readonly Comparison[], limit: number): Bar {
  const errors = errorsOf(comparisons);
  const mean = meanError(errors);
  return {
    name,
    reached: `mean error ${percent(mean)} over ${errors.length} rows (at most ${percent(limit)})`,
    passed: errors.length > 0 && mean <= limit,
  };
}

/** Rows without an answer, by the reason, as lines for people. */
export function notCoveredLines(comparisons: readonly Comparison[]): readonly string[] {
  const byReason = new Map<string, string[]>();
  for (const { id, ours } of comparisons) {
    if ('value' in ours) continue;
    byReason.set(ours.notCovered, [...(byReason.get(ours.notCovered) ?? []), id]);
  }
  return [...byReason].map(([reason, ids]) => `${ids.length} not covered: ${reason} (${shortList(ids)})`);
}

export const percent = (share: number): string => `${(100 * share).toFixed(Math.abs(share) < 0.001 ? 3 : 2)} %`;
export const signedPercent = (share: number): string => `${share < 0 ? '−' : '+'}${percent(Math.abs(share))}`;

const shortList = (ids: readonly string[]): string =>
  ids.length <= 4 ? ids.join('; ') : `${ids.slice(0, 3).join('; ')}; …`;
