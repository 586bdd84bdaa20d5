import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { findingsInCells } from '../../../server/core/notebook/findingsInCells.ts';
import { type Cell, inCell, inJoined, joinCells } from '../../../server/core/notebook/joinCells.ts';
import { lintModule } from '../../support/lint.ts';
import { parsePython } from '../../support/python.ts';

const join = (cells: readonly Cell[]) => joinCells(cells, parsePython);
const python = (text: string): Cell => ({ text, isPython: true });
const other = (text: string): Cell => ({ text, isPython: false });

/** `cell:line-of-code code` for each finding. */
function found(...cells: readonly (string | Cell)[]): string[] {
  const joined = join(cells.map((cell) => (typeof cell === 'string' ? python(cell) : cell)));
  return findingsInCells(joined, lintModule(joined.module)).map(({ at, code }) => {
    const place = inCell(joined, at);
    assert.ok(place);
    return `${place.cell}:${joined.cells[place.cell]?.text.slice(place.start, place.end)} ${code}`;
  });
}

const imports = 'from torch.utils.checkpoint import checkpoint';
const call = 'y = checkpoint(block, x)';

test('a name that one cell imports is known in the next', () => {
  assert.deepEqual(found(imports, call), ['1:checkpoint AC101']);
  assert.deepEqual(found(other('# Title'), imports, other('text'), 'x = 1\n', call), ['4:checkpoint AC101']);
});

test('cells in other languages take no part', () => {
  assert.deepEqual(found(other(imports), call), []);
  assert.deepEqual(found(imports, other(call)), []);
  assert.deepEqual(found(imports, `%%bash\n${call}`), []);
});

test('magics and shell lines leave the code around them alone', () => {
  const magics = '%load_ext autoreload\n%autoreload 2\n!pip install torch';
  assert.deepEqual(found(`${magics}\n${imports}`, `!nvidia-smi\n${call}`), ['1:checkpoint AC101']);
  assert.deepEqual(found(imports, `%%time\n${call}`), ['1:checkpoint AC101']);
  assert.deepEqual(found(imports, `%time ${call}`), ['1:checkpoint AC101']);
});

test('a half-typed cell costs its own findings, not those of the others', () => {
  for (const half of [
    'def f(:',
    'x = (1,',
    'text = """never closed',
    'if x:\n',
    'class A(',
    'x = 1 \\',
    '@',
    'foo(1,',
  ]) {
    assert.deepEqual(found(imports, half, call), ['2:checkpoint AC101'], half);
    assert.deepEqual(found(half, imports, call), ['2:checkpoint AC101'], half);
    assert.deepEqual(found(imports, call, half), ['1:checkpoint AC101'], half);
  }
  assert.deepEqual(found(imports, 'if x:\n    pass', 'else:\n    z = 1', call), ['3:checkpoint AC101']);
});

test('a cell that was left out counts as unreliable', () => {
  const { module, spans } = join([python('x = (1,'), python('y = 2')]);
  assert.deepEqual(module.unreliable, [{ start: 0, end: spans[0]?.end }]);
});

test('a finding or an edit never crosses cells', () => {
  const joined = join([python('a = 1'), other('#'), python('b = 2')]);
  assert.deepEqual(inCell(joined, { start: 6, end: 7 }), { cell: 2, start: 0, end: 1 });
  assert.deepEqual(inCell(joined, { start: 5, end: 5 }), { cell: 0, start: 5, end: 5 });
  assert.equal(inCell(joined, { start: 4, end: 7 }), undefined);
  assert.equal(inJoined(joined, 1, 0), undefined);
});

test('no cell at all is a notebook too', () => {
  const joined = join([]);
  assert.equal(joined.text, '');
  assert.equal(inCell(joined, { start: 0, end: 0 }), undefined);
  assert.deepEqual(found(other('text')), []);
});

const lines = [
  imports,
  call,
  'x = 1',
  '%time x = 1',
  '!ls {x}',
  '%%bash',
  '%%time',
  'x = """',
  '"""',
  'def f(:',
  'for i in x:\n    !echo $i',
  '"é😀"; y = checkpoint(block, x)',
  'x?',
  'foo = !ls',
  '    indented = 1',
  '\\',
  '\r\n',
];
const anyCell = fc
  .tuple(fc.array(fc.constantFrom(...lines), { maxLength: 5 }), fc.boolean())
  .map(([some, isPython]): Cell => ({ text: some.join('\n'), isPython }));

test('offsets map there and back, and what is not masked is the cell’s own text', () => {
  const property = fc.property(fc.array(anyCell, { maxLength: 6 }), (cells) => {
    const joined = join(cells);
    for (const [index, { text, isPython }] of cells.entries()) {
      if (!isPython) {
        assert.equal(inJoined(joined, index, 0), undefined);
        continue;
      }
      for (let offset = 0; offset <= text.length; offset++) {
        const at = inJoined(joined, index, offset);
        assert.ok(at !== undefined);
        assert.deepEqual(inCell(joined, { start: at, end: at }), { cell: index, start: offset, end: offset });
        assert.equal(/[\r\n]/.test(joined.text[at] ?? ''), offset === text.length || /[\r\n]/.test(text[offset] ?? ''));
      }
    }
    for (const { at } of findingsInCells(joined, lintModule(joined.module))) {
      const place = inCell(joined, at);
      assert.ok(place);
      assert.equal(joined.cells[place.cell]?.text.slice(place.start, place.end), joined.text.slice(at.start, at.end));
    }
  });
  fc.assert(property, { numRuns: 300 });
});
