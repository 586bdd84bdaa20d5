import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { maskMagics } from '../../../server/core/notebook/magics.ts';
import { parsePython } from '../../support/python.ts';

const cases: readonly (readonly [title: string, cell: string, masked: string])[] = [
  ['no magic', 'x = 1\ny = x % 2\n', 'x = 1\ny = x % 2\n'],
  ['a line magic', '%matplotlib inline\nx = 1', 'pass              \nx = 1'],
  ['a shell line', '!ls\nx', '0  \nx'],
  ['a shell line in a block', 'if x:\n    !pip install y\nz', 'if x:\n    pass          \nz'],
  ['a shell line that goes on', '!pip install \\\n  torch\nx', 'pass          \n       \nx'],
  ['help', '?foo\nfoo.bar??\nfoo*?\nx', 'pass\npass     \npass \nx'],
  ['an assigned shell line', 'files = !ls -l\nx', 'files = _     \nx'],
  ['an assigned magic', 'a, b = %timeit -o f()', 'a, b = _             '],
  ['a timed statement', '%time y = f(x)', '0;    y = f(x)'],
  ['a timed expression with options', '%timeit -n 10 f(x)', 'pass              '],
  ['pip without its %', 'pip install torch\npip = 1', 'pass             \npip = 1'],
  ['a cell magic over Python', '%%time\ny = f(x)', '#     \ny = f(x)'],
  ['a cell magic behind empty lines', '\n\n%%capture out\nx', '\n\n#            \nx'],
  ['a cell magic over another language', '%%bash\nls\r\n', '      \n  \r\n'],
  ['an operator at the start of a line', 'x = (a\n  % b)\ny = [\n!=\n]', 'x = (a\n  % b)\ny = [\n!=\n]'],
  ['a backslash before an operator', 'x = a \\\n  % b', 'x = a \\\n  % b'],
  ['a long string', 's = """\n%time\n!ls\n"""\n!ls ', 's = """\n%time\n!ls\n"""\npass'],
  ['quotes in a comment', '# don’t "\n!ls -l', '# don’t "\npass  '],
  ['a bracket in a string', 's = "("\n!ls -l', 's = "("\npass  '],
  ['unequal is no shell', 'assert x != y\nx %= 2', 'assert x != y\nx %= 2'],
  ['a lone sign', '%', '0'],
  ['nothing', '', ''],
];

for (const [title, cell, masked] of cases) {
  test(`magics: ${title}`, () => assert.equal(maskMagics(cell), masked));
}

test('what stands for a magic is Python', () => {
  for (const [title, cell] of cases)
    assert.deepEqual(
      parsePython(`${maskMagics(cell)}\n`).unreliable.length,
      title === 'an operator at the start of a line' ? 1 : 0,
      title,
    );
});

test('masking keeps every length and line break, whatever the cell', () => {
  const piece = fc.constantFrom(
    '%',
    '!',
    '?',
    '%%time',
    '%%',
    '"',
    "'",
    '"""',
    '\\',
    '\n',
    '\r',
    '\r\n',
    '(',
    ')',
    '#',
    ' ',
    '    ',
    'x = ',
    'é😀',
    'pip install',
    '%time ',
    'for',
  );
  const property = fc.property(fc.array(piece, { maxLength: 30 }), (pieces) => {
    const cell = pieces.join('');
    const masked = maskMagics(cell);
    assert.equal(masked.length, cell.length);
    assert.equal(masked.replace(/[^\r\n]/g, ' '), cell.replace(/[^\r\n]/g, ' '));
  });
  fc.assert(property, { numRuns: 2000 });
});
