import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Budget, ModelShape, RunShape } from '../../server/core/budget/account.ts';
import { estimateBudget } from '../../server/core/budget/estimate.ts';
import type { Device } from '../../server/core/devices/device.ts';
import { customDevice } from '../../server/core/devices/devices.ts';
import { findDevice } from '../../server/core/devices/findDevice.ts';
import type { CheckpointingNow } from '../../server/core/facts/facts.ts';
import { type BudgetView, derivePanel } from '../../webview/derive.ts';
import { initialState, withWhatIf } from '../../webview/store.ts';
import { curveReason, headline } from '../../webview/verdict.ts';
import type { WhatIf } from '../../webview/whatIf.ts';
import { computing, facts, onDevice, plain, roundBudget, shown, withShown, written } from './sample.ts';

interface Given {
  readonly now?: CheckpointingNow;
  readonly tried?: WhatIf;
  readonly device?: Device | undefined;
  readonly estimate?: typeof roundBudget;
}

function view({
  now = { mode: 'none', segment: 1 },
  tried = {},
  device,
  estimate = estimateBudget,
}: Given): BudgetView {
  const run = { ...facts.run, checkpointing: written(now, 12) };
  const state = withShown(initialState(), { ...shown, facts: { ...facts, run } });
  const placed = device === undefined ? state : onDevice(state, device);
  return derivePanel(withWhatIf(placed, tried), computing(estimate)) as BudgetView;
}

test('the verdict names the device and what is to spare, or by how much it is over', () => {
  const said = (name: string): string => plain(headline(view({ device: findDevice(name).device })).verdict);
  assert.match(said('A100 40GB'), /^Fits on A100 40 GB, \d+\.\d GB to spare$/);
  assert.match(said('RTX 4080'), /^May (not )?fit on RTX 4080 16 GB: expect .* (to spare|over)$/);
  const small = headline(view({ device: customDevice(8e9) })).verdict;
  assert.match(plain(small), /^Does not fit on a device with 8\.00 GB: \d\.\d+ GB over$/);
});

test('without a device the verdict is what the step takes', () => {
  const { verdict, tone } = headline(view({}));
  assert.match(plain(verdict), /^Takes 15\.\d GB at its peak$/);
  assert.equal(tone, 'open');
});

test('sizes that no code says are named beside the verdict, until one is tried', () => {
  assert.equal(plain(headline(view({})).assumed ?? ''), 'Assumed: 1,024 tokens');
  assert.equal(headline(view({ tried: { sequence: 512 } })).assumed, undefined);
});

test('with what-ifs the code’s own verdict is said as well', () => {
  const { verdict, verdictInCode } = headline(view({ tried: { batch: 4 } }));
  assert.equal(verdictInCode, headline(view({})).verdict);
  assert.notEqual(verdict, verdictInCode);
  assert.equal(headline(view({})).verdictInCode, undefined);
});

test('without checkpointing it says what full checkpointing would take, with it what it saves', () => {
  assert.match(
    plain(headline(view({})).advice[0]!),
    /^Full checkpointing at k = 1 would take \d\.\d+ GB: \d+\.\d % less, for \+\d+\.\d % work in a step\.$/,
  );
  assert.match(
    plain(headline(view({ now: { mode: 'full', segment: 1 } })).advice[0]!),
    /^Without checkpointing it would take 15\.\d GB: this saves \d+\.\d % for \+\d+\.\d % work in a step\.$/,
  );
});

test('what does not fit is told the cheapest strategy that would', () => {
  const { advice } = headline(view({ device: customDevice(12e9) }));
  assert.match(plain(advice.at(-1)!), /^Cheapest strategy that fits: /);
});

test('checkpointing that is no strategy of the table is said as it is', () => {
  const { how } = headline(view({ now: { mode: 'full', segment: 1, every: 3, variant: 'reentrant' } }));
  assert.equal(plain(how), 'one layer in 3 checkpointed, reentrant');
});

test('where the loss sets the floor the reason says so instead', () => {
  const estimate = (...sizes: [ModelShape, RunShape, number]): Budget => {
    const budget = roundBudget(...sizes);
    return budget.pytorch === undefined ? budget : { ...budget, pytorch: { ...budget.pytorch, bestSegment: 6 } };
  };
  assert.match(plain(curveReason(view({ estimate }), 3)), /Up to k = 6 the loss, not the layers, sets the peak/);
});

test('sizes or families without an account give no number and no advice', () => {
  const estimate = (...sizes: [ModelShape, RunShape, number]): Budget => ({
    ...roundBudget(...sizes),
    pytorch: undefined,
  });
  const { verdict, advice } = headline(view({ estimate }));
  assert.equal(verdict, 'No estimate for this model');
  assert.deepEqual(advice, []);
});

test('a family without an account of its own gets its range, called a guess', () => {
  const estimate = (...sizes: [ModelShape, RunShape, number]): Budget => ({
    ...roundBudget(...sizes),
    pytorch: undefined,
    rough: { none: { lowBytes: 3e9, highBytes: 5e9 }, full: { lowBytes: 1e9, highBytes: 2e9 } },
  });
  assert.equal(plain(headline(view({ estimate })).verdict), 'Activations: 3.00 GB to 5.00 GB, a rough guess');
});

test('the curves’ reason names X, A and both best k', () => {
  const reason = plain(curveReason(view({ estimate: roundBudget }), 3));
  assert.match(reason, /X = 16 bytes, only 2.0 % of a layer’s A = 800 bytes/);
  assert.match(reason, /Lowest at k = 1\./);
  assert.match(reason, /its best k is near √L, here 3\./);
});
