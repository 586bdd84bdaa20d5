import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { RunFacts } from '../../server/core/facts/facts.ts';
import { type BudgetView, derivePanel } from '../../webview/derive.ts';
import { initialState, type PanelState, withShown, withWhatIf } from '../../webview/store.ts';
import { facts, model, roundBudget, shown, written } from './sample.ts';

const show = (facts: RunFacts) => withShown(initialState(), { ...shown, facts });
const start = show(facts);

function derive(state: PanelState): BudgetView {
  const view = derivePanel(state, roundBudget);
  assert.equal(view.kind, 'budget');
  return view as BudgetView;
}

test('no document, no facts or no model is an empty panel that names the document', () => {
  assert.deepEqual(derivePanel(initialState(), roundBudget), { kind: 'empty', shown: undefined });
  const without = { ...shown, facts: { ...facts, model: undefined } };
  assert.deepEqual(derivePanel(withShown(initialState(), without), roundBudget), { kind: 'empty', shown: without });
});

test('as the code stands, one estimate serves both', () => {
  let asked = 0;
  const view = derivePanel(start, (...sizes) => {
    asked++;
    return roundBudget(...sizes);
  }) as BudgetView;
  assert.equal(asked, 1);
  assert.equal(view.budget, view.budgetInCode);
  assert.equal(view.changed.size, 0);
});

test('a what-if changes the estimate, is marked, and leaves the code’s own estimate', () => {
  const view = derive(withWhatIf(start, { batch: 16 }));
  assert.deepEqual([...view.changed], ['batch']);
  assert.equal(view.budget.pytorch?.strategies[0]?.peakBytes, 19_200);
  assert.equal(view.budgetInCode.pytorch?.strategies[0]?.peakBytes, 9600);
  assert.equal(view.run.batch.origin.kind, 'chosen');
  assert.equal(view.runInCode.batch.origin.kind, 'literal');
});

test('k never exceeds the layers of the model', () => {
  const tried = withWhatIf(start, { segment: 10 });
  assert.equal(derive(tried).segment, 10);
  const smaller = withShown(tried, { ...shown, facts: { ...facts, model: { ...model, layers: written(6, 4) } } });
  assert.equal(derive(smaller).segment, 6);
});

test('what the code checkpoints is “now”, its segment the starting point', () => {
  const view = derive(
    show({ ...facts, run: { ...facts.run, checkpointing: written({ mode: 'full', segment: 3 }, 12) } }),
  );
  assert.equal(view.mode, 'full');
  assert.equal(view.segment, 3);
  assert.equal(view.changed.size, 0);
});

test('a billion layers are no reason to hang', () => {
  const view = derivePanel(show({ ...facts, model: { ...model, layers: written(1e9, 4) } }), () => ({
    paper: { layerBytes: 0, parts: [], strategies: [] },
    pytorch: undefined,
    notes: ['1000000000 layers are more than the budget covers (10000)'],
  }));
  assert.deepEqual((view as BudgetView).paperUnits, []);
});

test('trying fp32 turns autocast off', () => {
  assert.equal(derive(withWhatIf(start, { dataType: 'fp32' })).run.autocast.value, false);
  assert.equal(derive(withWhatIf(start, { dataType: 'fp16' })).run.autocast.value, true);
});

test('the paper’s units for every k: 13 at both ends, 7 between, for 12 layers', () => {
  assert.deepEqual(derive(start).paperUnits, [13, 8, 7, 7, 8, 8, 9, 10, 11, 12, 13, 13]);
});
