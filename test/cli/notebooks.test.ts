import assert from 'node:assert/strict';
import { test } from 'node:test';
import { folderWith, implicit } from './support/folder.ts';
import { notebook, training } from './support/notebook.ts';
import { runCli } from './support/runCli.ts';

const message = 'use_reentrant is not given: torch warns and takes the reentrant variant';
const fixed = (text: string): string =>
  text.replace('checkpoint(block, x)', 'checkpoint(block, x, use_reentrant=False)');

function check(context: Parameters<typeof folderWith>[0], content: string | Uint8Array, ...args: string[]) {
  const folder = folderWith(context, { 'a.ipynb': content });
  return { ...runCli(['check', ...args], { cwd: folder.path }), folder };
}

test('text: a notebook’s findings are told by cell', (context) => {
  const { code, stdout, stderr } = check(context, notebook(training));
  assert.deepEqual(stdout.split('\n'), [
    `a.ipynb:cell 5:2:5: warning AC101 ${message} [implicit-use-reentrant]`,
    '1 finding in 1 of 1 file; --fix can fix 1',
    '',
  ]);
  assert.equal(stderr, '');
  assert.equal(code, 1);
});

test('json: lines and columns are of the cell, also those of edits', (context) => {
  const { stdout } = check(context, notebook(training), '--format', 'json');
  const [{ fixes, ...finding }] = JSON.parse(stdout).findings;
  assert.deepEqual(finding, {
    path: 'a.ipynb',
    cell: 5,
    line: 2,
    column: 5,
    endLine: 2,
    endColumn: 15,
    code: 'AC101',
    name: 'implicit-use-reentrant',
    severity: 'warning',
    message,
  });
  const at = { line: 2, column: 24 };
  assert.deepEqual(fixes[0].edits, [{ cell: 5, start: at, end: at, text: ', use_reentrant=False' }]);
});

test('github and sarif: regions are of the stored file, the message names the cell', (context) => {
  const text = notebook(training);
  const line = text.split('\n').findIndex((one) => one.includes('y = checkpoint')) + 1;
  const column = (text.split('\n')[line - 1]?.indexOf('checkpoint') ?? 0) + 1;
  const where = `file=a.ipynb,line=${line},endLine=${line},col=${column},endColumn=${column + 10},`;
  const { stdout } = check(context, text, '--format', 'github');
  assert.equal(
    stdout,
    `::warning ${where}title=AC101 implicit-use-reentrant::a.ipynb:${line}:${column}: AC101 ${message} (cell 5, line 2)\n`,
  );
  const [result] = JSON.parse(check(context, text, '--format', 'sarif').stdout).runs[0].results;
  assert.equal(result.message.text, `${message} (cell 5, line 2)`);
  assert.deepEqual(result.locations[0].physicalLocation.region, {
    startLine: line,
    startColumn: column,
    endLine: line,
    endColumn: column + 10,
  });
  const [replacement] = result.fixes[0].artifactChanges[0].replacements;
  const lines = text.split('\n');
  const offset = (at: number, col: number): number => lines.slice(0, at - 1).join('\n').length + col;
  const { startLine, startColumn, endLine, endColumn } = replacement.deletedRegion;
  const patched = `${text.slice(0, offset(startLine, startColumn))}${replacement.insertedContent.text}${text.slice(offset(endLine, endColumn))}`;
  assert.equal(patched, fixed(text), 'applying the fix to the file gives what --fix gives');
});

test('--fix changes one string of the file and leaves every other byte', (context) => {
  for (const [indent, lineBreak, mark] of [
    [1, '\n', ''],
    [0, '\n', '\ufeff'],
    [4, '\r\n', ''],
  ] as const) {
    const text = mark + notebook(training, { indent }).replaceAll('\n', lineBreak);
    const { folder, code, stdout } = check(context, text, '--fix');
    assert.equal(folder.read('a.ipynb'), fixed(text));
    assert.equal(stdout, 'a.ipynb: fixed AC101\nNo findings in 1 file\n');
    assert.equal(code, 0);
  }
});

test('--fix keeps a source that is one string, escapes, and a file without a last line break', (context) => {
  const source = 'from torch.utils.checkpoint import checkpoint\\ns = \\"\\u00e9\\"\\ny = checkpoint(block, x)';
  const text = `{"cells":[{"cell_type":"code","source":"${source}"}],"nbformat":4,"metadata":{"\\u00e9":1}}`;
  const { folder } = check(context, text, '--fix');
  assert.equal(folder.read('a.ipynb'), fixed(text));
});

test('a fix may add its import in another cell', (context) => {
  const cells = [
    '%%time\nimport torch',
    'from torch.utils.checkpoint import checkpoint, create_selective_checkpoint_contexts',
    'y = checkpoint(f, x, use_reentrant=False, context_fn=create_selective_checkpoint_contexts(policy))',
  ];
  const json = check(context, notebook(cells), '--format', 'json');
  const [{ fixes }] = JSON.parse(json.stdout).findings;
  assert.deepEqual(
    fixes[0].edits.map(({ cell, start, text }: Record<string, unknown>) => ({ cell, start, text })),
    [
      { cell: 1, start: { line: 2, column: 1 }, text: 'import functools\n' },
      {
        cell: 3,
        start: { line: 1, column: 54 },
        text: 'functools.partial(create_selective_checkpoint_contexts, ',
      },
    ],
  );
});

test('an import that one cell makes is followed into the files beside the notebook', (context) => {
  const { path: cwd } = folderWith(context, {
    'helpers.py': 'from torch.utils.checkpoint import checkpoint\n',
    'a.ipynb': notebook(['from helpers import checkpoint', 'y = checkpoint(f, x)']),
  });
  assert.match(runCli(['check'], { cwd }).stdout, /^a\.ipynb:cell 2:1:5: warning AC101/);
});

test('a comment silences its line, or the notebook', (context) => {
  const silent = training.map((cell) => cell.replace('(block, x)', '(block, x)  # noqa: AC101'));
  assert.equal(check(context, notebook(silent)).code, 0);
  assert.equal(check(context, notebook(['# checkpoint-lens: ignore-file', ...training])).code, 0);
});

test('notebooks in other languages are left alone', (context) => {
  const metadata = { language_info: { name: 'R' } };
  assert.equal(check(context, notebook(training, { metadata })).code, 0);
});

test('standard input may be a notebook', () => {
  const run = runCli(['check', '-', '--fix', '--stdin-filename', 'a.ipynb'], { input: notebook(training) });
  assert.equal(run.stdout, fixed(notebook(training)));
  assert.equal(run.stderr, 'a.ipynb: fixed AC101\nNo findings in 1 file\n');
});

const damaged: Readonly<Record<string, readonly [content: string, problem: string]>> = {
  broken: [notebook(training).slice(0, -20), 'its JSON is broken'],
  conflict: [`<<<<<<< HEAD\n${notebook(training)}`, 'its JSON is broken'],
  list: ['["checkpoint"]', 'its JSON is no object'],
  nul: [notebook(training).replace('"x', '"\0x'), 'its JSON is broken'],
  other: ['{"checkpoint": 1}', 'it has no cells'],
  python: [implicit, 'its JSON is broken'],
};

test('bad notebooks: what is damaged is said and never rewritten', (context) => {
  const files = Object.entries(damaged).map(([name, [content]]) => [`${name}.ipynb`, content] as const);
  const folder = folderWith(context, Object.fromEntries(files));
  const { code, stderr } = runCli(['check', '--fix'], { cwd: folder.path });
  const said = Object.entries(damaged).map(
    ([name, [, why]]) => `checkpoint-lens: ${name}.ipynb: not a notebook: ${why}\n`,
  );
  assert.equal(stderr, said.join(''));
  assert.equal(code, 2);
  for (const [name, content] of files) assert.equal(folder.read(name), content);
});

test('bad notebooks: other formats and odd shapes are passed over', (context) => {
  const { path: cwd } = folderWith(context, {
    'empty.ipynb': '',
    'old.ipynb': '{"nbformat": 3, "worksheets": [{"cells": ["checkpoint"]}]}',
    'odd.ipynb': '{"nbformat": 4, "cells": [1, null, {}, {"cell_type": "code", "source": {"checkpoint": [1]}}]}',
  });
  const { code, stderr } = runCli(['check'], { cwd });
  assert.equal(stderr, 'checkpoint-lens: old.ipynb: not checked: notebook format 3, only format 4 is read\n');
  assert.equal(code, 0);
});

test('bad notebooks: not UTF-8 is checked, and not rewritten', (context) => {
  const content = Buffer.from(notebook(training).replace('\\"é\\"', '\\"~\\"'));
  const at = content.indexOf('~');
  content[at] = 0xe9;
  const { folder, code, stderr } = check(context, content, '--fix');
  assert.equal(stderr, 'checkpoint-lens: a.ipynb: not fixed: it is not UTF-8\n');
  assert.equal(code, 1);
  assert.ok(folder.bytes('a.ipynb').equals(content));
});

test('bad notebooks: 50 MB of pictures take seconds', (context) => {
  const picture = 'iVBORw0KGgo'.repeat(4_600_000);
  const text = notebook(training).replace('checkpoint é\\n', picture);
  const started = performance.now();
  const { folder, code } = check(context, text, '--fix');
  assert.equal(code, 0);
  assert.ok(performance.now() - started < 20_000);
  assert.ok(folder.read('a.ipynb') === fixed(text));
});
