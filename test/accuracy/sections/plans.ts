import { selectSaves } from '../../../server/core/planner/saveSelection.ts';
import rows from '../../goldens/published-plans.json';
import type { Comparison, Section } from '../comparison.ts';
import { notCoveredLines, worstBar } from '../comparison.ts';

interface PlanRow {
  readonly id: string;
  readonly expected: readonly number[];
  readonly config: unknown;
  readonly source: string;
}

interface Knapsack {
  readonly ops: readonly { readonly op: string; readonly ms: number; readonly bytes: number }[];
  readonly view_like: readonly number[];
  readonly rand_ops: readonly number[];
  /** Pairs of an in-place operation and the one whose result it changes; an operation with itself stands alone. */
  readonly inplace: readonly (readonly [number, number])[];
  /** As a share of all bytes. */
  readonly memory_budget: number;
}

/** PyTorch's own plans for one module under a memory budget: which results to save. */
export function publishedPlans(): Section {
  const comparisons = (rows as unknown as readonly PlanRow[]).map(compare);
  return {
    title: "PyTorch's plans under a memory budget",
    comparisons,
    bars: [worstBar('saves the same results', comparisons, 0)],
    details: notCoveredLines(comparisons),
  };
}

function compare({ id, expected, config }: PlanRow): Comparison {
  const row = { id, expected: expected.length, unit: 'results' };
  if (!isKnapsack(config)) return { ...row, ours: { notCovered: 'whole layers of a model that is not in the row' } };
  const saved = savedBy(config);
  return { ...row, ours: { value: expected.filter((save, at) => (save === 1) === saved[at]).length } };
}

/** Views are never saved; an in-place operation goes with the result it changes. */
function savedBy({ ops, view_like, inplace, memory_budget }: Knapsack): readonly boolean[] {
  const owner = (at: number): number => inplace.find(([operation]) => operation === at)?.[1] ?? at;
  const choices = ops.map((_, at) => {
    const members = ops.filter((_, other) => owner(other) === at && !view_like.includes(other));
    const sum = (of: 'ms' | 'bytes'): number => members.reduce((total, each) => total + each[of], 0);
    return owner(at) === at ? { bytes: sum('bytes'), cost: sum('ms') } : { bytes: 0, cost: 0 };
  });
  const all = ops.reduce((sum, { bytes }) => sum + bytes, 0);
  const chosen = selectSaves(choices, memory_budget * all);
  return ops.map((_, at) => !view_like.includes(at) && chosen[owner(at)] === true);
}

const isKnapsack = (config: unknown): config is Knapsack =>
  typeof config === 'object' && config !== null && 'ops' in config;
