import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { layoutCurve, segmentTicks } from '../../../webview/charts/curve.ts';

const size = { width: 300, height: 150 };
const paper = { key: 'paper', values: [13, 8, 7, 7, 8, 8, 9, 10, 11, 12, 13, 13].map((units) => units / 12) };

test('the best point is the smallest k of the lowest values', () => {
  const [line] = layoutCurve([paper], 4, size).lines;
  assert.equal(line?.best.segment, 3);
  assert.equal(line?.best.value, 7 / 12);
  assert.equal(line?.current.segment, 4);
});

test('100 % lies below the top where a value is above it, and 0 at the bottom', () => {
  const { yTicks, plot } = layoutCurve([paper], 1, size);
  const [zero, , whole] = yTicks;
  assert.equal(zero?.at, plot.bottom);
  assert.ok(whole !== undefined && whole.at > plot.top);
  assert.equal(layoutCurve([{ key: 'a', values: [0.5, 0.2] }], 1, size).yTicks[2]?.at, plot.top);
});

test('a pointer finds the k it is over, and the ends beyond them', () => {
  const curve = layoutCurve([paper], 1, size);
  for (let segment = 1; segment <= 12; segment++) {
    assert.equal(curve.segmentAt(layoutCurve([paper], segment, size).currentX), segment);
  }
  assert.equal(curve.segmentAt(-50), 1);
  assert.equal(curve.segmentAt(1000), 12);
});

test('one layer is one point in the middle', () => {
  const { lines, xTicks, segmentAt } = layoutCurve([{ key: 'a', values: [1] }], 1, size);
  assert.equal(lines[0]?.best.x, lines[0]?.current.x);
  assert.deepEqual(
    xTicks.map(({ label }) => label),
    ['1'],
  );
  assert.equal(segmentAt(100), 1);
});

test('a series without values has no line', () => {
  assert.deepEqual(layoutCurve([{ key: 'a', values: [] }], 1, size).lines, []);
});

test('ticks begin at 1, end at L, grow, and leave room for each other', () => {
  assert.deepEqual(segmentTicks(12, 252), [1, 2, 4, 6, 8, 10, 12]);
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 2000 }), fc.integer({ min: 80, max: 700 }), (layers, width) => {
      const ticks = segmentTicks(layers, width);
      assert.equal(ticks[0], 1);
      assert.equal(ticks.at(-1), layers);
      assert.ok(ticks.every((tick, index) => index === 0 || tick > ticks[index - 1]!));
      assert.ok(ticks.length <= width / 30 + 2);
    }),
  );
});

test('every point lies in the plot', () => {
  fc.assert(
    fc.property(fc.array(fc.double({ min: 0, max: 3, noNaN: true }), { minLength: 1, maxLength: 60 }), (values) => {
      const { lines, plot } = layoutCurve([{ key: 'a', values }], 1, size);
      for (const point of [lines[0]!.best, lines[0]!.current]) {
        assert.ok(point.x >= plot.left && point.x <= plot.right);
        assert.ok(point.y >= plot.top - 1e-9 && point.y <= plot.bottom);
      }
    }),
  );
});
