import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { trainingCode } from '../../bench/trainingCode.ts';
import { parsePython, pythonParser } from '../../support/python.ts';

/** What a person does to a file: type, delete, paste, undo, in any place. */
const typed = fc.constantFrom(
  'x',
  ' ',
  '\n',
  '\n\n',
  '(',
  ')',
  ',',
  '"',
  "'''",
  '#',
  ':',
  '    ',
  '\t',
  '\r\n',
  '\r',
  'def f(self):\n    return 1\n',
  'class A:\n',
  '@dec\n',
  'y = checkpoint(block, x)\n',
  '# note\n',
  'é😀',
  '\\',
  '\u0000',
  'if x:\n',
  'import os\n',
  '[',
  '}',
  '',
  '',
  '',
);
const edit = fc.record({ at: fc.nat(), removed: fc.oneof(fc.nat(3), fc.nat(400)), text: typed });

function apply(text: string, { at, removed, text: inserted }: { at: number; removed: number; text: string }): string {
  const start = at % (text.length + 1);
  return text.slice(0, start) + inserted + text.slice(start + removed);
}

for (const [what, source, runs] of [
  [
    'a short file',
    'import torch\n\n# a comment\ndef f(x):\n    return x\n\ny = f(1); z = 2\n\nclass A:\n    b = 1  # why\n',
    600,
  ],
  ['training code', trainingCode(120), 40],
] as const) {
  test(`after any edits a tracked document is what parsing its text gives: ${what}`, () => {
    fc.assert(
      fc.property(fc.array(edit, { minLength: 1, maxLength: 12 }), (edits) => {
        const tracked = pythonParser.track();
        try {
          let text: string = source;
          assert.deepEqual(tracked.update(text), parsePython(text));
          for (const one of edits) {
            text = apply(text, one);
            assert.deepEqual(tracked.update(text), parsePython(text), JSON.stringify(text));
          }
        } finally {
          tracked.dispose();
        }
      }),
      { numRuns: runs },
    );
  });
}

test('what an edit leaves alone stays the same object, moved to its new place', () => {
  const tracked = pythonParser.track();
  const before = tracked.update('a = 1\nb = 2\n').body[1];
  for (const text of ['# new\na = 1\nb = 2\n', '# new\na = 1 2\nb = 2\n', '# n\na = 1 2\nb = 2\n']) {
    const after = tracked.update(text);
    assert.equal(after.body[1], before, text);
    assert.deepEqual(after, parsePython(text));
  }
  tracked.dispose();
});
