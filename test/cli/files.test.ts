import assert from 'node:assert/strict';
import { mkdirSync, symlinkSync } from 'node:fs';
import { test } from 'node:test';
import { folderWith, implicit } from './support/folder.ts';
import { runCli } from './support/runCli.ts';

function found(cwd: string, ...args: string[]): string[] {
  const { stdout } = runCli(['check', '--format', 'json', ...args], { cwd });
  return JSON.parse(stdout).findings.map(({ path }: { path: string }) => path);
}

test('folders are searched for Python files, except what nobody wrote', (context) => {
  const { path: cwd } = folderWith(context, {
    'z.py': implicit,
    'a/b/c.py': implicit,
    'a/notes.txt': implicit,
    '.hidden/d.py': implicit,
    '.git/hooks/e.py': implicit,
    'node_modules/m/f.py': implicit,
    'a/__pycache__/g.py': implicit,
    'env-of-mine/pyvenv.cfg': '',
    'env-of-mine/lib/h.py': implicit,
    '.venv/lib/i.py': implicit,
    'a/.ipynb_checkpoints/j.py': implicit,
  });
  assert.deepEqual(found(cwd), ['.hidden/d.py', 'a/b/c.py', 'z.py']);
  assert.deepEqual(found(cwd, 'node_modules'), ['node_modules/m/f.py'], 'a folder that is named is searched');
});

test('.gitignore files count, nested ones and negated patterns too', (context) => {
  const { path: cwd } = folderWith(context, {
    '.gitignore': '# made\nbuild/\n*_gen.py\n/top.py\n!keep_gen.py\nodd/\n',
    'build/a.py': implicit,
    'x_gen.py': implicit,
    'keep_gen.py': implicit,
    'top.py': implicit,
    'sub/top.py': implicit,
    'sub/.gitignore': '!x_gen.py\nown.py\n!odd/\n',
    'sub/x_gen.py': implicit,
    'sub/own.py': implicit,
    'sub/deeper/own.py': implicit,
    'sub/odd/in.py': implicit,
  });
  assert.deepEqual(found(cwd), ['keep_gen.py', 'sub/odd/in.py', 'sub/top.py', 'sub/x_gen.py']);
});

test('a repository’s .gitignore counts below it, and what is named is checked all the same', (context) => {
  const folder = folderWith(context, {
    '.gitignore': 'ignored.py\nout/\n',
    '.git/info/exclude': 'private.py\n',
    'src/ignored.py': implicit,
    'src/private.py': implicit,
    'src/kept.py': implicit,
    'out/made.py': implicit,
  });
  const cwd = folder.at('src');
  assert.deepEqual(found(cwd), ['kept.py']);
  assert.deepEqual(found(cwd, 'ignored.py'), ['ignored.py']);
  assert.deepEqual(found(cwd, '../out'), ['../out/made.py']);
});

test('a file is checked once however often it is named, whatever its ending', (context) => {
  const folder = folderWith(context, { 'a.py': implicit, script: implicit });
  assert.deepEqual(found(folder.path, '.', 'a.py', './a.py', folder.at('a.py'), 'script'), ['a.py', 'script']);
});

test('links make no circle and no file twice', (context) => {
  const folder = folderWith(context, { 'a/real.py': implicit });
  const other = folderWith(context, { 'elsewhere.py': implicit });
  symlinkSync('..', folder.at('a/loop'));
  symlinkSync('a/real.py', folder.at('again.py'));
  symlinkSync(other.at('elsewhere.py'), folder.at('linked.py'));
  symlinkSync('nowhere.py', folder.at('dangling.py'));
  symlinkSync('self.py', folder.at('self.py'));
  assert.deepEqual(found(folder.path), ['a/real.py', 'linked.py']);
  assert.deepEqual(found(folder.path, 'again.py'), ['again.py']);
});

test('what cannot be read is said, the rest is checked, and the exit code is 2', (context) => {
  const folder = folderWith(context, { 'a.py': implicit, 'n.ipynb': '{"checkpoint": ' });
  mkdirSync(folder.at('empty'));
  const { code, stdout, stderr } = runCli(['check', 'none', 'a.py', 'n.ipynb', 'empty'], { cwd: folder.path });
  assert.match(stdout, /^a\.py:2:5: warning AC101 .*\n1 finding in 1 of 2 files; --fix can fix 1\n$/);
  assert.deepEqual(stderr.split('\n'), [
    'checkpoint-lens: empty: no Python files to check in it',
    'checkpoint-lens: none: no such file or folder',
    'checkpoint-lens: n.ipynb: not a notebook: its JSON is broken',
    '',
  ]);
  assert.equal(code, 2);
});

test('the command works from any folder', (context) => {
  const folder = folderWith(context, { 'a.py': implicit });
  const { code, stdout } = runCli(['check', folder.path], { cwd: '/' });
  assert.ok(stdout.startsWith(`${folder.at('a.py')}:2:5: `));
  assert.equal(code, 1);
});
