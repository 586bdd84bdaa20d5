import assert from 'node:assert/strict';
import { test } from 'node:test';
import { bytesText } from '../../server/core/report/quantities.ts';
import { formatBytes, formatCount, formatExactBytes, formatExtra, formatShare } from '../../webview/format.ts';
import { plain } from './sample.ts';

test('bytes have three significant digits and a decimal unit', () => {
  const written = [0, 1, 999, 1000, 1234, 956_301_312, 30_601_641_984, 999_960_000, 5e15].map((bytes) =>
    plain(formatBytes(bytes, 'decimal')),
  );
  assert.deepEqual(written, [
    '0 bytes',
    '1 bytes',
    '999 bytes',
    '1.00 kB',
    '1.23 kB',
    '956 MB',
    '30.6 GB',
    '1.00 GB',
    '5.00 PB',
  ]);
});

test('bytes can be binary, and the unit then says so', () => {
  assert.equal(plain(formatBytes(956_301_312, 'binary')), '912 MiB');
  assert.equal(plain(formatBytes(30_601_641_984, 'binary')), '28.5 GiB');
  assert.equal(plain(formatBytes(1023, 'binary')), '1023 bytes');
});

test('three digits are three digits, zeros or not', () => {
  assert.equal(plain(formatBytes(100e6, 'decimal')), '100 MB');
  assert.equal(plain(formatBytes(120e9, 'decimal')), '120 GB');
  assert.equal(plain(formatBytes(10e6, 'decimal')), '10.0 MB');
});

test('a negative amount has a minus sign, not a hyphen', () =>
  assert.equal(plain(formatBytes(-2.5e9, 'decimal')), '−2.50 GB'));

test('tooltips give every byte', () => assert.equal(formatExactBytes(956_301_312), '956,301,312 bytes'));

test('shares are percent with at most one decimal', () => {
  assert.deepEqual([0.625, 1, 1 / 13, -0.083, -0.0001, 0].map(formatShare).map(plain), [
    '62.5 %',
    '100 %',
    '7.7 %',
    '−8.3 %',
    '0 %',
    '0 %',
  ]);
  assert.deepEqual([1 / 3, 0].map(formatExtra).map(plain), ['+33.3 %', '0 %']);
});

test('the panel writes bytes as reports do, but for spaces that do not break and a proper minus', () => {
  for (const bytes of [0, 1, 999_960_000, 956_301_312, -2.5e9, 5e15])
    for (const units of ['decimal', 'binary'] as const)
      assert.equal(plain(formatBytes(bytes, units)).replace('−', '-'), bytesText(bytes, units));
});

test('counts are grouped by thousands and keep at most four decimals', () => {
  const written = [0, 7, 999, 1000, 50_257, 1_234_567_890, -12_345, 1234.56789, 0.5].map(formatCount);
  assert.deepEqual(written, ['0', '7', '999', '1,000', '50,257', '1,234,567,890', '-12,345', '1,234.5679', '0.5']);
});
