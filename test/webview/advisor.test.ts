import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Advice } from '../../server/core/total/advise.ts';
import { type Assessment, assess, type Training } from '../../server/core/total/assess.ts';
import { trainingOf } from '../../server/core/total/setupOfRun.ts';
import { createAdvisor } from '../../webview/advisor.ts';
import { facts, model, written } from './sample.ts';

const training = trainingOf(model, facts.run, undefined);
const assessment = assess(training, String).assessment as Assessment;
const withBatch = (batch: number): Training => ({ ...training, run: { ...training.run, batch } });
const advice = (batch: number): Advice => ({
  pareto: [],
  cheapest: undefined,
  largest: [{ with: 'now', batch, sequence: 1, hasSequence: true }],
  remedies: [],
});

test('advice comes once values are still, the one before it stays until then', async () => {
  let asked = 0;
  let arrived = (): void => undefined;
  const advisor = createAdvisor(
    ({ run }) => {
      asked++;
      return advice(run.batch);
    },
    () => arrived(),
  );
  const settled = (): Promise<void> => new Promise((resolve) => (arrived = resolve));
  assert.deepEqual(advisor(training, assessment), { advice: undefined, isPending: true });
  await settled();
  assert.deepEqual(advisor(training, assessment), { advice: advice(8), isPending: false });
  for (let batch = 10; batch < 20; batch++) {
    assert.deepEqual(advisor(withBatch(batch), assessment), { advice: advice(8), isPending: true });
  }
  await settled();
  assert.deepEqual(advisor(withBatch(19), assessment), { advice: advice(19), isPending: false });
  assert.equal(asked, 2, 'a slider that moves asks for nothing');
});

test('advice for one model is never shown for another', async () => {
  let arrived = (): void => undefined;
  const advisor = createAdvisor(
    () => advice(1),
    () => arrived(),
  );
  const settled = new Promise<void>((resolve) => (arrived = resolve));
  advisor(training, assessment);
  await settled;
  const other = trainingOf({ ...model, layers: written(6, 4) }, facts.run, undefined);
  assert.deepEqual(advisor(other, assessment), { advice: undefined, isPending: true });
});
