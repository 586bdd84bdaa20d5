import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Budget, ModelShape, PytorchStrategy, RunShape } from '../../server/core/budget/account.ts';
import type { CheckpointingNow } from '../../server/core/facts/facts.ts';
import { type BudgetView, derivePanel } from '../../webview/derive.ts';
import { initialState, type WhatIf, withShown, withWhatIf } from '../../webview/store.ts';
import { curveReason, headline } from '../../webview/verdict.ts';
import { facts, plain, roundBudget, shown, written } from './sample.ts';

function view(mode: CheckpointingNow['mode'], segment: number, tried: WhatIf = {}, estimate = roundBudget): BudgetView {
  const run = { ...facts.run, checkpointing: written({ mode, segment }, 12) };
  const state = withShown(initialState(), { ...shown, facts: { ...facts, run } });
  return derivePanel(withWhatIf(state, tried), estimate) as BudgetView;
}

test('without checkpointing the headline says what full checkpointing would need', () => {
  const { peakBytes, peakInCodeBytes, how, account, advice } = headline(view('none', 1));
  assert.equal(peakBytes, 9600);
  assert.equal(peakInCodeBytes, undefined);
  assert.equal(plain(how), 'no checkpointing');
  assert.equal(account, 'pytorch');
  assert.deepEqual(advice.map(plain), [
    'Full checkpointing at k = 1 would need 1.60 kB: 83.3 % less, for +33.3 % compute in a step.',
  ]);
});

test('with checkpointing it says what that saves, and which k needs least', () => {
  const { peakBytes, how, advice } = headline(view('full', 4));
  assert.equal(peakBytes, 4000);
  assert.equal(plain(how), 'full checkpointing, k = 4');
  assert.deepEqual(advice.map(plain), [
    'Without checkpointing it would be 9.60 kB: this saves 58.3 % for +33.3 % compute in a step.',
    'k = 1 needs least, 1.60 kB.',
  ]);
});

test('a what-if is named beside what the code needs', () => {
  const { peakBytes, peakInCodeBytes } = headline(view('full', 4, { segment: 1 }));
  assert.deepEqual([peakBytes, peakInCodeBytes], [1600, 4000]);
});

test('a peak in the loss is said to be out of checkpointing’s reach', () => {
  const inLoss = (row: PytorchStrategy): PytorchStrategy => ({ ...row, peakPhase: 'loss' });
  const estimate = (...sizes: [ModelShape, RunShape, number]): Budget => {
    const budget = roundBudget(...sizes);
    const { pytorch } = budget;
    return pytorch === undefined
      ? budget
      : { ...budget, pytorch: { ...pytorch, strategies: pytorch.strategies.map(inLoss) } };
  };
  const said = headline(view('full', 1, {}, estimate)).advice.at(-1);
  assert.equal(
    said,
    'That peak is in the loss (logits over 50,257 tokens), which checkpointing layers does not touch.',
  );
});

test('where the loss sets the floor the reason says so instead', () => {
  const estimate = (...sizes: [ModelShape, RunShape, number]): Budget => {
    const budget = roundBudget(...sizes);
    return budget.pytorch === undefined ? budget : { ...budget, pytorch: { ...budget.pytorch, bestSegment: 6 } };
  };
  assert.match(
    plain(curveReason(view('none', 1, {}, estimate), 3)),
    /up to k = 6 the loss, not the layers, sets the peak/,
  );
});

test('sizes that allow no estimate give no number', () => {
  const estimate = (): Budget => ({
    paper: { layerBytes: 0, parts: [], strategies: [] },
    pytorch: undefined,
    notes: [],
  });
  assert.equal(headline(view('none', 1, {}, estimate)).peakBytes, undefined);
});

test('a family without a PyTorch account gets the paper’s number, labelled, and no advice', () => {
  const estimate = (...sizes: [ModelShape, RunShape, number]): Budget => ({
    ...roundBudget(...sizes),
    pytorch: undefined,
  });
  const { peakBytes, account, advice } = headline(view('none', 1, {}, estimate));
  assert.equal(account, 'paper');
  assert.equal(peakBytes, 12 * (34 * 8 * 1024 * 768 + 5 * 8 * 1024 ** 2 * 12));
  assert.deepEqual(advice.map(plain), []);
});

test('the curves’ reason names X, A and both best k', () => {
  const reason = plain(curveReason(view('none', 1), 3));
  assert.match(reason, /X = 16 bytes, only 2.0 % of a layer’s A = 800 bytes/);
  assert.match(reason, /k = 1\./);
  assert.match(reason, /k ≈ √L: 3\./);
});
