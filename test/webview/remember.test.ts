import assert from 'node:assert/strict';
import { test } from 'node:test';
import { modelShape, runShape } from '../../server/core/budget/account.ts';
import { remember } from '../../webview/remember.ts';
import { facts, model, roundBudget } from './sample.ts';

test('the same question is computed once, however many others come between', () => {
  const asked: number[] = [];
  const estimate = remember((...sizes: Parameters<typeof roundBudget>) => {
    asked.push(sizes[2]);
    return roundBudget(...sizes);
  });
  const ask = (segment: number, batch = 8) =>
    estimate(modelShape(model), { ...runShape(facts.run), batch }, segment).paper.strategies[1]?.segment;
  for (let k = 2; k <= 12; k++)
    for (let batch = 1; batch <= 20; batch++) assert.deepEqual([ask(1), ask(k, batch)], [1, k]);
  assert.equal(asked.filter((segment) => segment === 1).length, 1);
  assert.equal(asked.length, 1 + 11 * 20);
});
