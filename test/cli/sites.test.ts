import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { test } from 'node:test';
import { folderWith, implicit } from './support/folder.ts';
import { notebook, training } from './support/notebook.ts';
import { runCli } from './support/runCli.ts';

interface Site {
  readonly path: string;
  readonly line: number;
  readonly column: number;
  readonly kind: string;
  readonly what: string;
  readonly variant?: string;
}

test('sites lists calls, wrappers, methods, keywords and keys across files', () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'checkpoint-lens-sites-'));
  try {
    mkdirSync(path.join(folder, 'pkg'));
    writeFileSync(path.join(folder, 'pkg/__init__.py'), '');
    writeFileSync(
      path.join(folder, 'pkg/run.py'),
      'from torch.utils.checkpoint import checkpoint\ndef run(function, x):\n    return checkpoint(function, x, use_reentrant=False)\n',
    );
    writeFileSync(
      path.join(folder, 'pkg/train.py'),
      'from .run import run\ny = run(block, x)\nmodel.gradient_checkpointing_enable()\nBlock(with_cp=True)\noptions = {"gradient_checkpointing": True}\n',
    );
    writeFileSync(path.join(folder, 'other.py'), 'import torch.distributed.checkpoint as dcp\ndcp.save(state)\n');
    const cli = path.resolve('dist/cli.js');
    const output = execFileSync(process.execPath, [cli, 'sites', '--format', 'json'], {
      cwd: folder,
      encoding: 'utf8',
    });
    const { files, sites }: { files: number; sites: Site[] } = JSON.parse(output);
    assert.equal(files, 4);
    assert.deepEqual(
      sites.map((site) => [`${site.path}:${site.line}:${site.column}`, site.kind, site.what, site.variant ?? '']),
      [
        ['pkg/run.py:3:12', 'call', 'torch.utils.checkpoint.checkpoint', 'non-reentrant'],
        ['pkg/train.py:2:5', 'wrapper call', 'torch.utils.checkpoint.checkpoint', 'non-reentrant'],
        ['pkg/train.py:3:1', 'method', '.gradient_checkpointing_enable', ''],
        ['pkg/train.py:4:7', 'keyword', 'with_cp=', ''],
        ['pkg/train.py:5:12', 'key', "'gradient_checkpointing'", ''],
      ],
    );
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test('sites reads the cells of notebooks, and says where in which cell', (context) => {
  const { path: cwd } = folderWith(context, { 'a.ipynb': notebook(training), 'b.py': implicit });
  const { stdout, code } = runCli(['sites'], { cwd });
  assert.deepEqual(stdout.split('\n'), [
    'a.ipynb:cell 5:2:5: call torch.utils.checkpoint.checkpoint (implicit)',
    'b.py:2:5: call torch.utils.checkpoint.checkpoint (implicit)',
    '2 places',
    '',
  ]);
  assert.equal(code, 0);
  const [first] = JSON.parse(runCli(['sites', '--format', 'json'], { cwd }).stdout).sites;
  assert.deepEqual([first.cell, first.line, first.column], [5, 2, 5]);
});

test('sites: a notebook that is none ends with 2 where it was named, and is noted where it was found', (context) => {
  const { path: cwd } = folderWith(context, { 'a.ipynb': '{"cells": [checkpoint', 'b.py': implicit });
  const said = 'checkpoint-lens: a.ipynb: not a notebook: its JSON is broken\n';
  const named = runCli(['sites', 'a.ipynb'], { cwd });
  assert.deepEqual([named.code, named.stderr], [2, said]);
  const found = runCli(['sites'], { cwd });
  assert.deepEqual([found.code, found.stderr], [0, said]);
});
