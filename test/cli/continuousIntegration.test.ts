import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { parse } from 'yaml';
import { explicit, folderWith, implicit } from './support/folder.ts';

const page = readFileSync('server/cli/continuousIntegration.md', 'utf8');
const blocks = Array.from(page.matchAll(/```yaml\n([\s\S]*?)```/g), ([, block = '']) => parse(block));
const { version } = JSON.parse(readFileSync('package.json', 'utf8'));
const [hook] = parse(readFileSync('.pre-commit-hooks.yaml', 'utf8'));

/** Runs a command of the page in a folder, with this build for the published one. */
function runInShell(command: string, cwd: string) {
  const published = `npx --yes checkpoint-lens@${version.split('.').slice(0, 2).join('.')}`;
  assert.ok(command.startsWith(published), `the page says another version than ${version}`);
  const cli = `${process.execPath} ${path.resolve('dist/cli.js')}`;
  return spawnSync('sh', ['-ec', command.replace(published, cli)], { cwd, encoding: 'utf8' });
}

test('the workflow uploads what it found, and fails only where the check did', (context) => {
  const [{ permissions, jobs }] = blocks;
  const steps: readonly { run?: string; uses?: string; with?: Record<string, string> }[] = jobs.check.steps;
  const upload = steps.find(({ uses }) => uses?.startsWith('github/codeql-action/upload-sarif@'));
  assert.equal(permissions['security-events'], 'write');
  const check = steps.find(({ run }) => run !== undefined)?.run ?? '';
  const { path: cwd, read } = folderWith(context, { 'train.py': implicit });
  assert.equal(runInShell(check, cwd).status, 0);
  const sarif = upload?.with?.sarif_file ?? '';
  assert.equal(JSON.parse(read(sarif)).runs[0].results.length, 1);
  assert.equal(runInShell(check.replace(' check ', ' check no-such-file.py '), cwd).status, 1);
});

test('annotations fail the job where something is found', (context) => {
  const [{ run }] = blocks[1];
  const { path: cwd } = folderWith(context, { 'train.py': implicit });
  const { status, stdout } = runInShell(run, cwd);
  assert.equal(status, 1);
  assert.match(stdout, /^::warning file=train\.py,line=2/m);
  assert.equal(runInShell(run, folderWith(context, { 'train.py': explicit }).path).status, 0);
});

test('the pre-commit example names the hook that this repository defines, which is a command of the package', (context) => {
  const [repository] = blocks[2].repos;
  assert.equal(repository.rev, `v${version}`);
  assert.deepEqual(repository.hooks, [{ id: hook.id }]);
  const [program, ...args] = hook.entry.split(' ');
  const { bin } = JSON.parse(readFileSync('package.json', 'utf8'));
  const { path: cwd } = folderWith(context, { 'train.py': implicit, 'notes.yaml': 'a: 1\n' });
  const command = [path.resolve(bin[program]), ...args, 'train.py', 'notes.yaml'];
  assert.equal(spawnSync(process.execPath, command, { cwd }).status, 1, 'pre-commit names files of all its types');
});
