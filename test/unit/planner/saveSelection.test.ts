import assert from 'node:assert/strict';
import { test } from 'node:test';
import { selectSaves } from '../../../server/core/planner/saveSelection.ts';

/**
 * The module that PyTorch's own tests of its selective-checkpoint tools use: milliseconds and bytes of eight operations, of
 * which one is a view, one is random (always saved) and one works in place on another's result (both saved or neither).
 */
const operations = [
  { name: 'copy_', cost: 5, bytes: 0 },
  { name: 'add', cost: 5, bytes: 100 },
  { name: 'div', cost: 8, bytes: 100 },
  { name: 'mm', cost: 15, bytes: 120 },
  { name: 'native_dropout', cost: 15, bytes: 0 },
  { name: 'linear, relu_', cost: 9 + 5, bytes: 100 },
];
const published: Readonly<Record<number, readonly string[]>> = {
  0: [],
  100: ['linear, relu_'],
  120: ['mm'],
  200: ['div', 'linear, relu_'],
  220: ['mm', 'linear, relu_'],
  320: ['div', 'mm', 'linear, relu_'],
  420: ['add', 'div', 'mm', 'linear, relu_'],
};

for (const [budget, expected] of Object.entries(published)) {
  test(`what to save with ${budget} bytes, as PyTorch's tools decide it`, () => {
    const saved = selectSaves(operations, Number(budget));
    const names = operations.filter((_, at) => saved[at]).map(({ name }) => name);
    assert.deepEqual(new Set(names), new Set(['copy_', 'native_dropout', ...expected]));
  });
}

test('the choice is the best of all subsets', () => {
  let seed = 7;
  const random = (below: number) => {
    seed = (seed * 1103515245 + 12345) % 2147483648;
    return seed % below;
  };
  for (let round = 0; round < 60; round++) {
    const choices = Array.from({ length: 1 + random(10) }, () => ({ bytes: random(50), cost: random(20) }));
    const budget = random(200);
    let best = 0;
    for (let subset = 0; subset < 1 << choices.length; subset++) {
      const taken = choices.filter((_, at) => (subset >> at) & 1);
      const bytes = taken.reduce((sum, choice) => sum + choice.bytes, 0);
      if (bytes <= budget)
        best = Math.max(
          best,
          taken.reduce((sum, { cost }) => sum + cost, 0),
        );
    }
    const saved = selectSaves(choices, budget);
    const taken = choices.filter((_, at) => saved[at]);
    assert.ok(taken.reduce((sum, { bytes }) => sum + bytes, 0) <= budget);
    assert.equal(
      taken.reduce((sum, { cost }) => sum + cost, 0),
      best,
    );
  }
});
