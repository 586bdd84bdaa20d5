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
/** Strings that look like definitions, decorators, and brackets that go on at the beginning of a line. */
const deceptive = `"""Usage:
def f(x):
    """

@one
@two(
    1,
)
class A:
    """doc"""

    def g(self):
        return [
1,
]

s = '''
class B:
'''
# it's
async def h():
    await k("'")

class C: pass


def last(): return f"{s!r}"
`;
/** Longer than what is always parsed anew. */
const longClass = `import os\n\nclass A:\n${'    def f(self, x):\n        return [x, "a", {1: x}]\n\n'.repeat(220)}\ndef last(): pass\n`;
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
  ['strings and decorators', deceptive, 400],
  ['training code', trainingCode(120), 40],
  ['a long class', longClass, 25],
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

test('an unclosed bracket or string costs the function it stands in, and none of the others', () => {
  const source = (line: string): string => `import os\n\ndef f(x):\n    ${line}\n\n@wrap\ndef g(x):\n    return x\n`;
  for (const line of ['y = os.path.join(x', 'y = x.', 'y = [x, (', 'if x', '"abc', 'return {x: [1, 2']) {
    const { body, unreliable } = parsePython(source(line));
    const last = body.at(-1);
    assert.equal(last?.kind === 'function' && last.name.name, 'g', line);
    const behind = unreliable.filter(({ end }) => end > source(line).indexOf('@wrap'));
    assert.deepEqual(behind, [], line);
  }
});

test('a text is not cut where a definition only seems to begin', () => {
  const strings = `a = """\ndef f(:\n"""\nb = '''\n@x\nclass C\n'''\n`;
  const { body } = parsePython(`${strings}# def\nprint "broken"\n`);
  assert.deepEqual(
    body.slice(0, 2).map(({ kind, end }) => [kind, end]),
    [
      ['assign', strings.indexOf('\nb')],
      ['assign', strings.length - 1],
    ],
  );
});
