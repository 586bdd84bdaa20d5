import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { addKeyword } from '../../../server/core/lint/addKeyword.ts';
import { expressionsOf } from '../../../server/core/python/walk.ts';
import { applyEdits } from '../../../server/core/text/edit.ts';
import { parsePython } from '../../support/python.ts';

function added(source: string): string | undefined {
  const module = parsePython(source);
  for (const expression of expressionsOf(module)) {
    if (expression.kind !== 'call') continue;
    const edits = addKeyword(module, expression, 'k=1');
    return edits === undefined ? undefined : applyEdits(source, edits);
  }
  throw new Error('no call');
}

const cases: readonly [title: string, before: string, after: string][] = [
  ['no argument', 'f()', 'f(k=1)'],
  ['one line', 'f(a, x)', 'f(a, x, k=1)'],
  ['trailing comma', 'f(a, x,)', 'f(a, x, k=1,)'],
  ['trailing comma and space', 'f(a, x, )', 'f(a, x, k=1, )'],
  ['star arguments', 'f(a, *args)', 'f(a, *args, k=1)'],
  ['double star arguments', 'f(a, **options)', 'f(a, **options, k=1)'],
  ['keyword last', 'f(a, b=2)', 'f(a, b=2, k=1)'],
  ['one per line, trailing comma', 'f(\n    a,\n    x,\n)', 'f(\n    a,\n    x,\n    k=1,\n)'],
  ['one per line, no trailing comma', 'f(\n    a,\n    x\n)', 'f(\n    a,\n    x,\n    k=1\n)'],
  [
    'comment behind the trailing comma',
    'f(\n    a,\n    x,  # why, oh why\n)',
    'f(\n    a,\n    x,  # why, oh why\n    k=1,\n)',
  ],
  [
    'comment behind the last argument',
    'f(\n    a,\n    x  # why, oh why\n)',
    'f(\n    a,\n    x,  # why, oh why\n    k=1\n)',
  ],
  ['comment on its own line', 'f(\n    a,\n    # last\n)', 'f(\n    a,\n    k=1,\n    # last\n)'],
  ['tabs', 'f(\n\ta,\n\tx,\n)', 'f(\n\ta,\n\tx,\n\tk=1,\n)'],
  ['Windows line endings', 'f(\r\n    a,\r\n    x,\r\n)', 'f(\r\n    a,\r\n    x,\r\n    k=1,\r\n)'],
  ['several arguments on the last line', 'f(\n    a, x\n)', 'f(\n    a, x, k=1\n)'],
  ['several arguments on the last line, trailing comma', 'f(\n    a, x,\n)', 'f(\n    a, x, k=1,\n)'],
  ['closed on the last argument', 'f(\n    a,\n    x)', 'f(\n    a,\n    x, k=1)'],
  ['last argument over several lines', 'f(a, g(\n    1,\n))', 'f(a, g(\n    1,\n), k=1)'],
  ['parenthesised last argument', 'f(a, (x))', 'f(a, (x), k=1)'],
  ['parenthesised generator', 'f((x for x in y))', 'f((x for x in y), k=1)'],
  ['lambda last', 'f(a, lambda x: x)', 'f(a, lambda x: x, k=1)'],
  ['emoji before', 'f("é😀", x)', 'f("é😀", x, k=1)'],
  ['comma inside the last string', 'f(a, "x,y")', 'f(a, "x,y", k=1)'],
];

for (const [title, before, after] of cases) {
  test(`a keyword is added: ${title}`, () => assert.equal(added(before), after));
}

test('no keyword can follow a bare generator', () => assert.equal(added('f(x for x in y)'), undefined));

test('whatever the layout, the call still parses and has one argument more', () => {
  const space = fc.constantFrom('', ' ', '\n    ', '  # note, with comma\n    ', '\n\n\t');
  const value = fc.constantFrom('x', 'g(1, 2)', '"a,b"', '*rest', 'k2=(3)', '[1,\n 2]', 'lambda q: q', '**more');
  const argument = fc.tuple(space, value, space).map(([before, text, behind]) => `${before}${text}${behind}`);
  const call = fc.tuple(fc.array(argument, { minLength: 1, maxLength: 5 }), fc.boolean());
  fc.assert(
    fc.property(call, ([items, trailing]) => {
      const source = `f(${items.join(',')}${trailing ? ',' : ''}\n)\n`;
      const count = (text: string): number => {
        const module = parsePython(text);
        fc.pre(module.unreliable.length === 0);
        for (const expression of expressionsOf(module))
          if (expression.kind === 'call') return expression.arguments.length;
        return -1;
      };
      const before = count(source);
      const after = added(source) ?? '';
      assert.deepEqual(parsePython(after).unreliable, [], after);
      assert.equal(count(after), before + 1, after);
      assert.equal(parsePython(after).comments.length, parsePython(source).comments.length, after);
    }),
    { numRuns: 300 },
  );
});
