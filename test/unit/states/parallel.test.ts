import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  type ActivationDivisors,
  activationDivisors,
  activationProblems,
  microBatchesInFlight,
} from '../../../server/core/states/activationSharding.ts';
import rows from '../../goldens/published-parallel-activations.json';
import { unitBytes } from './examples.ts';

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

const divisorsOf = ({ t = 1, cp = 1, sp = false }: Sizes, sequenceGather: 'megatron' | 'dtensor' = 'megatron') =>
  activationDivisors({
    tensorParallel: t,
    contextParallel: cp,
    expertParallel: 1,
    sequenceParallel: sp,
    sequenceGather,
  }).divisors!;

/**
 * Korthikanti et al. 2022, 16-bit with dropout: of 11bsh in attention 8 lie inside the block, 2 are the linear's input and 1
 * a dropout mask; of 19bsh in the MLP 16, 2 and 1; the norms' 4bsh are in the residual stream.
 */
function layerBytes({ b = 1, s, h, a, mode = 'none' }: Sizes, by: ActivationDivisors): number {
  const bsh = b * s * h;
  if (mode === 'full') return (2 * bsh) / by.layerInput;
  const scores = mode === 'selective' ? 0 : (5 * b * s * s * a) / by.attentionScores;
  return scores + ((8 + 16) * bsh) / by.insideBlocks + (4 * bsh) / by.linearInputs + (6 * bsh) / by.residualStream;
}

for (const row of rows) {
  test(`Korthikanti’s formulas: ${row.id}`, () => {
    const args = row.args as Sizes;
    const layer = layerBytes(args, divisorsOf(args));
    let got = layer / (unitBytes[row.unit] ?? 1);
    if (row.formula === 'kort_total') got *= args.L ?? 1;
    if (row.formula === 'kort_percent')
      got = (100 * layer) / layerBytes({ ...args, mode: 'none' }, divisorsOf({ ...args, sp: false }));
    const tolerance = row.tolerance as { abs?: number; rel?: number };
    const allowed = tolerance.abs ?? (tolerance.rel ?? 0) * row.expected;
    assert.ok(Math.abs(got - row.expected) <= allowed, `${got} instead of ${row.expected}`);
  });
}

test('with DTensor a linear keeps the gathered sequence', () => {
  const sizes = { s: 2048, h: 4096, a: 32, t: 8, sp: true };
  assert.equal(divisorsOf(sizes, 'megatron').linearInputs, 8);
  assert.equal(divisorsOf(sizes, 'dtensor').linearInputs, 1);
  assert.equal(divisorsOf(sizes, 'dtensor').layerInput, 8);
});

const inFlight = (kind: 'gpipe' | '1f1b' | 'interleaved', stages: number, stage: number, chunks: number, m: number) =>
  microBatchesInFlight({ kind, stages, stage, chunks, microBatches: m }).microBatches;

test('micro-batches a pipeline stage holds', () => {
  assert.equal(inFlight('gpipe', 4, 2, 1, 16), 16);
  assert.deepEqual(
    [0, 1, 2, 3].map((stage) => inFlight('1f1b', 4, stage, 1, 16)),
    [4, 3, 2, 1],
  );
  assert.equal(inFlight('1f1b', 8, 0, 1, 2), 2);
  assert.equal(inFlight('1f1b', 1, 0, 1, 16), 1);
  // p(1 + (p − 1)/(pv)), Table 3's 175B: p = 8 stages of 3 chunks.
  assert.equal(inFlight('interleaved', 8, 0, 3, 64), 8 * (1 + 7 / (8 * 3)));
  assert.equal(inFlight('interleaved', 1, 0, 1, 4), 1);
});

test('a pipeline moves activations to the first stage and does not lower them there', () => {
  // L/p layers for each of p micro-batches are L layers.
  const layers = 32;
  const stages = 8;
  assert.equal((layers / stages) * inFlight('1f1b', stages, 0, 1, 64)!, layers);
});

test('impossible parallelism is named', () => {
  const setup = {
    tensorParallel: 3,
    contextParallel: 4,
    expertParallel: 1,
    sequenceParallel: true,
    sequenceGather: 'megatron',
  } as const;
  const fields = (sizes: { sequence: number; heads: number }, changes = {}) =>
    activationProblems({ ...setup, ...changes }, sizes).map(({ field }) => field);
  assert.deepEqual(fields({ sequence: 2048, heads: 32 }), [
    'tensorParallel',
    'contextParallel × sequence parallel ranks',
  ]);
  assert.deepEqual(fields({ sequence: 12, heads: 3 }), []);
  assert.deepEqual(fields({ sequence: 12, heads: 3 }, { tensorParallel: 0 }), ['tensorParallel']);
  assert.deepEqual(fields({ sequence: 12, heads: 3 }, { contextParallel: Number.NaN }), ['contextParallel']);
  for (const bad of [{ stage: 4 }, { stage: -1 }, { stages: 0 }, { chunks: 1e30 }, { microBatches: 1.5 }]) {
    const schedule = { kind: '1f1b', stages: 4, stage: 0, chunks: 1, microBatches: 8, ...bad } as const;
    const { microBatches, problems } = microBatchesInFlight(schedule);
    assert.equal(microBatches, undefined);
    assert.equal(problems.length, 1);
  }
  const uneven = microBatchesInFlight({ kind: 'interleaved', stages: 4, stage: 0, chunks: 2, microBatches: 6 });
  assert.deepEqual(
    uneven.problems.map(({ field }) => field),
    ['pipeline.stages'],
  );
});
