import assert from 'node:assert/strict';
import { chmodSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { type TestContext, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import {
  CancellationTokenSource,
  type Diagnostic,
  FileChangeType,
  type PublishDiagnosticsParams,
} from 'vscode-languageserver';
import { type CheckFoldersResult, type CheckProgressMessage, checkFoldersCommand } from '../../server/protocol.ts';
import { type ClientOptions, connectProcess } from '../support/lspClient.ts';

const implicit = 'from torch.utils.checkpoint import checkpoint\ny = checkpoint(f, x)\n';
const caller = 'from pkg.compat import run\nrun(block, x)  # checkpoint\n';
const wrapper = 'from torch.utils.checkpoint import checkpoint\nrun = checkpoint\n';

type Client = Awaited<ReturnType<typeof connectProcess>>;

interface Workspace {
  readonly client: Client;
  readonly folder: string;
  write(name: string, text: string | Uint8Array): void;
  check(argument?: object): Promise<CheckFoldersResult>;
}

const codes = (findings: readonly Diagnostic[] | undefined): unknown[] | undefined => findings?.map(({ code }) => code);
const some = (findings: readonly Diagnostic[]): boolean => findings.length > 0;
const none = (findings: readonly Diagnostic[]): boolean => findings.length === 0;

/** The server as an editor starts it, on a folder with these files; its cache is the test's own. */
async function workspace(
  context: TestContext,
  files: Readonly<Record<string, string | Uint8Array>>,
  options: ClientOptions = {},
): Promise<Workspace> {
  const folder = mkdtempSync(path.join(tmpdir(), 'checkpoint-lens-'));
  const cache = mkdtempSync(path.join(tmpdir(), 'checkpoint-lens-cache-'));
  const write: Workspace['write'] = (name, text) => {
    mkdirSync(path.dirname(path.join(folder, name)), { recursive: true });
    writeFileSync(path.join(folder, name), text);
  };
  for (const [name, text] of Object.entries(files)) write(name, text);
  process.env.XDG_CACHE_HOME = cache;
  const client = await connectProcess([process.execPath, 'dist/cli.js', 'lsp', '--stdio'], { folder, ...options });
  context.after(async () => {
    await client.close();
    client.process.kill();
    for (const each of [folder, cache]) rmSync(each, { recursive: true, force: true });
  });
  const check: Workspace['check'] = (argument) =>
    client.request('workspace/executeCommand', {
      command: checkFoldersCommand,
      ...(argument !== undefined && { arguments: [argument] }),
    });
  return { client, folder, write, check };
}

test('findings of files that nobody has open come one by one, and the answer counts them', async (context) => {
  const { client, check } = await workspace(context, {
    'a.py': implicit,
    'b/c d.py': caller,
    'pkg/__init__.py': '',
    'pkg/compat.py': wrapper,
    'clean.py': '# checkpoint\n',
    'venv/pyvenv.cfg': '',
    'venv/x.py': implicit,
    '.gitignore': 'build/\n',
    'build/x.py': implicit,
    'ds.json': '{"zero_optimization": {}, "activation_checkpointing": {"contiguous_memory_optimization": true}}',
    'train.ipynb': JSON.stringify({
      cells: [{ cell_type: 'code', source: [implicit], metadata: {}, outputs: [], execution_count: null }],
      metadata: {},
      nbformat: 4,
      nbformat_minor: 5,
    }),
  });
  const result = await check();
  assert.deepEqual(codes(client.published('a.py')), ['AC101']);
  assert.deepEqual(client.published('a.py')?.[0]?.range, {
    start: { line: 1, character: 4 },
    end: { line: 1, character: 14 },
  });
  assert.equal(client.published('a.py')?.[0]?.source, 'checkpoint-lens');
  assert.deepEqual(codes(client.published('b/c%20d.py')), ['AC101'], 'names are followed as in an open file');
  assert.ok(some(client.published('ds.json') ?? []));
  assert.match(String(client.published('train.ipynb')?.[0]?.message), /\(cell 1, line 2\)$/);
  for (const name of ['clean.py', 'venv/x.py', 'build/x.py']) assert.equal(client.published(name), undefined, name);
  const { ended, checked, files, filesWithFindings } = result;
  assert.deepEqual(
    { ended, checked, files, filesWithFindings },
    { ended: 'done', checked: 7, files: 7, filesWithFindings: 4 },
  );
  assert.ok(result.findings >= 4);
  assert.deepEqual(await check(), result, 'with what the first check has kept');
});

test('an open file tells of itself; closed again, it is looked at as it is on disk', async (context) => {
  const { client, check, write } = await workspace(context, { 'a.py': implicit, 'b.py': implicit });
  const open = await client.open('a.py', '# checkpoint\n');
  assert.deepEqual(await open.diagnostics(), []);
  await check();
  assert.deepEqual(open.publishedSoFar(), [], 'what is not saved counts');
  await open.close();
  assert.deepEqual(codes(await client.untilPublished('a.py', some)), ['AC101']);
  const other = await client.open('b.py', `\n${implicit}`);
  const [moved] = await client.untilPublished('b.py', (all) => all[0]?.range.start.line === 2);
  assert.equal(moved?.code, 'AC101');
  write('b.py', '# checkpoint\n');
  await other.close();
  await client.untilPublished('b.py', none);
});

test('what changes on disk is looked at again, and what is deleted is gone', async (context) => {
  const { client, check, write, folder } = await workspace(context, {
    'a.py': implicit,
    'clean.py': '# checkpoint\n',
    'sub/b.py': implicit,
  });
  await check();
  write('a.py', '# checkpoint\n');
  write('clean.py', implicit);
  for (const name of ['a.py', 'clean.py']) await client.changedOnDisk(name, FileChangeType.Changed);
  await client.untilPublished('a.py', none);
  await client.untilPublished('clean.py', some);
  rmSync(path.join(folder, 'clean.py'));
  await client.changedOnDisk('clean.py', FileChangeType.Deleted);
  await client.untilPublished('clean.py', none);
  rmSync(path.join(folder, 'sub'), { recursive: true });
  await client.changedOnDisk('sub', FileChangeType.Deleted);
  await client.untilPublished('sub/b.py', none);
  write('a.py', implicit);
  await check();
  assert.deepEqual(codes(client.published('a.py')), ['AC101']);
});

test('a notebook that is opened tells of its cells', async (context) => {
  const cell = { cell_type: 'code', source: [implicit], metadata: {}, outputs: [], execution_count: null };
  const { client, check } = await workspace(context, {
    'train.ipynb': JSON.stringify({ cells: [cell], metadata: {}, nbformat: 4, nbformat_minor: 5 }),
  });
  await check();
  assert.deepEqual(codes(client.published('train.ipynb')), ['AC101']);
  const notebook = await client.openNotebook('train.ipynb', [implicit]);
  assert.deepEqual(codes(await notebook.diagnostics(0)), ['AC101']);
  assert.deepEqual(client.published('train.ipynb'), []);
  await notebook.close();
  assert.deepEqual(codes(await client.untilPublished('train.ipynb', some)), ['AC101']);
});

test('settings hold: rules that are off, severities, what the editor leaves out', async (context) => {
  const { client, check } = await workspace(
    context,
    { 'a.py': implicit, 'third_party/x.py': implicit, 'gen/y.py': implicit, 'z_pb2.py': implicit },
    {
      settings: { rules: { AC101: 'error' } },
      filesExclude: { third_party: true, '**/{gen,out}': true, '*_pb2.py': true, 'a.py': false },
    },
  );
  assert.deepEqual((await check()).files, 1);
  assert.equal(client.published('a.py')?.[0]?.severity, 1);
  await client.changeSettings({ rules: { AC101: 'off' } });
  await client.untilPublished('a.py', none);
  assert.equal((await check()).findings, 0);
  await client.changeSettings({ lint: { enabled: false } });
  assert.deepEqual((await check()).files, 0);
});

test('a folder that leaves the workspace takes its findings along', async (context) => {
  const other = mkdtempSync(path.join(tmpdir(), 'checkpoint-lens-'));
  context.after(() => rmSync(other, { recursive: true }));
  writeFileSync(path.join(other, 'b.py'), implicit);
  const folder = mkdtempSync(path.join(tmpdir(), 'checkpoint-lens-'));
  context.after(() => rmSync(folder, { recursive: true }));
  writeFileSync(path.join(folder, 'a.py'), implicit);
  const { client, check } = await workspace(
    context,
    {},
    { folder, folders: [folder, other, path.join(folder, 'none')] },
  );
  const away = path.relative(folder, path.join(other, 'b.py'));
  const at = (name: string): string => pathToFileURL(path.join(folder, name)).href;
  const seen = new Map<string, readonly Diagnostic[]>();
  client.onNotification('textDocument/publishDiagnostics', ({ uri, diagnostics }: PublishDiagnosticsParams) => {
    seen.set(uri, diagnostics);
  });
  const result = await check();
  assert.deepEqual([result.files, result.filesWithFindings], [2, 2]);
  assert.deepEqual(codes(seen.get(at(away))), ['AC101']);
  await client.notify('workspace/didChangeWorkspaceFolders', {
    event: { added: [], removed: [{ uri: pathToFileURL(other).href, name: 'other' }] },
  });
  assert.equal((await check()).files, 1);
  assert.deepEqual(seen.get(at(away)), []);
  assert.deepEqual(codes(seen.get(at('a.py'))), ['AC101']);
});

const many = (count: number): Record<string, string> =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [`many/file${index}.py`, `${implicit}# ${index}\n`]));

test('while it runs typing is answered, progress is told, and it can be stopped', async (context) => {
  const { client, check } = await workspace(context, many(1500));
  const states: CheckProgressMessage[] = [];
  client.onNotification('checkpointLens/checkProgress', (state: CheckProgressMessage) => {
    states.push(state);
  });
  const cancel = new CancellationTokenSource();
  const running = client.request<CheckFoldersResult>(
    'workspace/executeCommand',
    { command: checkFoldersCommand, arguments: [{ id: 7 }] },
    cancel.token,
  );
  const open = await client.open('open.py', implicit);
  await client.untilPublished('many/file0.py', some);
  await open.replaceAll(`\n${implicit}`);
  assert.deepEqual(codes(await open.diagnostics()), ['AC101']);
  while (states.length === 0) await new Promise((resolve) => setTimeout(resolve, 10));
  cancel.cancel();
  const result = await running;
  assert.equal(result.ended, 'stopped');
  assert.ok(result.files === 1500 && result.checked < 1500, JSON.stringify(result));
  assert.ok(states.every(({ id, files }) => id === 7 && files === 1500));
  assert.deepEqual(codes(client.published('many/file0.py')), ['AC101'], 'what was found stays');
  assert.equal((await check()).ended, 'done');
});

test('a second check takes the place of the first', async (context) => {
  const { check } = await workspace(context, many(300));
  const [first, second] = await Promise.all([check({ id: 1 }), check({ id: 2 })]);
  assert.deepEqual([first.ended, second.ended], ['replaced', 'done']);
  assert.equal(second.filesWithFindings, 300);
});

test('other editors see standard progress', async (context) => {
  const { client, check } = await workspace(context, { 'a.py': implicit }, { showsProgress: true });
  const kinds: string[] = [];
  client.onNotification('$/progress', ({ value }: { value: { kind: string } }) => {
    kinds.push(value.kind);
  });
  await check();
  // The answer and the last of the progress come one behind the other.
  await client.request('textDocument/hover', {
    textDocument: { uri: 'file:///x' },
    position: { line: 0, character: 0 },
  });
  assert.equal(kinds[0], 'begin');
  assert.equal(kinds.at(-1), 'end');
});

test('nothing in a folder ends a check: links in a circle, binary and huge files, what cannot be read or parsed', async (context) => {
  const { client, check, folder } = await workspace(context, {
    'a.py': implicit,
    'binary.py': Buffer.from([0, 1, 2, 0x63, ...Buffer.from('checkpoint'), 0]),
    'huge.py': Buffer.concat([Buffer.from('# checkpoint\n'), Buffer.alloc(10_000_000, 'x')]),
    'broken.yaml': 'checkpoint: [unclosed\n  - {a: b\n\t!!',
    'broken.json': '{"activation_checkpointing": {{{',
    'broken.py': `${implicit}def f(:\n  checkpoint((((\n"""`,
    'broken.ipynb': '{"cells": [checkpoint',
    'latin.py': Buffer.from([0xe9, 0x0a, ...Buffer.from(implicit)]),
    'empty.py': '',
    'closed/b.py': implicit,
    'deep/x.py': implicit,
  });
  symlinkSync(folder, path.join(folder, 'deep', 'circle'));
  symlinkSync('loop.py', path.join(folder, 'loop.py'));
  symlinkSync('nowhere.py', path.join(folder, 'dangling.py'));
  chmodSync(path.join(folder, 'closed'), 0);
  const result = await check();
  chmodSync(path.join(folder, 'closed'), 0o700);
  assert.equal(result.ended, 'done');
  for (const name of ['a.py', 'latin.py', 'deep/x.py'])
    assert.deepEqual(codes(client.published(name)), ['AC101'], name);
  assert.ok(client.log.some((line) => line.includes('huge.py: not checked: larger than 4 MB')));
  assert.ok(client.log.some((line) => line.includes('binary.py: not checked')));
});
