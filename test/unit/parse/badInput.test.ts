import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { statementsOf } from '../../../server/core/python/walk.ts';
import { contains, overlaps } from '../../../server/core/text/span.ts';
import { lintText, whereIs } from '../../support/lint.ts';
import { parsePython } from '../../support/python.ts';

const call = 'from torch.utils.checkpoint import checkpoint\ny = checkpoint(f, x)\n';
const findings = (text: string): string[] => lintText(text).map((diagnostic) => whereIs(text, diagnostic));

test('an empty file', () => {
  assert.deepEqual(parsePython('').body, []);
  assert.deepEqual(findings(''), []);
});

test('a NUL byte hides nothing before it and crashes nothing', () => {
  assert.deepEqual(findings(`${call}\u0000\n${call}`)[0], '2:5+10 AC101');
});

test('tabs, a lone carriage return and Windows line endings keep positions', () => {
  const source = 'from torch.utils.checkpoint import checkpoint\r\ndef f(x):\r\n\treturn checkpoint(g, x)\r\n';
  assert.deepEqual(findings(source), ['3:9+10 AC101']);
  assert.deepEqual(findings(source.replaceAll('\r\n', '\n')), ['3:9+10 AC101']);
  assert.deepEqual(findings(source.replaceAll('\r\n', '\r')), ['3:9+10 AC101']);
});

test('positions count UTF-16 units', () => {
  assert.deepEqual(findings('from torch.utils.checkpoint import checkpoint\ny = ["é😀", checkpoint(f, x)]\n'), [
    '2:13+10 AC101',
  ]);
});

test('half-typed code is silent where the parse is not sound, and only there', () => {
  const broken = `${call}def g(self):\n    return checkpoint(self.block, x, \n\ndef h(x):\n    return checkpoint(f, x)\n`;
  const found = findings(broken);
  assert.ok(found.includes('2:5+10 AC101'), found.join());
  assert.ok(!found.some((where) => where.startsWith('4:')), found.join());
});

test('a missing closing parenthesis at the end is not sound', () => {
  assert.deepEqual(findings('from torch.utils.checkpoint import checkpoint\ny = checkpoint(f, x'), []);
});

test('an unclosed string swallows no earlier finding', () => {
  assert.deepEqual(findings(`${call}s = "abc\n`)[0], '2:5+10 AC101');
});

test('nothing is said inside a string that is not closed', () => {
  for (const quotes of ['"""', "'''"]) {
    const found = findings(`${call}s = ${quotes}text\n${call}def g(x):\n    return checkpoint(f, x)\n`);
    assert.deepEqual(found, ['2:5+10 AC101'], quotes);
  }
});

test('an error in one method leaves the other methods alone', () => {
  const source = [
    'from torch.utils.checkpoint import checkpoint',
    'class A:',
    '    def f(self, x):',
    '        return checkpoint(self.a, x)',
    '    def g(self, x):',
    '        y = = 3',
    '        return y',
    '    def h(self, x):',
    '        return checkpoint(self.b, x)',
    '',
  ].join('\n');
  assert.deepEqual(findings(source), ['4:16+10 AC101', '9:16+10 AC101']);
});

test('deep nesting ends instead of exhausting the stack', () => {
  for (const source of [
    '('.repeat(20_000),
    `x = ${'['.repeat(5_000)}${']'.repeat(5_000)}`,
    `x = ${'1 + '.repeat(20_000)}1`,
    'if x:\n '.repeat(50),
  ]) {
    assert.ok(parsePython(source).text === source);
  }
});

test('any text at all gives a module whose spans lie inside it', () => {
  const token = fc.constantFrom(
    'def f(',
    ')',
    ':',
    '\n',
    '    ',
    'checkpoint(',
    'x',
    ',',
    '=',
    '"',
    "'''",
    'class A:',
    '\t',
    '#',
    'lambda',
    '\\',
    '\u0000',
    'é',
    '😀',
    'from a import',
    '**',
    '@',
    'if x:',
    'else:',
    'f"{',
    '}',
  );
  fc.assert(
    fc.property(fc.array(token, { maxLength: 40 }), (tokens) => {
      const text = tokens.join('');
      const module = parsePython(text);
      const whole = { start: 0, end: text.length };
      for (const statement of statementsOf(module.body)) assert.ok(contains(whole, statement), text);
      for (const { at } of lintText(text)) {
        assert.ok(contains(whole, at));
        assert.ok(!module.unreliable.some((span) => overlaps(span, at)));
      }
    }),
    { numRuns: 500 },
  );
});
