import rows from '../../goldens/published-runs.json';
import { type Answer, type Comparison, meanBar, notCoveredLines, type Section, worstBar } from '../comparison.ts';
import { fitcheckAnswer } from '../measured/fitcheckRuns.ts';
import { mosaicAnswer } from '../measured/mosaicRuns.ts';
import { preflightAnswer } from '../measured/preflightRuns.ts';

export interface RunRow {
  readonly id: string;
  readonly expected: number;
  readonly unit: string;
  /** `measured` on hardware by others, or an `estimate` another tool printed. */
  readonly kind: string;
  readonly formula?: string;
  // biome-ignore lint/suspicious/noExplicitAny: every formula has its own arguments.
  readonly args?: any;
  readonly config?: unknown;
  readonly source: string;
  readonly note?: string;
}

export const runRows = rows as readonly RunRow[];

/** Runs others measured on hardware, through the same engine, with nothing fitted to a row. */
export function measuredRuns(): Section {
  const comparisons = runRows.filter(({ kind }) => kind === 'measured').map(compare);
  return {
    title: 'Measured on GPUs by others',
    comparisons,
    bars: [meanBar('all covered rows', comparisons, 0.025), worstBar('each covered row', comparisons, 0.08)],
    details: notCoveredLines(comparisons),
  };
}

const scale: Readonly<Record<string, number>> = { B: 1, MB: 1e6, GB: 1e9, MiB: 2 ** 20, GiB: 2 ** 30 };

function compare(row: RunRow): Comparison {
  const answer = runAnswer(row);
  return {
    id: row.id,
    expected: row.expected,
    unit: row.unit,
    ours: 'value' in answer ? { value: answer.value / (scale[row.unit] ?? 1) } : answer,
  };
}

export function runAnswer(row: RunRow): Answer {
  if (row.unit === 's' || row.unit === 'ms') return { notCovered: 'a time, not memory' };
  return (
    fitcheckAnswer(row.id, runRows) ?? preflightAnswer(row.id) ?? mosaicAnswer(row.id) ?? { notCovered: 'no adapter' }
  );
}
