import assert from 'node:assert/strict';
import { test } from 'node:test';
import { customDevice } from '../../server/core/devices/devices.ts';
import { advise } from '../../server/core/total/advise.ts';
import { type BudgetView, derivePanel } from '../../webview/derive.ts';
import { initialState } from '../../webview/store.ts';
import { isNoneEnough } from '../../webview/views/remedies.ts';
import { computing, onDevice, shown, withShown } from './sample.ts';

test('changes are only said to make it fit where one of them does', () => {
  const on = (gigabytes: number): boolean => {
    const state = onDevice(withShown(initialState(), shown), customDevice(gigabytes * 1e9)!);
    const compute = {
      ...computing(),
      advise: (...given: Parameters<typeof advise>) => ({ advice: advise(...given), isPending: false }),
    };
    return isNoneEnough(derivePanel(state, compute) as BudgetView);
  };
  assert.equal(on(1), true);
  assert.equal(on(12), false);
});
