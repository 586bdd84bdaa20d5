import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { Module } from '../../../server/core/python/ast.ts';
import { mentions } from '../../../server/core/python/mentions.ts';
import { methodsIn } from '../../../server/core/python/stretches.ts';
import { trainingCode } from '../../bench/trainingCode.ts';
import { apply, deceptive, edit } from '../../support/edits.ts';
import { parsePython, pythonParser } from '../../support/python.ts';

/** Longer than what is always parsed anew. */
const longClass = `import os\n\nclass A:\n${'    def f(self, x):\n        return [x, "a", {1: x}]\n\n'.repeat(220)}\ndef last(): pass\n`;
/** Long enough for its members to be read by themselves, and with what may lead astray where a member begins and ends. */
const members = `import os

@register("a")
class Model(
    Base,
):
    """The class of which

    def not_a_method(self):
    """

    size: int = 4
    names = ["a",
    "b"]  # why

    def first(self, x):
        y = [
1,
        ]
        return y
        # behind the last line

    # about the next one
    @property
    @cached(
        key=lambda self: self.size,
    )
    def second(self):
        if self.size:
            def inner(): return 1
            class Local:
                z = 1

                def deep(self):
                    return inner
        return Local
    after = first

    class Nested(Base):
        def own(self):
            return "def f(self):"

        async def other(self): pass
    for _ in range(3):
        def made(self): pass

    async def last(self):
        text = '''
    def g(self):
class B:
'''
        return await self.x(text + \\
            "it's")
    # the end of the class
${'    def filler(self, x):\n        return [x, "a", {1: x}]\n\n'.repeat(20)}
first = Model()
if first:
    second = 1

class Tabs:
	a = 1
${'	def filler(self, x):\n		return x\n\n'.repeat(60)}
`;
/** Functions and blocks so long that their statements are looked at one by one. */
const longFunction = `import os

def train(self, x):
    """doc"""
${'    x = step(x)  # note\n    if x:\n        x = [x, "a"]\n'.repeat(40)}
    try:
${'        with open(x) as y:\n            x += y\n        # about it\n        for z in x: print(z)\n'.repeat(50)}
    except OSError as error:
        raise
    else:
        def inner():
            return x
    finally:
        x = '''
    y = 1
'''
    return x

class A:
    b = 1
    for c in d:
${'        e = f(c)\n        @g\n        def h(self):\n            return c\n'.repeat(80)}

    async def last(self):
${'        await self.x(\n1)\n        y = lambda: 1\n'.repeat(120)}
train(1)
`;
/** With where nodes stand now, and without what they count that from. */
function asPlainData(tree: unknown): unknown {
  if (Array.isArray(tree)) return tree.map(asPlainData);
  if (typeof tree !== 'object' || tree === null) return tree;
  const { origin, from, to, ...own } = tree as Record<string, unknown>;
  const place = 'start' in tree && 'end' in tree ? { start: tree.start, end: tree.end } : {};
  return { ...Object.fromEntries(Object.entries(own).map(([name, part]) => [name, asPlainData(part)])), ...place };
}

/** A stretch that cannot be read may be a part of the text with all that became of it. */
const readable = (module: Module): unknown =>
  asPlainData({ ...module, unreliable: module.unreliable.map(({ start, end }) => ({ start, end })) });

/** What parsing the text gives, with the pieces that make it up and its statements and methods in lists. */
function assertSame({ stretches, ...module }: Module, text: string, message?: string): void {
  assert.deepEqual(readable(module), readable(parsePython(text)), message);
  assert.ok(areSame(stretches?.statements.flat(), module.body), message);
  assert.ok(areSame(stretches?.methods.flat(), module.body.flatMap(methodsIn)), message);
  const pieces = stretches?.pieces.flat();
  assert.equal(pieces?.map(({ start, end }) => text.slice(start, end)).join(''), text, message);
  for (const words of ['def', 'not there', 'self', /"a[bc]?"/])
    assert.equal(mentions({ ...(stretches && { stretches }), ...module }, words), mentions(module, words), message);
}

for (const [what, source, runs] of [
  [
    'a short file',
    'import torch\n\n# a comment\ndef f(x):\n    return x\n\ny = f(1); z = 2\n\nclass A:\n    b = 1  # why\n',
    600,
  ],
  ['strings and decorators', deceptive, 400],
  ['training code', trainingCode(120), 40],
  ['members of a class', members, 80],
  ['a long class', longClass, 25],
  ['long functions', longFunction, 40],
] as const) {
  test(`after any edits a tracked document is what parsing its text gives: ${what}`, () => {
    fc.assert(
      fc.property(fc.array(edit, { minLength: 1, maxLength: 12 }), (edits) => {
        const tracked = pythonParser.track();
        try {
          let text: string = source;
          assertSame(tracked.update(text), text);
          for (const one of edits) {
            text = apply(text, one);
            assertSame(tracked.update(text), text, JSON.stringify(text));
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
    assertSame(after, text);
  }
  tracked.dispose();
});

test('an edit in one method of a long class leaves the other members the same objects', () => {
  const source = (line: string): string =>
    `class A:\n    x = 1\n${'    def f(self):\n        return [1, 2, 3]\n'.repeat(60)}    def g(self):\n        ${line}\n    def h(self): pass\n`;
  const tracked = pythonParser.track();
  const membersOf = (text: string) => {
    const [statement] = tracked.update(text).body;
    return statement?.kind === 'class' ? statement.body : [];
  };
  const before = membersOf(source('pass'));
  for (const line of ['pas', 'y = f(1', 'y = f(1)', 'y = """a', 'if x:', 'return']) {
    const after = membersOf(source(line));
    const isSame = before.map((member) => after.includes(member));
    const edited = before.findIndex((member) => member.kind === 'function' && member.name.name === 'g');
    const expected = line.includes('"""') ? edited : before.length - 1;
    assert.ok(edited > 0 && isSame.slice(0, edited).every(Boolean), line);
    if (expected > edited) assert.ok(isSame.at(-1), line);
  }
  tracked.dispose();
});

test('a long function that half becomes a class is what parsing its text gives', () => {
  for (const { index } of [...longFunction.matchAll(/(?<=\n {4}if x:\n)/g)].slice(0, 12)) {
    const tracked = pythonParser.track();
    tracked.update(longFunction);
    const text = `${longFunction.slice(0, index)}class B:\n${longFunction.slice(index)}`;
    assertSame(tracked.update(text), text);
    tracked.dispose();
  }
});

test('an edit in a long function leaves its other statements the same objects', () => {
  const lines = '    y = f(x)\n    if y:\n        x = [1, 2, 3]\n'.repeat(100);
  const source = (line: string): string => `def f(x):\n${lines}    ${line}\n${lines}    return x\n`;
  const tracked = pythonParser.track();
  const statementsIn = (text: string) => {
    const [statement] = tracked.update(text).body;
    return statement?.kind === 'function' ? statement.body : [];
  };
  const before = statementsIn(source('pass'));
  for (const line of ['pas', 'y = f(1)', 'y = f(1) x', '# note', 'if x: return']) {
    const after = statementsIn(source(line));
    const same = before.filter((one) => after.includes(one)).length;
    assert.ok(same >= 200, `${line}: ${same}`);
  }
  tracked.dispose();
});

test('an unclosed bracket in a method costs that method, and no other member of a long class', () => {
  const filler = '    def f(self):\n        return [1, 2, 3]\n'.repeat(60);
  const source = `class A:\n${filler}    def g(self):\n        y = f(x, [1\n    def h(self):\n        return 1\n\nz = 1\n`;
  const { body, unreliable } = parsePython(source);
  assert.deepEqual(
    body.map(({ kind }) => kind),
    ['class', 'assign'],
  );
  const [statement] = body;
  const last = statement?.kind === 'class' ? statement.body.at(-1) : undefined;
  assert.equal(last?.kind === 'function' && last.name.name, 'h');
  assert.ok(
    unreliable.length > 0 &&
      unreliable.every(({ start, end }) => start >= source.indexOf('    def g') && end <= source.indexOf('    def h')),
  );
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

const areSame = (some: readonly object[] | undefined, others: readonly object[]): boolean =>
  some?.length === others.length && some.every((one, index) => one === others[index]);
