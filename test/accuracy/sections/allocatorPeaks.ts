import type { RunShape } from '../../../server/core/budget/account.ts';
import { type Comparison, notCoveredLines, type Section, worstBar } from '../comparison.ts';
import { metaRun, type Simulated, shapeOf, simulatedBare, stepOf } from '../engine.ts';
import { planOf } from '../plans.ts';
import { type FormulaRow, formulaRows } from './publishedFormulas.ts';

/** Peaks of a real allocator: bare blocks on the CPU, measured with torch 1.13 by the events of one forward and backward. */
export function allocatorPeaks(): Section {
  const comparisons = allocatorRows.map(compare);
  return {
    title: 'A real allocator on the CPU',
    comparisons,
    bars: [worstBar('peaks', comparisons, 0.02)],
    details: notCoveredLines(comparisons),
  };
}

export const allocatorRows: readonly FormulaRow[] = formulaRows.filter(({ kind }) => kind === 'allocator');

function compare(row: FormulaRow): Comparison {
  const result = simulatedRow(row);
  const base = { id: row.id, expected: row.expected, unit: row.unit };
  if (typeof result === 'string') return { ...base, ours: { notCovered: result } };
  // On the CPU the state of the random generator that a checkpoint keeps lies in the same allocator.
  return { ...base, ours: { value: result.peakBytes + checkpointCalls(row) * randomStateBytes } };
}

/** `torch.get_rng_state()` of the CPU's generator. */
const randomStateBytes = 5056;

interface Parts {
  readonly block: string;
  readonly batch: number;
  readonly sequence: number;
  readonly layers: number;
  readonly plan: string;
  readonly segment: number;
}

function partsOf({ id }: FormulaRow): Parts | undefined {
  const [, block = '', batch, sequence, layers, plan = '', segment] =
    /^peak-(\w+)-b(\d+)s(\d+)-L(\d+)-(\w+)-k(\d+)$/.exec(id) ?? [];
  if (batch === undefined) return undefined;
  return {
    block,
    batch: Number(batch),
    sequence: Number(sequence),
    layers: Number(layers),
    plan,
    segment: Number(segment),
  };
}

function checkpointCalls(row: FormulaRow): number {
  const parts = partsOf(row);
  return parts === undefined || parts.plan === 'none' ? 0 : Math.ceil(parts.layers / parts.segment);
}

function simulatedRow(row: FormulaRow): Simulated | string {
  const parts = partsOf(row);
  if (parts === undefined) return 'a row of another kind';
  const { block, batch, sequence, layers } = parts;
  // CUDA's kernel multiplies gradient, mask and scale at once.
  if (block === 'gpt') return "the CPU's backward of dropout, which makes one more tensor of its size";
  // The rows give a boundary's bytes, c = 2·b·s·h.
  const hidden = Number(row.args.c ?? boundaryOf(row)) / (2 * batch * sequence);
  const run: RunShape = { ...metaRun, batch, sequence, attention: block === 'sdpa_rep' ? 'efficient' : 'eager' };
  const shape = shapeOf({
    model_type: 'llama',
    hidden_size: hidden,
    num_attention_heads: 4,
    intermediate_size: 4 * hidden,
    num_hidden_layers: layers,
    vocab_size: 2,
  });
  const step = stepOf(shape, run);
  if (typeof step === 'string') return step;
  const plans: Readonly<Record<string, string>> = {
    none: 'none',
    full: 'all',
    full_reentrant: 'all',
    every_n: 'everyN',
  };
  const plan = planOf(
    { plan: plans[parts.plan] ?? parts.plan, segment: parts.segment, reentrant: parts.plan === 'full_reentrant' },
    layers,
  );
  return typeof plan === 'string' ? plan : simulatedBare(step, plan);
}

/** A row without checkpoints does not give its boundary; its neighbours of the same block do. */
const boundaryOf = ({ args }: FormulaRow): number =>
  allocatorRows.find((other) => other.args.A === args.A && other.args.c !== undefined)?.args.c ?? Number.NaN;
