/** What a section of the bench is told: folders of the one who measures, where they gave any. */
export interface BenchOptions {
  /** A folder with Python files, such as torch's own sources; generated training code where absent. */
  readonly workspace: string | undefined;
  /** How often the memory section edits. */
  readonly edits: number;
}

/** One number with the bar it is held to. */
export interface Figure {
  readonly what: string;
  readonly value: number;
  readonly unit: string;
  readonly atMost: number;
}

export interface Times {
  readonly median: number;
  readonly p95: number;
}

export function summary(times: readonly number[]): Times {
  const sorted = [...times].sort((a, b) => a - b);
  const at = (share: number): number => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
  return { median: at(0.5), p95: at(0.95) };
}

/** Times of work that has been done before: what is cold costs more, and that is measured by itself. */
export function repeated(runs: number, work: () => unknown): Times {
  for (let warmUp = 0; warmUp < 5; warmUp++) work();
  return summary(Array.from({ length: runs }, () => timed(work)));
}

function timed(work: () => unknown): number {
  const started = performance.now();
  work();
  return performance.now() - started;
}

/** `keystroke → findings   median 4.1 ms   p95 9.0 ms`, with a ratio to something else of the same run where one is given. */
export function printTimes(what: string, { median, p95 }: Times, ratio = ''): void {
  console.log(`  ${what.padEnd(46)}median ${inMilliseconds(median)}   p95 ${inMilliseconds(p95)}   ${ratio}`.trimEnd());
}

const inMilliseconds = (milliseconds: number): string => `${milliseconds.toFixed(1).padStart(7)} ms`;

export function printFigure({ what, value, unit, atMost }: Figure): void {
  const shown = `${value.toFixed(unit === 'ms' ? 1 : 0)} ${unit}`;
  console.log(`  ${what.padEnd(62)}${shown.padStart(11)}   ≤ ${`${atMost} ${unit}`.padEnd(8)} ${holds(value, atMost)}`);
}

const holds = (value: number, atMost: number): string => (value <= atMost ? 'yes' : 'NO');
