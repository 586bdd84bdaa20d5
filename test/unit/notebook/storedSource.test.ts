import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { type NotebookFile, readNotebook } from '../../../server/core/notebook/notebookFile.ts';
import { storedSpan, storeSource } from '../../../server/core/notebook/storedSource.ts';
import { applyEdits } from '../../../server/core/text/edit.ts';

function read(json: string): NotebookFile {
  const notebook = readNotebook(json);
  assert.ok('cells' in notebook, 'a notebook');
  return notebook;
}

const codeCell = (source: unknown, more: object = {}) => ({
  cell_type: 'code',
  metadata: {},
  outputs: [],
  source,
  ...more,
});
const notebookWith = (cells: readonly unknown[], more: object = {}) => ({ cells, metadata: {}, nbformat: 4, ...more });

function stored(json: string, cell: number, source: string): string {
  const { places } = read(json);
  return applyEdits(json, [storeSource(json, places[cell]!, source)]);
}

test('code cells are Python where the notebook does not say otherwise', () => {
  const kinds = (metadata: object, ...cells: readonly unknown[]): boolean[] =>
    read(JSON.stringify(notebookWith(cells, { metadata }))).cells.map(({ isPython }) => isPython);
  const markdown = { cell_type: 'markdown', source: 'x' };
  const sql = codeCell('x', { metadata: { vscode: { languageId: 'sql' } } });
  const python = codeCell('x', { metadata: { vscode: { languageId: 'python' } } });
  assert.deepEqual(kinds({}, codeCell('x'), markdown, sql, python, 7, null), [true, false, false, true, false, false]);
  assert.deepEqual(kinds({ language_info: { name: 'R' } }, codeCell('x'), python), [false, true]);
  assert.deepEqual(kinds({ kernelspec: { language: 'julia' } }, codeCell('x')), [false]);
  assert.deepEqual(kinds({ language_info: { name: 'ipython3' } }, codeCell('x')), [true]);
});

test('what is no notebook is named', () => {
  const problem = (json: string): unknown => {
    const result = readNotebook(json);
    return 'problem' in result ? result.problem : undefined;
  };
  assert.equal(problem('{"cells": ['), 'not a notebook: its JSON is broken');
  assert.equal(problem('\0'), 'not a notebook: its JSON is broken');
  assert.equal(problem('[]'), 'not a notebook: its JSON is no object');
  assert.equal(problem('{}'), 'not a notebook: it has no cells');
  assert.equal(problem('{"nbformat": 3, "worksheets": []}'), 'not checked: notebook format 3, only format 4 is read');
});

test('a source keeps its kind and its layout', () => {
  const lines = ['a = 1\n', 'é = 2\n', 'c = 3'];
  const text = JSON.stringify(notebookWith([codeCell(lines), codeCell(lines.join(''))]), null, 1);
  const list = stored(text, 0, 'a = 1\né = 4\nc = 3');
  assert.equal(list, text.replace('"é = 2\\n"', '"é = 4\\n"'));
  assert.equal(stored(text, 0, 'a = 1\né = 2\nb\nc = 3'), text.replace('"é = 2\\n",', '"é = 2\\n",\n    "b\\n",'));
  assert.equal(stored(text, 1, 'a = 1\nb'), text.replace('"a = 1\\né = 2\\nc = 3"', '"a = 1\\nb"'));
  const compact = JSON.stringify(notebookWith([codeCell(lines)]));
  assert.equal(stored(compact, 0, 'a\nb\nc'), compact.replace('"a = 1\\n","é = 2\\n","c = 3"', '"a\\n","b\\n","c"'));
  const single = JSON.stringify(notebookWith([codeCell(['a'])]), null, 1);
  assert.equal(stored(single, 0, 'a\nb'), single.replace('"a"', '"a\\n",\n    "b"'));
});

test('escapes of lines that stay are kept, those of changed lines are as the cell’s were', () => {
  const text = `{"nbformat":4,"cells":[{"cell_type":"code","source":["x = \\"\\u00e9\\/\\"\\n","y"]}]}`;
  assert.equal(stored(text, 0, 'x = "é/"\nz'), text.replace('"y"', '"z"'));
  assert.equal(stored(text, 0, 'x = "é"\ny'), text.replace('\\u00e9\\/', '\\u00e9'));
});

test('of a key given twice the last one counts', () => {
  const text = `{"nbformat":4,"cells":[],"cells":[{"source":"a","cell_type":"code","source":"b"}]}`;
  assert.equal(stored(text, 0, 'c'), text.replace('"b"', '"c"'));
});

test('nesting a hundred thousand deep is passed over', () => {
  const deep = `${'['.repeat(100_000)}${']'.repeat(100_000)}`;
  const text = `{"nbformat":4,"deep":${deep},"cells":[{"cell_type":"code","outputs":${deep},"source":"a"}]}`;
  assert.equal(stored(text, 0, 'b'), text.replace('"a"', '"b"'));
});

const line = fc.constantFrom('x', 'é😀', '"', '\\', '\t', '\u0000', '\u2028', ' ', 'y = 1', '', '\r');
const lineText = fc.array(line, { maxLength: 4 }).map((pieces) => pieces.join(''));
const source = fc.array(lineText, { maxLength: 5 }).map((all) => all.join('\n'));

test('any source written into any notebook is read back, and its spans are found', () => {
  const property = fc.property(
    fc.array(fc.tuple(source, fc.boolean()), { minLength: 1, maxLength: 3 }),
    source,
    fc.constantFrom(0, 1, 2),
    fc.boolean(),
    (cells, replacement, indent, escapes) => {
      const asStored = (text: string): string[] => (text === '' ? [] : text.split(/(?<=\n)/));
      const content = notebookWith(cells.map(([text, isList]) => codeCell(isList ? asStored(text) : text)));
      const plain = JSON.stringify(content, null, indent);
      const json = escapes
        ? plain.replace(/[\x7f-\uffff]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
        : plain;
      const { cells: before, places } = read(json);
      for (const [index, { text }] of before.entries()) {
        assert.equal(text, cells[index]?.[0]);
        for (let start = 0; start < text.length; start++) {
          const one = storedSpan(json, places[index]!, { start, end: start + 1 });
          assert.equal(JSON.parse(`"${json.slice(one.start, one.end)}"`), text[start]);
        }
      }
      const [first, ...others] = read(stored(json, 0, replacement)).cells;
      assert.equal(first?.text, replacement);
      assert.deepEqual(others, before.slice(1));
      assert.equal(stored(json, 0, before[0]?.text ?? ''), json, 'what does not change is written as it was');
    },
  );
  fc.assert(property, { numRuns: 500 });
});
