import assert from 'node:assert/strict';
import { test } from 'node:test';
import { removeArgument } from '../../../server/core/lint/removeArgument.ts';
import { expressionsOf } from '../../../server/core/python/walk.ts';
import { applyEdits } from '../../../server/core/text/edit.ts';
import { parsePython } from '../../support/python.ts';

/** Takes the argument named `k` out of the first call. */
function removed(source: string): string {
  const module = parsePython(source);
  for (const call of expressionsOf(module)) {
    if (call.kind !== 'call') continue;
    const argument = call.arguments.find((one) => one.kind === 'keyword' && one.name.name === 'k');
    const edits = argument && removeArgument(module, call, argument);
    assert.ok(edits !== undefined);
    return applyEdits(source, edits);
  }
  throw new Error('no call');
}

const cases: readonly [title: string, before: string, after: string][] = [
  ['the only one', 'f(k=1)', 'f()'],
  ['the only one, trailing comma', 'f(k=1,)', 'f()'],
  ['last', 'f(a, k=1)', 'f(a)'],
  ['last, trailing comma', 'f(a, k=1,)', 'f(a,)'],
  ['in the middle', 'f(a, k=1, b=2)', 'f(a, b=2)'],
  ['first', 'f(k=1, b=2)', 'f(b=2)'],
  ['a line of its own', 'f(\n    a,\n    k=1,\n    b=2,\n)', 'f(\n    a,\n    b=2,\n)'],
  ['the last line, no trailing comma', 'f(\n    a,\n    k=1\n)', 'f(\n    a,\n)'],
  ['the closing bracket on its line', 'f(\n    a,\n    k=1)', 'f(\n    a)'],
  ['a comment behind it stays', 'f(\n    a,\n    k=1,  # why\n    b=2,\n)', 'f(\n    a,\n    # why\n    b=2,\n)'],
  ['a comment before it stays', 'f(\n    a,  # x, y\n    k=1)', 'f(\n    a,  # x, y\n    )'],
  ['more on the next line', 'f(a, k=1,\n  b=2)', 'f(a,\n  b=2)'],
  ['first on its line', 'f(a,\n  k=1, b=2)', 'f(a, b=2)'],
  ['tabs and CRLF', 'f(\r\n\ta,\r\n\tk=1,\r\n)', 'f(\r\n\ta,\r\n)'],
];

for (const [title, before, after] of cases) {
  test(`removes an argument: ${title}`, () => {
    assert.equal(removed(before), after);
    assert.deepEqual(parsePython(after).unreliable, []);
  });
}
