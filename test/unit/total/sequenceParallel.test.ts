import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { RunShape } from '../../../server/core/budget/account.ts';
import { noCheckpoints, partRecomputed, segmentsOf } from '../../../server/core/budget/plan.ts';
import { savesProductsAndAttention } from '../../../server/core/budget/policies.ts';
import { trainingStep } from '../../../server/core/budget/pytorch.ts';
import { selectiveMemory } from '../../../server/core/budget/selective.ts';
import { simulate } from '../../../server/core/budget/simulate.ts';
import { readHfConfig } from '../../../server/core/families/hfConfig.ts';
import { rankShape } from '../../../server/core/total/rankShape.ts';
import { sequenceParallelStep } from '../../../server/core/total/sequenceParallel.ts';
import rows from '../../goldens/published-parallel-activations.json';
import { unitBytes } from '../states/examples.ts';

interface Sizes {
  readonly L?: number;
  readonly b?: number;
  readonly s: number;
  readonly h: number;
  readonly a: number;
  readonly t?: number;
  readonly cp?: number;
  readonly sp?: boolean;
  readonly mode?: string;
}

const layers = 4;
const plans: Readonly<Record<string, ReturnType<typeof noCheckpoints>>> = {
  none: noCheckpoints(layers),
  full: segmentsOf(layers, 1),
  selective: partRecomputed(layers, 'attention-scores'),
};

/** The literature's block: gelu as one operation, dropout, attention written out. */
function rankStep({ b = 1, s, h, a, t = 1, cp = 1, sp = false }: Sizes) {
  const { shape } = readHfConfig({
    model_type: 'gpt2',
    n_embd: h,
    n_head: a,
    n_layer: layers,
    n_positions: 1_000_000,
    vocab_size: 1,
    activation_function: 'gelu',
  });
  const whole: RunShape = {
    batch: b,
    sequence: s,
    dataType: 'bf16',
    autocast: false,
    attention: 'eager',
    dropout: 0.1,
    kernels: 'meta',
  };
  const { model, run } = rankShape(shape!, whole, { tensorParallel: t, contextParallel: cp });
  const step = trainingStep(model, run)!;
  return sp ? sequenceParallelStep(step, t) : step;
}

/** What one more layer adds to what is live when the forward pass has ended. */
function layerBytes(sizes: Sizes): number {
  const step = rankStep(sizes);
  const after = (count: number): number => {
    const fewer = { ...step, units: step.units.filter(({ isLayer }, at) => !isLayer || at <= count), layers: count };
    const plan = plans[sizes.mode ?? 'none']!;
    return simulate({ ...fewer, firstHeadUnit: count + 1 }, plan.slice(0, count)).afterForwardBytes;
  };
  return after(3) - after(2);
}

for (const row of rows) {
  test(`a rank’s layer is what Korthikanti et al. give: ${row.id}`, () => {
    const args = row.args as Sizes;
    const layer = layerBytes(args);
    let got = layer / (unitBytes[row.unit] ?? 1);
    if (row.formula === 'kort_total') got *= args.L ?? 1;
    if (row.formula === 'kort_percent') got = (100 * layer) / layerBytes({ ...args, mode: 'none', sp: false });
    // The formulas leave out the norms' means and deviations, 16 bytes a token; percentages are printed with one decimal.
    const allowed = row.formula === 'kort_percent' ? 0.06 : 0.0005 * row.expected;
    assert.ok(Math.abs(got - row.expected) <= allowed, `${got} instead of ${row.expected}`);
  });
}

test('what a policy saves is cut like what the layer keeps', () => {
  const saved = (sp: boolean): number => {
    const { memory } = rankStep({ s: 1024, h: 1024, a: 16, t: 8, sp }).units[2]!;
    return selectiveMemory(memory, savesProductsAndAttention).savedBytes;
  };
  // Two linears are cut by their inputs; their results, 2sh bytes each, are the stream's.
  assert.equal(saved(false) - saved(true), (2 * 2 * 1024 * 1024 * 7) / 8);
});

test('a column-cut linear keeps its piece and reads a gathered copy', () => {
  const [, , unit] = rankStep({ s: 1024, h: 1024, a: 16, t: 8, sp: true }).units;
  const { operations } = unit!.memory.piece.graph;
  const gathered = operations.filter(
    ({ name, outputs }) => name === 'copy' && outputs[0]!.storage.bytes === 2 * 1024 ** 2,
  );
  assert.equal(gathered.length, 2, 'before the queries, keys and values, and before the MLP');
  const kept = new Set(operations.flatMap((operation) => operation.kept.map(({ storage }) => storage)));
  assert.ok(gathered.every(({ outputs }) => !kept.has(outputs[0]!.storage)));
});
