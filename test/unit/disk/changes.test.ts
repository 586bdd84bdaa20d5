import assert from 'node:assert/strict';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { lint } from '../../../server/core/lint/engine.ts';
import { allRules } from '../../../server/core/rules/generated/registry.ts';
import { sourceFile } from '../../../server/core/workspace/sourceFile.ts';
import { Dependencies } from '../../../server/disk/dependencies.ts';
import { diskSurroundings } from '../../../server/disk/diskSurroundings.ts';
import { inFolder } from '../../support/inFolder.ts';
import { parsePython } from '../../support/python.ts';

const training = 'from pkg.outer import ckpt  # checkpoint\ny = ckpt(f, x)\n';
const outer = 'from .inner import ckpt  # checkpoint\n';
const reentrant = 'from torch.utils.checkpoint import checkpoint as ckpt\n';
const other = 'def ckpt(f, x):  # no checkpoint\n    return f(x)\n';

/** A folder whose files are remembered for ever, unless somebody says that they have changed. */
function inProject(files: Readonly<Record<string, string>>, use: (project: Project) => void): void {
  inFolder(files, (folder) => {
    const open = new Map<string, { version: number; text: string }>();
    const surroundings = diskSurroundings({
      folders: [folder],
      parse: parsePython,
      rememberedMilliseconds: Number.POSITIVE_INFINITY,
      dependencies: new Dependencies(),
      openText: (name) => open.get(name),
    });
    const at = (name: string): string => path.posix.join(folder, name);
    use({
      at,
      changed: (name, where = 'disk') => surroundings.changed([at(name)], where),
      write(name, text) {
        mkdirSync(path.dirname(at(name)), { recursive: true });
        writeFileSync(at(name), text);
      },
      remove: (name) => rmSync(at(name)),
      edit: (name, text, version) => open.set(at(name), { text, version }),
      versions: (name) => surroundings.versionsFor(at(name)),
      codes(name, text) {
        const workspace = surroundings.workspaceOf(at(name));
        const file = sourceFile(at(name), parsePython(text), workspace);
        const options = { rules: allRules, versions: {}, workspace, severities: {}, onCrash: assert.fail };
        return lint(file, options).map(({ code }) => code);
      },
    });
  });
}

interface Project {
  at(name: string): string;
  changed(name: string, where?: 'editor' | 'disk'): (file: string) => boolean;
  write(name: string, text: string): void;
  remove(name: string): void;
  edit(name: string, text: string, version: number): void;
  versions(name: string): object;
  codes(name: string, text: string): string[];
}

const files = { 'pkg/__init__.py': '', 'pkg/outer.py': outer, 'pkg/inner.py': reentrant, 'alone.py': 'x = 1\n' };

test('a change two files away is seen, and only by those it concerns', () => {
  inProject(files, ({ at, codes, write, changed }) => {
    assert.deepEqual(codes('train.py', training), ['AC101']);
    write('pkg/inner.py', other);
    assert.deepEqual(codes('train.py', training), ['AC101'], 'it is remembered');
    const affects = changed('pkg/inner.py');
    assert.ok(affects(at('train.py')));
    assert.equal(affects(at('alone.py')), false);
    assert.deepEqual(codes('train.py', training), []);
  });
});

test('a file that comes or goes is seen by who looked for it', () => {
  inProject({ 'pkg/__init__.py': '', 'pkg/outer.py': outer }, ({ at, codes, write, remove, changed }) => {
    assert.deepEqual(codes('train.py', training), []);
    write('pkg/inner.py', reentrant);
    assert.ok(changed('pkg/inner.py')(at('train.py')));
    assert.deepEqual(codes('train.py', training), ['AC101']);
    remove('pkg/inner.py');
    assert.ok(changed('pkg/inner.py')(at('train.py')));
    assert.deepEqual(codes('train.py', training), []);
  });
});

test('what an editor shows counts before it is saved, and opening a file changes nothing', () => {
  inProject(files, ({ at, codes, edit, write, changed }) => {
    assert.deepEqual(codes('train.py', training), ['AC101']);
    edit('pkg/inner.py', reentrant, 1);
    assert.equal(changed('pkg/inner.py', 'editor')(at('train.py')), false);
    edit('pkg/inner.py', other, 2);
    assert.ok(changed('pkg/inner.py', 'editor')(at('train.py')));
    assert.deepEqual(codes('train.py', training), []);
    write('pkg/inner.py', reentrant);
    assert.equal(changed('pkg/inner.py')(at('train.py')), false, 'the editor has the last word');
  });
});

test('a file that says which versions are used concerns everything below it', () => {
  inProject({ 'train.py': '', 'sub/train.py': '' }, ({ at, write, versions, changed }) => {
    assert.deepEqual(versions('sub/train.py'), {});
    write('sub/requirements.txt', 'torch==2.4.0\n');
    const affects = changed('sub/requirements.txt');
    assert.ok(affects(at('sub/train.py')));
    assert.equal(affects(at('train.py')), false);
    assert.deepEqual(versions('sub/train.py'), { torch: { major: 2, minor: 4, patch: 0 } });
    const installed = '.venv/lib/python3.12/site-packages/torch-2.13.0.dist-info/METADATA';
    write(installed, '');
    assert.ok(changed(installed)(at('train.py')));
    assert.deepEqual(versions('train.py'), { torch: { major: 2, minor: 13, patch: 0 } });
    assert.equal(changed(installed.replace('torch', 'numpy'))(at('train.py')), false);
  });
});

test('a new package moves the place where imports are looked up', () => {
  inProject({ 'lib/pkg/run.py': reentrant }, ({ at, codes, write, changed }) => {
    const text = 'from pkg.run import ckpt  # checkpoint\ny = ckpt(f, x)\n';
    assert.deepEqual(codes('lib/pkg/train.py', text), []);
    write('lib/pkg/__init__.py', '');
    assert.ok(changed('lib/pkg/__init__.py')(at('lib/pkg/train.py')));
    assert.deepEqual(codes('lib/pkg/train.py', text), ['AC101']);
  });
});
