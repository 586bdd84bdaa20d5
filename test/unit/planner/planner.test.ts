import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ModelShape, RunShape } from '../../../server/core/budget/account.ts';
import { noCheckpoints, type Plan, segmentsOf } from '../../../server/core/budget/plan.ts';
import { trainingStep } from '../../../server/core/budget/pytorch.ts';
import { selectiveMemory } from '../../../server/core/budget/selective.ts';
import { peakOf, simulate } from '../../../server/core/budget/simulate.ts';
import { largestThatFits } from '../../../server/core/planner/largest.ts';
import { layerChoices } from '../../../server/core/planner/layerChoices.ts';
import { cheapestPlan, paretoPlans } from '../../../server/core/planner/planner.ts';

const llama = (layers: number): ModelShape => ({
  family: 'llama',
  layers,
  hidden: 512,
  heads: 8,
  keyValueHeads: 4,
  headDimension: 64,
  feedForward: 1408,
  vocabulary: 1000,
  maximumSequence: 4096,
  activation: 'silu',
  tiedEmbeddings: false,
  bias: false,
});
const run: RunShape = {
  batch: 2,
  sequence: 1024,
  dataType: 'bf16',
  autocast: false,
  attention: 'eager',
  dropout: 0,
};

const within = (limit: number) => (planned: { readonly peakBytes: number }) => planned.peakBytes <= limit;

test('the plan for a small model is the best of all ways to treat its layers', () => {
  const step = trainingStep(llama(4), run)!;
  const choices = layerChoices(step);
  const all: { readonly peak: number; readonly work: number }[] = [];
  for (let code = 0; code < choices.length ** 4; code++) {
    const picked = Array.from(
      { length: 4 },
      (_, at) => choices[Math.floor(code / choices.length ** at) % choices.length]!,
    );
    const plan: Plan = picked.map(({ treatment }) => ({ layers: 1, treatment }));
    all.push({ peak: peakOf(simulate(step, plan)), work: picked.reduce((sum, { work }) => sum + work, 0) });
  }
  const peaks = all.map(({ peak }) => peak);
  const [least, most] = [Math.min(...peaks), Math.max(...peaks)];
  for (let at = 0; at <= 40; at++) {
    const limit = least + ((most - least) * at) / 40;
    const best = Math.min(...all.filter(({ peak }) => peak <= limit).map(({ work }) => work));
    const found = cheapestPlan(step, within(limit))!;
    assert.ok(found.peakBytes <= limit);
    const work = found.plan.reduce(
      (sum, { layers, treatment }) => sum + layers * choices.find((choice) => choice.treatment === treatment)!.work,
      0,
    );
    assert.equal(work, best, `limit ${limit}`);
  }
});

test('the plan for a deep model does no more work than any point of the Pareto front that fits as well', () => {
  const step = trainingStep(llama(48), run)!;
  const none = peakOf(simulate(step, noCheckpoints(48)));
  const full = peakOf(simulate(step, segmentsOf(48, 1)));
  const front = paretoPlans(step);
  for (const share of [0.1, 0.3, 0.5, 0.8]) {
    const limit = full + (none - full) * share;
    const found = cheapestPlan(step, within(limit))!;
    assert.ok(found.peakBytes <= limit);
    for (const other of front.filter(({ peakBytes }) => peakBytes <= limit))
      assert.ok(found.recomputedFlops <= other.recomputedFlops);
  }
});

test('where layers are of two kinds, a selective plan saves results of both', () => {
  const gemma: ModelShape = { ...llama(6), family: 'gemma2', settings: { sliding_window: 512 } };
  const step = trainingStep(gemma, { ...run, attention: 'sdpa' })!;
  const kinds = [...new Set(step.units.filter(({ isLayer }) => isLayer).map(({ memory }) => memory))];
  assert.equal(kinds.length, 2);
  const selective = layerChoices(step).flatMap(({ treatment }) =>
    treatment.kind === 'checkpoint' && treatment.policy !== undefined ? [treatment.policy] : [],
  );
  assert.ok(selective.length > 0);
  for (const policy of selective) for (const kind of kinds) assert.ok(selectiveMemory(kind, policy).savedBytes > 0);
});

test('a limit nothing keeps has no plan, one that everything keeps needs no checkpoint', () => {
  const step = trainingStep(llama(8), run)!;
  assert.equal(cheapestPlan(step, within(1000)), undefined);
  const free = cheapestPlan(step, () => true)!;
  assert.equal(free.recomputedFlops, 0);
  assert.ok(free.plan.every(({ treatment }) => treatment.kind === 'plain'));
});

test('no plan of the Pareto front is beaten by another', () => {
  const front = paretoPlans(trainingStep(llama(24), run)!);
  assert.ok(front.length > 5);
  front.slice(1).forEach((plan, at) => {
    assert.ok(plan.peakBytes < front[at]!.peakBytes);
    assert.ok(plan.recomputedFlops >= front[at]!.recomputedFlops);
  });
});

test('the largest number that fits is found, and none where nothing does', () => {
  for (const limit of [1, 2, 3, 7, 8, 100, 1023])
    assert.equal(
      largestThatFits((count) => count <= limit, 5000),
      limit,
    );
  assert.equal(
    largestThatFits((count) => count <= 9000, 5000),
    5000,
  );
  assert.equal(
    largestThatFits(() => false, 5000),
    undefined,
  );
});
