import assert from 'node:assert/strict';
import { test } from 'node:test';
import { secondsText } from '../../../server/core/report/quantities.ts';

test('times are written with two digits and the unit that fits the longer one', () => {
  const text = (low: number, high: number): string => secondsText({ low, high });
  assert.equal(text(0.0851, 0.1702), '85 to 170 ms');
  assert.equal(text(0.0000004, 0.0000008), '0.0004 to 0.0008 ms');
  assert.equal(text(0.62, 1.24), '0.62 to 1.2 s');
  assert.equal(text(70, 140), '1.2 to 2.3 min');
});
