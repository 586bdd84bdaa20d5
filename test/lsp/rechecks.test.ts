import assert from 'node:assert/strict';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { FileChangeType } from 'vscode-languageserver';
import { inFolder } from '../support/inFolder.ts';
import { type Client, connect, connectProcess } from '../support/lspClient.ts';

const reentrant = 'from torch.utils.checkpoint import checkpoint as run\n';
const other = 'def run(f, x):  # no checkpoint\n    return f(x)\n';
const training = 'from pkg.outer import run  # checkpoint\ny = run(f, x)\n';
const files = {
  'pkg/__init__.py': '',
  'pkg/outer.py': 'from .inner import run  # checkpoint\n',
  'pkg/inner.py': reentrant,
};
const { Created, Changed, Deleted } = FileChangeType;

const codes = (diagnostics: readonly { readonly code?: unknown }[]): unknown[] => diagnostics.map(({ code }) => code);

interface Project {
  readonly client: Client;
  /** Writes a file, as another program does it, and lets the client tell of it. */
  write(name: string, text: string, type?: FileChangeType): Promise<void>;
}

const inProject = (some: Readonly<Record<string, string>>, use: (project: Project) => Promise<void>): Promise<void> =>
  inFolder(some, async (folder) => {
    const client = await connect({ folder });
    const write: Project['write'] = (name, text, type = Changed) => {
      mkdirSync(path.dirname(path.join(folder, name)), { recursive: true });
      if (type === Deleted) rmSync(path.join(folder, name), { recursive: true });
      else writeFileSync(path.join(folder, name), text);
      return client.changedOnDisk(name, type);
    };
    try {
      await use({ client, write });
    } finally {
      await client.close();
    }
  });

test('an edit in one file is seen in the open files that depend on it, and in no others', () =>
  inProject(files, async ({ client }) => {
    const train = await client.open('train.py', training);
    const alone = await client.open('alone.py', 'import torch  # checkpoint\n');
    assert.deepEqual(codes(await train.diagnostics()), ['AC101']);
    await alone.diagnostics();
    const inner = await client.open('pkg/inner.py', reentrant);
    const fromEditing = await train.diagnosticsAfter(() => inner.replaceAll(other));
    assert.deepEqual(codes(fromEditing), []);
    const fromUndoing = await train.diagnosticsAfter(() => inner.replaceAll(reentrant));
    assert.deepEqual(codes(fromUndoing), ['AC101']);
    assert.equal(alone.nChecks(), 1);
    assert.equal(train.nChecks(), 3, 'opening a file as it is on disk changes nothing');
    await inner.replaceAll(other);
    const fromClosing = await train.diagnosticsAfter(() => inner.close());
    assert.deepEqual(codes(fromClosing), ['AC101'], 'what was not saved is gone');
  }));

test('many edits in a row are one check, and who asks in between gets the right answer', () =>
  inProject(files, async ({ client }) => {
    const train = await client.open('train.py', training);
    const [diagnostic] = await train.diagnostics();
    assert.ok(diagnostic);
    const inner = await client.open('pkg/inner.py', reentrant);
    const after = await train.diagnosticsAfter(async () => {
      for (const text of [other, reentrant, `${other}\n`, other]) await inner.replaceAll(text);
      assert.deepEqual(await train.codeActions(diagnostic.range, ['quickfix']), []);
    });
    assert.deepEqual(after, []);
    assert.equal(train.nChecks(), 2);
  }));

test('files that other programs change, create and delete', () =>
  inProject(files, async ({ client, write }) => {
    const train = await client.open('train.py', training);
    assert.deepEqual(codes(await train.diagnostics()), ['AC101']);
    assert.deepEqual(await train.diagnosticsAfter(() => write('pkg/inner.py', other)), []);
    assert.deepEqual(codes(await train.diagnosticsAfter(() => write('pkg/inner.py', reentrant))), ['AC101']);
    assert.deepEqual(await train.diagnosticsAfter(() => write('pkg/inner.py', '', Deleted)), []);
    assert.deepEqual(codes(await train.diagnosticsAfter(() => write('pkg/inner.py', reentrant, Created))), ['AC101']);
    assert.deepEqual(await train.diagnosticsAfter(() => write('pkg', '', Deleted)), [], 'a whole folder');
  }));

test('a settings file that the code names, on disk and in an editor', () => {
  const text =
    'from transformers import TrainingArguments\nargs = TrainingArguments("out", deepspeed="ds.json")\n# checkpoint\n';
  const block = '{"zero_optimization": {"stage": 2}, "activation_checkpointing": {"partition_activations": true}}\n';
  const without = '{"zero_optimization": {"stage": 2}}\n';
  return inProject({ 'ds.json': without }, async ({ client, write }) => {
    const train = await client.open('train.py', text);
    assert.deepEqual(await train.diagnostics(), []);
    assert.deepEqual(codes(await train.diagnosticsAfter(() => write('ds.json', block))), ['AC704']);
    const config = await client.open('ds.json', block, 'json');
    assert.deepEqual(await train.diagnosticsAfter(() => config.replaceAll(without)), []);
  });
});

test('versions that the project declares', () =>
  inProject({ 'requirements.txt': 'torch==1.10.0\n' }, async ({ client, write }) => {
    const train = await client.open(
      'train.py',
      'from torch.utils.checkpoint import checkpoint\ny = checkpoint(f, x)\n',
    );
    assert.deepEqual(await train.diagnostics(), []);
    assert.deepEqual(codes(await train.diagnosticsAfter(() => write('requirements.txt', 'torch==2.4.0\n'))), ['AC101']);
    const installed = '.venv/lib/python3.12/site-packages/torch-1.10.0.dist-info/METADATA';
    assert.deepEqual(await train.diagnosticsAfter(() => write(installed, '', Created)), []);
    const pyproject = await client.open('pyproject.toml', '', 'toml');
    const saved = await train.diagnosticsAfter(() => pyproject.save());
    assert.deepEqual(saved, [], 'a client that watches nothing still tells of what it saves');
  }));

test('cells of notebooks depend on files, too', () =>
  inProject(files, async ({ client, write }) => {
    const notebook = await client.openNotebook('train.ipynb', ['from pkg.outer import run  # checkpoint', 'run(f, x)']);
    assert.deepEqual(codes(await notebook.diagnostics(1)), ['AC101']);
    assert.deepEqual(await notebook.diagnosticsAfter(1, () => write('pkg/inner.py', other)), []);
  }));

test('changed settings are applied to open files at once', async () => {
  const client = await connect();
  const file = await client.open('train.py', 'from torch.utils.checkpoint import checkpoint\ny = checkpoint(f, x)\n');
  const notebook = await client.openNotebook('train.ipynb', [file.text()]);
  assert.equal((await file.diagnostics()).length, 1);
  assert.equal((await notebook.diagnostics(0)).length, 1);
  const off = { rules: { AC101: 'off' } };
  assert.deepEqual(await file.diagnosticsAfter(() => client.changeSettings(off)), []);
  assert.deepEqual(await notebook.diagnostics(0), []);
  await client.close();
});

test('the client is asked to watch code, settings and versions', async () => {
  const client = await connect();
  await (await client.open('train.py', 'x = 1\n')).diagnostics();
  const options = client.registered.get('workspace/didChangeWatchedFiles') as { watchers: { globPattern: string }[] };
  const patterns = options.watchers.map(({ globPattern }) => globPattern).join(' ');
  for (const name of ['py', 'json', 'yaml', 'toml', 'requirements', 'lock', 'dist-info'])
    assert.ok(patterns.includes(name));
  await client.close();
});

test('the server process sees what changes on disk', () =>
  inFolder(files, async (folder) => {
    const client = await connectProcess([process.execPath, 'dist/cli.js', 'lsp', '--stdio'], { folder });
    try {
      const train = await client.open('train.py', training);
      assert.deepEqual(codes(await train.diagnostics()), ['AC101']);
      writeFileSync(path.join(folder, 'pkg/inner.py'), other);
      assert.deepEqual(await train.diagnosticsAfter(() => client.changedOnDisk('pkg/inner.py', Changed)), []);
      await client.close();
    } finally {
      client.process.kill();
    }
  }));
