import assert from 'node:assert/strict';
import { test } from 'node:test';
import { connect } from '../support/lspClient.ts';

const imports = '%load_ext autoreload\nfrom torch.utils.checkpoint import checkpoint';
const call = 'x = 1\ny = checkpoint(f, x)';
const other = 'z = checkpoint(g, x)';
const range = (line: number, start: number, end: number) => ({
  start: { line, character: start },
  end: { line, character: end },
});

test('a name imported in one cell is known in another, and the finding is in that cell', async () => {
  const client = await connect();
  const notebook = await client.openNotebook('train.ipynb', [imports, 'print(1)', call]);
  assert.deepEqual(
    (await notebook.diagnostics(2)).map(({ code, range: at }) => ({ code, at })),
    [{ code: 'AC101', at: range(1, 4, 14) }],
  );
  assert.deepEqual(await notebook.diagnostics(0), []);
  assert.deepEqual(await notebook.diagnostics(1), []);
  await client.close();
});

test('findings follow what is typed, added and removed in other cells', async () => {
  const client = await connect();
  const notebook = await client.openNotebook('train.ipynb', ['import torch', call]);
  assert.deepEqual(await notebook.diagnostics(1), []);
  await notebook.type(0, 'import torch', imports);
  assert.equal((await notebook.diagnostics(1)).length, 1);
  await notebook.insert(1, 'def half_typed(:');
  assert.deepEqual(
    (await notebook.diagnostics(2)).map((one) => one.range),
    [range(1, 4, 14)],
  );
  const removed = notebook.cellUri(2);
  await notebook.insert(3, other);
  assert.equal((await notebook.diagnostics(3)).length, 1);
  await notebook.remove(2);
  assert.equal((await notebook.diagnostics(2)).length, 1);
  assert.deepEqual(notebook.publishedFor(removed), [], 'a cell that is gone has no findings');
  await notebook.remove(0);
  assert.deepEqual(await notebook.diagnostics(1), []);
  await client.close();
});

test('a quick fix changes its cell, and fix-all the cell or the notebook', async () => {
  const client = await connect();
  const notebook = await client.openNotebook('train.ipynb', [imports, call, other]);
  const [diagnostic] = await notebook.diagnostics(1);
  assert.ok(diagnostic);
  const [fix, keep] = await notebook.codeActions(1, diagnostic.range, ['quickfix']);
  assert.deepEqual(notebook.after(fix), [imports, call.replace('x)', 'x, use_reentrant=False)'), other]);
  assert.deepEqual(notebook.after(keep), [imports, call.replace('x)', 'x, use_reentrant=True)'), other]);
  const [inCell] = await notebook.codeActions(2, range(0, 0, 0), ['source.fixAll']);
  assert.deepEqual(notebook.after(inCell), [imports, call, other.replace('x)', 'x, use_reentrant=False)')]);
  const all = await notebook.codeActions(0, range(0, 0, 0), ['notebook.source.fixAll']);
  assert.deepEqual(
    all.map(({ kind }) => kind),
    ['notebook.source.fixAll.checkpointLens'],
  );
  assert.deepEqual(
    notebook.after(all[0]),
    [imports, call, other].map((text) => text.replace('x)', 'x, use_reentrant=False)')),
  );
  assert.deepEqual(await notebook.codeActions(0, range(0, 0, 0), ['source.fixAll']), []);
  await client.close();
});

test('a fix may add its import in another cell', async () => {
  const client = await connect();
  const cells = [
    'import torch\nfrom torch.utils.checkpoint import checkpoint, create_selective_checkpoint_contexts as contexts',
    'y = checkpoint(f, x, use_reentrant=False, context_fn=contexts(policy))',
  ];
  const notebook = await client.openNotebook('train.ipynb', cells);
  const [diagnostic] = await notebook.diagnostics(1);
  assert.equal(diagnostic?.code, 'AC401');
  const [fix] = await notebook.codeActions(1, diagnostic.range, ['quickfix']);
  assert.deepEqual(notebook.after(fix), [
    `import functools\n${cells[0]}`,
    'y = checkpoint(f, x, use_reentrant=False, context_fn=functools.partial(contexts, policy))',
  ]);
  await client.close();
});

test('the hover works in cells', async () => {
  const client = await connect();
  const notebook = await client.openNotebook('train.ipynb', [imports, call]);
  assert.match((await notebook.hoverAt(1, 'checkpoint(f')) ?? '', /reentrant, because `use_reentrant` is not given/);
  assert.equal(await notebook.hoverAt(1, 'x = 1'), undefined);
  await client.close();
});

test('settings count in notebooks, and a closed notebook has no findings', async () => {
  const client = await connect();
  const notebook = await client.openNotebook('train.ipynb', [imports, call]);
  assert.equal((await notebook.diagnostics(1)).length, 1);
  await client.changeSettings({ rules: { AC101: 'off' } });
  await notebook.type(0, '%load_ext', '%reload_ext');
  assert.deepEqual(await notebook.diagnostics(1), []);
  await client.changeSettings({});
  await notebook.type(0, '%reload_ext', '%load_ext');
  assert.equal((await notebook.diagnostics(1)).length, 1);
  await notebook.close();
  const next = await client.openNotebook('next.ipynb', [imports, call]);
  assert.equal((await next.diagnostics(1)).length, 1);
  assert.deepEqual(notebook.publishedFor(notebook.cellUri(1)), []);
  assert.equal(await notebook.hoverAt(1, 'checkpoint(f'), undefined);
  await client.close();
});

test('a notebook of many megabytes is left alone', async () => {
  const client = await connect();
  const notebook = await client.openNotebook('huge.ipynb', [imports, `${call}\n${'x = 1\n'.repeat(700_000)}`]);
  assert.deepEqual(await notebook.diagnostics(1), []);
  await client.close();
});

test('facts are those of the whole notebook, their places in its cells', async () => {
  const client = await connect({ facts: true });
  const cells = ['from transformers import GPT2Config', '# a comment\nconfig = GPT2Config(n_layer=24)'];
  const notebook = await client.openNotebook('model.ipynb', cells);
  const { facts, uri } = await notebook.facts();
  assert.equal(uri, notebook.uri);
  const start = cells[1]?.indexOf('24') ?? 0;
  assert.deepEqual(facts?.model?.layers, {
    value: 24,
    origin: {
      kind: 'literal',
      place: { path: notebook.cellUri(1), span: { start, end: start + 2 }, line: 2, column: 29 },
    },
  });
  await notebook.type(1, '24)', '24, n_head=');
  const half = await notebook.facts();
  assert.equal(half.stale, true);
  assert.equal(half.facts?.model?.layers.value, 24);
  await client.close();
});
