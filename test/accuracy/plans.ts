import {
  everyNth,
  noCheckpoints,
  type Plan,
  type Policy,
  partRecomputed,
  segmentsOf,
  sequential,
  type Treatment,
} from '../../server/core/budget/plan.ts';
import type { OperationName } from '../../server/core/graph/operations.ts';

/** How a row says what was checkpointed. */
export interface PlanRow {
  readonly plan: string;
  readonly segment?: number;
  readonly reentrant?: boolean;
  readonly earlyStop?: boolean;
  /** Operations whose results a selective checkpoint saves, under the names of aten. */
  readonly saved?: readonly string[];
  readonly savesEverything?: boolean;
}

/** The product's plan for a row, or why it has none. */
export function planOf(row: PlanRow, layers: number): Plan | string {
  if (row.earlyStop === false) return 'early stop turned off';
  const treatment: Treatment = { kind: 'checkpoint', reentrant: row.reentrant === true, offloaded: false };
  const segment = row.segment ?? 1;
  if (row.plan === 'none') return noCheckpoints(layers);
  if (row.plan === 'all') return segmentsOf(layers, segment, treatment);
  if (row.plan === 'skip_last') return withoutLast(segmentsOf(layers, segment, treatment));
  if (row.plan === 'sequential') return sequential(layers, Math.ceil(layers / segment), treatment);
  if (row.plan === 'everyN') return everyNth(layers, segment, treatment);
  if (row.plan === 'core') return partRecomputed(layers, 'attention-scores');
  if (row.plan === 'policy') return segmentsOf(layers, 1, { ...treatment, policy: policyOf(row) } as Treatment);
  return `plan ${row.plan}`;
}

const withoutLast = (plan: Plan): Plan =>
  plan.map((region, at) => (at === plan.length - 1 ? { ...region, treatment: { kind: 'plain' } } : region));

/** aten's names for the operations of a layer's graph. */
const operationNames: Readonly<Record<string, readonly OperationName[]>> = {
  mm: ['linear'],
  addmm: ['linear'],
  bmm: ['batchedProduct'],
  softmax: ['softmax'],
  gelu: ['gelu'],
  flash: ['flashAttention'],
};

function policyOf({ saved = [], savesEverything = false }: PlanRow): Policy {
  const names = new Set(saved.flatMap((name) => operationNames[name] ?? []));
  const everySecond = saved.includes('every other mm');
  return {
    name: savesEverything ? 'everything' : saved.join(','),
    saves: ({ name }, index) =>
      savesEverything || names.has(name) || (everySecond && name === 'linear' && index % 2 === 0),
  };
}
