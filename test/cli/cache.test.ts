import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, rmSync, statSync, truncateSync, utimesSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { type TestContext, test } from 'node:test';
import { type Folder, folderWith, implicit } from './support/folder.ts';
import { cli, runCli } from './support/runCli.ts';

interface Scan {
  readonly folder: Folder;
  write(name: string, content: string): void;
  remove(name: string): void;
  /** Findings as `path code`, which are the same as those of a run without the cache. */
  run(...args: string[]): string[];
  /** The cache's files. */
  kept(): string[];
}

function scanOf(context: TestContext, files: Readonly<Record<string, string>>): Scan {
  const folder = folderWith(context, files);
  const { path: cache } = folderWith(context, {});
  const kept = (): string[] =>
    readdirSync(cache, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => path.join(entry.parentPath, entry.name));
  const reportOf = (args: readonly string[], where: string): string =>
    runCli(['check', '--format', 'json', '.', ...args], { cwd: folder.path, cache: where }).stdout;
  return {
    folder,
    kept,
    write: (name, content) => writeFileSync(folder.at(name), content),
    remove: (name) => rmSync(folder.at(name)),
    run(...args) {
      const report = reportOf(args, cache);
      assert.equal(report, reportOf([...args, '--no-cache'], cache), 'the same as without the cache');
      return JSON.parse(report).findings.map(({ path: file, code }: Record<string, string>) => `${file} ${code}`);
    },
  };
}

const caller = 'from pkg.compat import run\nrun(block, x)  # checkpoint\n';
const wrapper = 'from torch.utils.checkpoint import checkpoint\nrun = checkpoint\n';

test('a second run finds the same, and keeps what the first one kept', async (context) => {
  const scan = scanOf(context, { 'a.py': implicit, 'b.py': '# checkpoint\n', 'c.py': 'x = 1\n' });
  await settled();
  assert.deepEqual(scan.run(), ['a.py AC101']);
  const [file = ''] = scan.kept();
  const before = readFileSync(file);
  assert.deepEqual(scan.run(), ['a.py AC101']);
  assert.deepEqual(scan.kept(), [file]);
  assert.deepEqual(readFileSync(file), before);
});

/** What has changed less than some seconds ago is never taken as known by its times. */
const settled = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 3_200));

test('what was kept is what is reported, unless somebody else wrote it', (context) => {
  const folder = folderWith(context, { 'a.py': implicit });
  const { path: cache } = folderWith(context, {});
  const report = (): string => runCli(['check', '.'], { cwd: folder.path, cache }).stdout;
  report();
  const [name = ''] = readdirSync(path.join(cache, 'checkpoint-lens'));
  const file = path.join(cache, 'checkpoint-lens', name);
  const [, content = ''] = readFileSync(file, 'utf8').split('\n');
  const marked = content.replaceAll('use_reentrant', 'kept_use_reentrant');
  writeFileSync(file, `${createHash('sha256').update(marked).digest('base64')}\n${marked}`);
  assert.match(report(), /kept_use_reentrant/);
  writeFileSync(file, `${createHash('sha256').update(content).digest('base64')}\n${marked}`);
  assert.doesNotMatch(report(), /kept_use_reentrant/);
});

const changes: readonly (readonly [
  title: string,
  files: Readonly<Record<string, string>>,
  change: (scan: Scan) => void,
  before: readonly string[],
  after: readonly string[],
])[] = [
  ['the file itself', { 'a.py': implicit }, (scan) => scan.write('a.py', '# checkpoint\n'), ['a.py AC101'], []],
  [
    'a wrapper in another file',
    { 'a.py': caller, 'pkg/__init__.py': '', 'pkg/compat.py': wrapper },
    (scan) => scan.write('pkg/compat.py', wrapper.replace('= checkpoint', '= print')),
    ['a.py AC101'],
    [],
  ],
  [
    'a wrapper two files away',
    {
      'a.py': caller,
      'pkg/__init__.py': '',
      'pkg/compat.py': 'from pkg.b import run  # checkpoint\n',
      'pkg/b.py': wrapper,
    },
    (scan) => scan.write('pkg/b.py', wrapper.replace('= checkpoint', '= print')),
    ['a.py AC101'],
    [],
  ],
  [
    'a module that comes',
    { 'a.py': caller, 'pkg/__init__.py': '' },
    (scan) => scan.write('pkg/compat.py', wrapper),
    [],
    ['a.py AC101'],
  ],
  [
    'a module that goes',
    { 'a.py': caller, 'pkg/__init__.py': '', 'pkg/compat.py': wrapper },
    (scan) => scan.remove('pkg/compat.py'),
    ['a.py AC101'],
    [],
  ],
  [
    'a version in a lock file',
    { 'a.py': implicit, 'uv.lock': '[[package]]\nname = "torch"\nversion = "2.13.0"\n' },
    (scan) => scan.write('uv.lock', '[[package]]\nname = "torch"\nversion = "1.10.0"\n'),
    ['a.py AC101'],
    [],
  ],
  [
    'a package’s mark, which moves where imports are looked up',
    { 'x/__init__.py': '', 'x/a.py': caller, 'x/pkg/__init__.py': '', 'x/pkg/compat.py': wrapper },
    (scan) => scan.remove('x/__init__.py'),
    ['x/a.py AC101'],
    ['x/a.py AC101'],
  ],
];
for (const [title, files, change, before, after] of changes) {
  test(`nothing stale after a change of ${title}`, { concurrency: true }, async (context) => {
    const scan = scanOf(context, files);
    await settled();
    assert.deepEqual(scan.run(), before);
    assert.deepEqual(scan.run(), before);
    change(scan);
    assert.deepEqual(scan.run(), after);
    assert.deepEqual(scan.run(), after);
  });
}

test('a change that keeps size and time is seen', async (context) => {
  const scan = scanOf(context, { 'a.py': implicit });
  await settled();
  const { atime, mtime } = statSync(scan.folder.at('a.py'));
  assert.deepEqual(scan.run(), ['a.py AC101']);
  assert.deepEqual(scan.run(), ['a.py AC101']);
  scan.write('a.py', implicit.replace('checkpoint(', 'checkpoinT('));
  utimesSync(scan.folder.at('a.py'), atime, mtime);
  assert.deepEqual(scan.run(), []);
});

test('a file that gets a word rules are about is no longer passed over', async (context) => {
  const scan = scanOf(context, { 'a.py': 'x = 1\n', 'b.py': implicit });
  await settled();
  assert.deepEqual(scan.run(), ['b.py AC101']);
  assert.deepEqual(scan.run(), ['b.py AC101']);
  scan.write('a.py', implicit);
  assert.deepEqual(scan.run(), ['a.py AC101', 'b.py AC101']);
});

test('nothing stale after a change of a configuration that code names', (context) => {
  const on = '{"train_micro_batch_size_per_gpu": 1, "activation_checkpointing": {"partition_activations": true}}';
  const code = 'import deepspeed\n# checkpoint\nengine, *_ = deepspeed.initialize(model=model, config="ds.json")\n';
  const scan = scanOf(context, { 'a.py': code, 'ds.json': on });
  const first = scan.run();
  assert.deepEqual(scan.run(), first);
  scan.write('ds.json', '{"train_micro_batch_size_per_gpu": 1}');
  scan.run();
  scan.write('ds.json', on);
  assert.deepEqual(scan.run(), first);
});

test('other flags are another command', (context) => {
  const scan = scanOf(context, { 'a.py': implicit });
  assert.deepEqual(scan.run(), ['a.py AC101']);
  assert.deepEqual(scan.run('--ignore', 'AC101'), []);
  assert.deepEqual(scan.run('--torch', '1.10'), []);
  assert.deepEqual(scan.run(), ['a.py AC101']);
});

test('a cache that is cut off, or not one at all, is none', (context) => {
  const scan = scanOf(context, { 'a.py': implicit });
  scan.run();
  const [file = ''] = scan.kept();
  truncateSync(file, 100);
  assert.deepEqual(scan.run(), ['a.py AC101']);
  writeFileSync(file, 'no cache\n{}');
  assert.deepEqual(scan.run(), ['a.py AC101']);
  assert.deepEqual(scan.run(), ['a.py AC101']);
});

test('without the flag a folder alone is kept, and with it nothing', (context) => {
  const scan = scanOf(context, { 'a.py': implicit });
  const cache = folderWith(context, {});
  runCli(['check', 'a.py'], { cwd: scan.folder.path, cache: cache.path });
  runCli(['check', '.', '--no-cache'], { cwd: scan.folder.path, cache: cache.path });
  assert.deepEqual(readdirSync(cache.path), []);
});

test('two runs at once leave one whole cache', async (context) => {
  const scan = scanOf(context, { 'a.py': implicit });
  const { path: cache } = folderWith(context, {});
  const env = { ...process.env, XDG_CACHE_HOME: cache };
  const codes = await Promise.all(
    [1, 2].map(
      () =>
        new Promise((resolve) =>
          spawn(process.execPath, [cli, 'check', '.'], { cwd: scan.folder.path, env, stdio: 'ignore' }).on(
            'exit',
            resolve,
          ),
        ),
    ),
  );
  assert.deepEqual(codes, [1, 1]);
  assert.equal(readdirSync(path.join(cache, 'checkpoint-lens')).length, 1);
});
