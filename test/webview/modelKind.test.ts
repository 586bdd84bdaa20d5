import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Budget } from '../../server/core/budget/account.ts';
import { hasAttention, hasUnequalLayers } from '../../webview/modelKind.ts';
import { facts, roundBudget } from './sample.ts';

const account = (layersBytes: readonly number[], keys: readonly string[]): { readonly budget: Budget } => {
  const budget = roundBudget({ ...shape, layers: layersBytes.length }, run, 1);
  const layerParts = keys.map((key) => ({ key, label: key, bytes: 1 }));
  return { budget: { ...budget, pytorch: budget.pytorch && { ...budget.pytorch, layersBytes, layerParts } } };
};
const shape = { layers: 4 } as Parameters<typeof roundBudget>[0];
const run = { batch: 1, sequence: facts.run.sequence.value } as Parameters<typeof roundBudget>[1];

test('attention is a part of the layer, or not ruled out where nothing is known of the layer', () => {
  assert.equal(hasAttention(account([1], ['attention-scores', 'mlp'])), true);
  assert.equal(hasAttention(account([1], ['norms', 'convolutions'])), false);
  assert.equal(hasAttention({ budget: { ...account([1], []).budget, pytorch: undefined } }), true);
});

test('a stack of equal layers stays one where its first layer keeps something for all', () => {
  assert.equal(hasUnequalLayers(account([300, 100, 100, 100], [])), false);
  assert.equal(hasUnequalLayers(account([267, 247, 247, 134, 62, 32], [])), true);
  assert.equal(hasUnequalLayers(account([100], [])), false);
});
