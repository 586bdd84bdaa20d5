import assert from 'node:assert/strict';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { test } from 'node:test';
import { lint } from '../../../server/core/lint/engine.ts';
import { allRules } from '../../../server/core/rules/generated/registry.ts';
import { sourceFile } from '../../../server/core/workspace/sourceFile.ts';
import { diskSurroundings } from '../../../server/disk/diskSurroundings.ts';
import { inFolder } from '../../support/inFolder.ts';
import { parsePython } from '../../support/python.ts';

const around = (folder: string, rememberedMilliseconds = 0) =>
  diskSurroundings({ folders: [folder], parse: parsePython, rememberedMilliseconds });

test('a module is found from the project, from its src and from beside the file', () => {
  inFolder(
    { 'a/b.py': 'x = 1\n', 'src/c/__init__.py': '', 'src/c/d.py': '', 'tools/run.py': '', 'tools/help.py': '' },
    (folder) => {
      const workspace = around(folder).workspaceOf(`${folder}/tools/run.py`);
      assert.deepEqual(workspace.roots, [`${folder}/tools`, folder, `${folder}/src`]);
      for (const name of ['a/b.py', 'src/c/__init__.py', 'src/c/d.py', 'tools/help.py'])
        assert.ok(workspace.file(`${folder}/${name}`), name);
      assert.equal(workspace.file(`${folder}/a/missing.py`), undefined);
      assert.equal(workspace.file(`${folder}/missing/folder/x.py`), undefined);
    },
  );
});

test('a package is entered from the folder that holds it', () => {
  inFolder({ 'lib/pkg/__init__.py': '', 'lib/pkg/sub/__init__.py': '', 'lib/pkg/sub/mod.py': '' }, (folder) => {
    assert.equal(around(folder).workspaceOf(`${folder}/lib/pkg/sub/mod.py`).roots[0], `${folder}/lib`);
  });
});

test('a changed file is read again, an unchanged one is not parsed twice', () => {
  inFolder({ 'a.py': 'x = 1\n' }, (folder) => {
    const workspace = around(folder).workspaceOf(`${folder}/main.py`);
    const first = workspace.file(`${folder}/a.py`);
    assert.equal(workspace.file(`${folder}/a.py`), first);
    writeFileSync(`${folder}/a.py`, 'x = 1\ny = 2\n');
    assert.equal(workspace.file(`${folder}/a.py`)?.module.body.length, 2);
  });
});

test('links in a circle, folders named like files and large files are not there', () => {
  inFolder({ 'folder.py/inner.py': '', 'large.py': `x = "${'a'.repeat(1_100_000)}"\n` }, (folder) => {
    symlinkSync('loop.py', `${folder}/loop.py`);
    symlinkSync('.', `${folder}/again`);
    const workspace = around(folder).workspaceOf(`${folder}/main.py`);
    for (const name of ['folder.py', 'large.py', 'loop.py'])
      assert.equal(workspace.file(`${folder}/${name}`), undefined, name);
  });
});

test('what is installed beats what is locked, and that beats what is asked for', () => {
  const files = {
    'requirements.txt': 'torch==2.1.0\npeft==0.10.0\n',
    'uv.lock': '[[package]]\nname = "torch"\nversion = "2.4.0"\n',
    'pkg/train.py': '',
  };
  inFolder(files, (folder) => {
    assert.deepEqual(around(folder).versionsFor(`${folder}/pkg/train.py`), {
      torch: { major: 2, minor: 4, patch: 0 },
      peft: { major: 0, minor: 10, patch: 0 },
    });
    mkdirSync(`${folder}/.venv/lib/python3.12/site-packages/torch-2.13.0+cpu.dist-info`, { recursive: true });
    assert.deepEqual(around(folder).versionsFor(`${folder}/pkg/train.py`).torch, { major: 2, minor: 13, patch: 0 });
  });
});

test('a call through a re-export in another file is found', () => {
  inFolder({ 'pkg/__init__.py': '', 'pkg/compat.py': 'from torch.utils.checkpoint import checkpoint\n' }, (folder) => {
    const text = 'from .compat import checkpoint\ny = checkpoint(f, x)\n';
    const path = `${folder}/pkg/train.py`;
    const workspace = around(folder).workspaceOf(path);
    const file = sourceFile(path, parsePython(text), workspace);
    const codes = lint(file, { rules: allRules, versions: {}, workspace, severities: {}, onCrash: assert.fail }).map(
      ({ code }) => code,
    );
    assert.deepEqual(codes, ['AC101']);
  });
});
