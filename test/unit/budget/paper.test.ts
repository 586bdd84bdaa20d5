import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ModelShape, RunShape } from '../../../server/core/budget/account.ts';
import {
  bestPaperSegment,
  coreFlopShare,
  fullUnits,
  paperAccount,
  paperFlops,
  paperStrategies,
  scoresShare,
  segmentCount,
} from '../../../server/core/budget/paper.ts';
import vectors from '../../goldens/paper-vectors.json';

const reference = { batch: 1, sequence: 2048, hidden: 4096, heads: 32 };
const m = scoresShare(reference);
const f = coreFlopShare(reference);

/** Equal to the last digits a double can carry; the vectors were computed with exact fractions. */
const same = (actual: number | undefined, expected: number, what: string) =>
  assert.ok(
    Math.abs((actual ?? NaN) - expected) <= 1e-12 * Math.max(1, Math.abs(expected)),
    `${what}: ${actual}, not ${expected}`,
  );

test('shares of the reference configuration', () => {
  same(m, 40 / 57, 'm');
  same(f, 1 / 13, 'f');
});

test('the per-layer table', () => {
  const row = vectors.table1;
  const model: ModelShape = {
    family: 'gpt2',
    layers: row.layers,
    hidden: row.h,
    heads: row.a,
    keyValueHeads: row.a,
    headDimension: row.h / row.a,
    feedForward: 4 * row.h,
    vocabulary: 50257,
    maximumSequence: row.s,
    activation: 'gelu',
    tiedEmbeddings: true,
    bias: true,
  };
  const run: RunShape = {
    batch: row.b,
    sequence: row.s,
    dataType: 'fp16',
    autocast: false,
    attention: 'eager',
    dropout: 0.1,
  };
  const account = paperAccount(model, run, 4);
  const bytes = Object.fromEntries(account.parts.map((part) => [part.key, part.bytes]));
  assert.equal(account.layerBytes, row.layer_bytes);
  assert.equal(bytes['attention-scores'], row.scores_bytes);
  assert.equal(bytes['attention-rest'], row.attention_rest_bytes);
  assert.equal(bytes.mlp! + bytes['layer-norms']!, row.mlp_and_norm_bytes);
  const share = (part: number) => (part / account.layerBytes).toFixed(4);
  assert.equal(share(bytes['attention-scores']!), row.scores_share.toFixed(4));
  assert.equal(share(bytes['attention-rest']!), row.attention_rest_share.toFixed(4));
  assert.equal(share(row.mlp_and_norm_bytes), row.mlp_and_norm_share.toFixed(4));
  const { core, projections, mlp } = paperFlops(reference);
  const total = core + projections + mlp;
  assert.equal((core / total).toFixed(4), row.core_flops_share.toFixed(4));
  assert.equal((projections / total).toFixed(4), row.projection_flops_share.toFixed(4));
  assert.equal((mlp / total).toFixed(4), row.mlp_flops_share.toFixed(4));
  const none = account.strategies[0]!.peakBytes;
  assert.equal((none / 1e9).toFixed(1), row.total_GB.toFixed(1));
  assert.equal((none / 2 ** 30).toFixed(1), row.total_GiB.toFixed(1));
});

for (const row of vectors.rows) {
  test(`L = ${row.L}, k = ${row.k}, A = ${row.A_MB} MB`, () => {
    const [none, full, selective] = paperStrategies(row.L, row.A_MB, row.k, m, f);
    assert.equal(segmentCount(row.L, row.k), row.segments);
    same(none?.peakBytes, row.none_MB, 'none');
    same(full?.peakBytes, row.full_MB, 'full');
    assert.equal(full?.units, row.full_units);
    assert.equal(full?.unitsExact, row.full_units_exact);
    assert.equal(fullUnits(row.L, row.k, 'exact'), row.full_units_exact);
    same(full?.saving, row.full_saving, 'saving of full');
    same((full?.extraForward ?? NaN) * row.L, row.full_extra_forward_layers, 'extra forward of full');
    same(full?.extraStep, row.full_extra_step, 'extra step of full');
    same(selective?.units, row.selective_units, 'selective');
    same(selective?.peakBytes, row.selective_MB, 'selective');
    same(selective?.saving, row.selective_saving, 'saving of selective');
    same((selective?.extraForward ?? NaN) * row.L, row.selective_extra_forward_layers, 'extra layers of selective');
    same(selective?.extraForward, row.selective_extra_forward, 'extra forward of selective');
    same(selective?.extraStep, row.selective_extra_step, 'extra step of selective');
  });
}

test('the best segment is near √L and never worse than any other', () => {
  for (let layers = 1; layers <= 300; layers++) {
    const best = fullUnits(layers, bestPaperSegment(layers));
    for (let segment = 1; segment <= layers; segment++) assert.ok(best <= fullUnits(layers, segment));
  }
  assert.equal(bestPaperSegment(12), 3);
  assert.equal(fullUnits(1000, bestPaperSegment(1000)), 64);
});
