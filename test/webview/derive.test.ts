import assert from 'node:assert/strict';
import { test } from 'node:test';
import { estimateBudget } from '../../server/core/budget/estimate.ts';
import { findDevice } from '../../server/core/devices/findDevice.ts';
import type { RunFacts } from '../../server/core/facts/facts.ts';
import { type BudgetView, derivePanel } from '../../webview/derive.ts';
import { initialState, type PanelState, withWhatIf } from '../../webview/store.ts';
import { computing, facts, model, onDevice, roundBudget, shown, withShown, written } from './sample.ts';

const show = (facts: RunFacts) => withShown(initialState(), { ...shown, facts });
const start = show(facts);

function derive(state: PanelState): BudgetView {
  const view = derivePanel(state, computing());
  assert.equal(view.kind, 'budget');
  return view as BudgetView;
}

test('no document, no facts or no model is an empty panel that names the document', () => {
  assert.deepEqual(derivePanel(initialState(), computing()), {
    kind: 'empty',
    shown: undefined,
    awaited: undefined,
    server: 'idle',
  });
  const without = { ...shown, facts: { ...facts, model: undefined } };
  assert.deepEqual(derivePanel(withShown(initialState(), without), computing()), {
    kind: 'empty',
    shown: without,
    awaited: undefined,
    server: 'running',
  });
});

test('as the code stands, one estimate serves both', () => {
  let asked = 0;
  const view = derivePanel(
    start,
    computing((...sizes) => {
      asked++;
      return roundBudget(...sizes);
    }),
  ) as BudgetView;
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
  assert.equal(view.strategy, 'full');
  assert.equal(view.strategyInCode, 'full');
  assert.equal(view.segment, 3);
  assert.equal(view.changed.size, 0);
});

test('a billion layers are no reason to hang', () => {
  const view = derivePanel(show({ ...facts, model: { ...model, layers: written(1e9, 4) } }), computing(estimateBudget));
  assert.deepEqual((view as BudgetView).paperUnits, []);
});

test('trying fp32 turns autocast off', () => {
  assert.equal(derive(withWhatIf(start, { dataType: 'fp32' })).run.autocast.value, false);
  assert.equal(derive(withWhatIf(start, { dataType: 'fp16' })).run.autocast.value, true);
});

test('the paper’s units for every k: 13 at both ends, 7 between, for 12 layers', () => {
  assert.deepEqual(derive(start).paperUnits, [13, 8, 7, 7, 8, 8, 9, 10, 11, 12, 13, 13]);
});

test('with a device the whole is judged, with what-ifs and without', () => {
  const device = findDevice('RTX 4080').device!;
  const view = derive(withWhatIf(onDevice(start, device), { batch: 64 }));
  assert.equal(view.whole?.verdict?.outcome, 'over');
  assert.equal(view.wholeInCode?.verdict?.outcome, 'tight');
  assert.ok(view.whole!.now.range.expected > view.wholeInCode!.now.range.expected);
});

test('settings that cannot be give problems instead of a total', () => {
  const view = derive(withWhatIf(start, { optimizer: 'muon', sharding: 'zero-2', ranks: 4 }));
  assert.equal(view.whole, undefined);
  assert.match(view.problems.map(({ field }) => field).join(), /optimizer/);
});

test('a field that is NaN gives notes and no number, and nothing breaks', () => {
  for (const field of ['layers', 'hidden', 'vocabulary'] as const) {
    const view = derivePanel(
      show({ ...facts, model: { ...model, [field]: written(Number.NaN, 4) } }),
      computing(estimateBudget),
    );
    assert.equal((view as BudgetView).whole, undefined);
    assert.notDeepEqual((view as BudgetView).budget.notes, []);
  }
});

test('work done again as the code stands is known, also for checkpointing that is no strategy of the table', () => {
  const run = { ...facts.run, checkpointing: written({ mode: 'full', segment: 1, every: 3 } as const, 12) };
  const view = derive(show({ ...facts, run }));
  assert.equal(view.strategy, undefined);
  assert.ok(view.whole!.extraStep > 0.05 && view.whole!.extraStep < 0.2);
});
