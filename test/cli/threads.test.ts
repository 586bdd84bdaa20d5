import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { rmSync, writeFileSync } from 'node:fs';
import { text } from 'node:stream/consumers';
import { type TestContext, test } from 'node:test';
import { type Folder, folderWith, implicit } from './support/folder.ts';
import { cli, runCli } from './support/runCli.ts';

const caller = 'from pkg.compat import ckpt\nckpt(block, x)  # checkpoint\n';
const wrapper = 'from torch.utils.checkpoint import checkpoint\nckpt = checkpoint\n';

/** Enough to do that other threads are started, with findings in the files themselves and through one that they import. */
function project(context: TestContext): Folder {
  const file = (index: number): [string, string] => [
    `part${index % 7}/file${String(index).padStart(4, '0')}.py`,
    `${index % 3 === 0 ? caller : index % 3 === 1 ? implicit : 'checkpointing = 1\n'}${body}`,
  ];
  return folderWith(context, {
    'pkg/__init__.py': '',
    'pkg/compat.py': wrapper,
    'notebook.ipynb': JSON.stringify({
      cells: [{ cell_type: 'code', source: implicit, metadata: {}, outputs: [], execution_count: null }],
      metadata: {},
      nbformat: 4,
      nbformat_minor: 5,
    }),
    ...Object.fromEntries(Array.from({ length: 300 }, (_, index) => file(index))),
  });
}

const body = Array.from({ length: 40 }, (_, index) => `def f${index}(x):\n    return x * ${index}\n`).join('');

test('other threads find the same, in the same order', (context) => {
  const { path: cwd } = project(context);
  const report = (...args: string[]) => runCli(['check', '.', '--no-cache', ...args], { cwd });
  const alone = report('--threads', '1');
  const together = report('--threads', '3');
  assert.equal(together.stdout, alone.stdout);
  assert.match(alone.stdout, /\n201 findings in 201 of 303 files; /);
  assert.deepEqual([together.code, together.stderr], [alone.code, alone.stderr]);
});

test('what other threads found is kept with all it depends on', (context) => {
  const folder = project(context);
  const { path: cache } = folderWith(context, {});
  const found = (...args: string[]): string[] => {
    const { stdout } = runCli(['check', '.', '--format', 'json', ...args], { cwd: folder.path, cache });
    return JSON.parse(stdout).findings.map(({ path }: { path: string }) => path);
  };
  const first = found('--threads', '3');
  assert.equal(first.length, 201);
  assert.deepEqual(found(), first);
  writeFileSync(folder.at('pkg/compat.py'), wrapper.replace('= checkpoint', '= print'));
  const after = found('--threads', '3');
  assert.equal(after.length, 101);
  rmSync(folder.at('pkg/compat.py'));
  assert.deepEqual(found(), after);
  writeFileSync(folder.at('pkg/compat.py'), wrapper);
  assert.deepEqual(found(), first);
});

test('Ctrl+C ends other threads too, with what was found before the first file that was not checked', async (context) => {
  const folder = project(context);
  const child = spawn(process.execPath, [cli, 'check', '.', '--no-cache', '--threads', '3'], {
    cwd: folder.path,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  context.after(() => child.kill('SIGKILL'));
  const errors = text(child.stderr);
  let report = '';
  let isStopped = false;
  child.stdout.on('data', (some: Buffer) => {
    report += some.toString();
    // By then they are at work.
    if (!isStopped && report.includes('part2')) isStopped = child.kill('SIGINT');
  });
  const code = await new Promise((resolve) => child.once('close', resolve));
  assert.equal(code, 130);
  const stopped = /stopped: (\d+) of 303 files checked, not those from (\S+) on\n$/.exec(await errors);
  assert.ok(stopped !== null, await errors);
  const all = runCli(['check', '.', '--no-cache', '--threads', '1'], { cwd: folder.path }).stdout.split('\n');
  const found = report.split('\n').filter((line) => line.includes('.py:'));
  const expected = all.filter((line) => line.includes('.py:') && (line.split(':')[0] ?? '') < (stopped[2] ?? ''));
  assert.deepEqual(found, expected);
});

test('a number of threads is a whole number from one on', (context) => {
  const { path: cwd } = folderWith(context, { 'a.py': implicit });
  const { code, stderr } = runCli(['check', '.', '--threads', '0'], { cwd });
  assert.deepEqual([code, stderr], [2, 'checkpoint-lens: --threads 0: not a whole number from 1 on\n']);
});
