import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { layoutStack } from '../../../webview/charts/stack.ts';

const part = (key: string, bytes: number) => ({ key, label: key, bytes });

test('boxes lie side by side in proportion', () => {
  const boxes = layoutStack([part('scores', 700), part('mlp', 200), part('norms', 100)], 300);
  assert.deepEqual(
    boxes.map(({ key, x, width, share }) => ({ key, x, width: Math.round(width), share })),
    [
      { key: 'scores', x: 0, width: 210, share: 0.7 },
      { key: 'mlp', x: 210, width: 60, share: 0.2 },
      { key: 'norms', x: 270, width: 30, share: 0.1 },
    ],
  );
});

test('empty parts get no box, and no parts no bar', () => {
  assert.deepEqual(layoutStack([part('scores', 0)], 300), []);
  assert.deepEqual(layoutStack([], 300), []);
});

test('the boxes fill the width exactly, whatever the bytes', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 1, max: 1e12 }), { minLength: 1, maxLength: 12 }), (sizes) => {
      const boxes = layoutStack(
        sizes.map((bytes, index) => part(String(index), bytes)),
        280,
      );
      const last = boxes.at(-1)!;
      assert.equal(Math.round((last.x + last.width) * 1e6), 280e6);
      assert.ok(boxes.every(({ width, colour }) => width > 0 && colour >= 0 && colour < 6));
    }),
  );
});
