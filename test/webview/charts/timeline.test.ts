import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Moment } from '../../../server/core/total/totalMemory.ts';
import { byteTicks } from '../../../webview/charts/byteTicks.ts';
import { layoutPareto } from '../../../webview/charts/pareto.ts';
import { layoutTimeline } from '../../../webview/charts/timeline.ts';

const moment = (phase: Moment['phase'], totalBytes: number): Moment => ({
  phase,
  unit: 0,
  activationBytes: totalBytes,
  gradientBytes: 0,
  stateBytes: 0,
  totalBytes,
});
const step = [
  moment('forward', 1e9),
  moment('forward', 2e9),
  moment('loss', 4e9),
  moment('replay', 2e9),
  moment('backward', 3e9),
  moment('step', 1e9),
];
const size = { width: 300, height: 150 };

test('phases stand in the same places for every strategy, whatever number of moments they have', () => {
  const timeline = layoutTimeline(
    [
      { key: 'first', moments: step },
      { key: 'second', moments: step.filter(({ phase }) => phase !== 'replay') },
    ],
    undefined,
    size,
    'decimal',
  );
  assert.deepEqual(
    timeline.phases.map(({ phase }) => phase),
    ['forward', 'loss', 'backward', 'step'],
  );
  const [first, second] = timeline.lines;
  assert.equal(first?.peak.moment.phase, 'loss');
  assert.deepEqual(first?.peak, second?.peak);
  assert.equal(timeline.phases[0]?.from, timeline.plot.left);
  assert.ok(Math.abs((timeline.phases.at(-1)?.to ?? 0) - timeline.plot.right) < 1e-9);
});

test('the device’s end is drawn where it is near, not where it would press the curve flat', () => {
  const limitOf = (bytes: number) => layoutTimeline([{ key: 'first', moments: step }], bytes, size, 'decimal').limitY;
  assert.ok((limitOf(5e9) ?? 0) > 0);
  assert.equal(limitOf(80e9), undefined);
});

test('ten thousand layers are no more points than pixels, and keep their peak', () => {
  const many = Array.from({ length: 30_000 }, (_, at) => moment('forward', at === 12_345 ? 9e9 : 1e9));
  const [line] = layoutTimeline([{ key: 'first', moments: many }], undefined, size, 'decimal').lines;
  assert.ok((line?.path.length ?? 0) < 10_000);
  assert.equal(line?.peak.moment.totalBytes, 9e9);
});

test('no moments are no line', () => {
  assert.deepEqual(layoutTimeline([{ key: 'first', moments: [] }], undefined, size, 'decimal').lines, []);
});

test('ticks are round in the unit they are written in', () => {
  assert.deepEqual(byteTicks(42e9, 'decimal'), [0, 10e9, 20e9, 30e9, 40e9]);
  assert.deepEqual(
    byteTicks(3 * 2 ** 30, 'binary').map((bytes) => bytes / 2 ** 30),
    [0, 1, 2, 3],
  );
  for (const highest of [1, 999, 1500, 7.3e8, 1e12, 4.4e13]) {
    const ticks = byteTicks(highest, 'decimal');
    assert.ok(ticks.length >= 3 && ticks.length <= 6, `${highest}: ${ticks}`);
    assert.ok((ticks.at(-1) ?? 0) <= highest * (1 + 1e-9));
  }
  assert.deepEqual(byteTicks(Number.NaN, 'decimal'), [0]);
});

test('a front of plans goes down and to the right, marks lie where they belong', () => {
  const front = [
    { totalBytes: 10e9, extraStep: 0 },
    { totalBytes: 6e9, extraStep: 0.1 },
    { totalBytes: 4e9, extraStep: 0.3 },
  ];
  const chart = layoutPareto(front, [{ key: 'now', totalBytes: 10e9, extraStep: 0 }], 8e9, size, 'decimal');
  for (const [at, { x, y }] of chart.points.slice(1).entries()) {
    assert.ok(x > (chart.points[at]?.x ?? 0) && y > (chart.points[at]?.y ?? 0));
  }
  assert.equal(chart.marks[0]?.x, chart.points[0]?.x);
  assert.equal(chart.marks[0]?.y, chart.points[0]?.y);
  assert.ok((chart.limitY ?? 0) > (chart.points[0]?.y ?? 0));
});

test('plans without any work done again still have an axis', () => {
  const chart = layoutPareto([{ totalBytes: 1e9, extraStep: 0 }], [], undefined, size, 'decimal');
  assert.ok(chart.xTicks.length >= 2);
  assert.ok(chart.points.every(({ x, y }) => Number.isFinite(x) && Number.isFinite(y)));
});
