import assert from 'node:assert/strict';
import { test } from 'node:test';
import { connect } from '../support/lspClient.ts';

const deepspeed =
  '{\n  "zero_optimization": {"stage": 2},\n  "activation_checkpointing": {\n    "contiguous_memory_optimization": true\n  }\n}\n';

test('findings in an open settings file, and a fix that takes one away', async () => {
  const client = await connect({ facts: true });
  const file = await client.open('ds.json', deepspeed, 'json');
  const [diagnostic, ...others] = await file.diagnostics();
  assert.deepEqual(others, []);
  assert.equal(diagnostic?.code, 'AC701');
  const actions = await file.codeActions(diagnostic.range, ['quickfix']);
  assert.deepEqual(
    actions.map(({ title }) => title),
    ['Turn partition_activations on'],
  );
  assert.match(file.after(actions[0]), /true,\n {4}"partition_activations": true\n/);
  await file.type('memory_optimization": true', 'memory_optimization": false');
  assert.deepEqual(await file.diagnostics(), []);
  assert.equal(file.factsSoFar()?.facts?.model, undefined);
  await client.close();
});

test('each language by its id, TOML by its name', async () => {
  const client = await connect();
  const codes = async (name: string, text: string, language: string): Promise<unknown[]> =>
    (await (await client.open(name, text, language)).diagnostics()).map(({ code }) => code);
  const titan = '[model]\nname = "x"\n[training]\nsteps = 1\n[activation_checkpoint]\nmode = "ful"\n';
  assert.deepEqual(await codes('titan.toml', titan, 'plaintext'), ['AC707']);
  assert.deepEqual(await codes('run', 'python pretrain_gpt.py --recompute-granularity full\n', 'shellscript'), [
    'AC610',
  ]);
  assert.deepEqual(await codes('conf', 'stage: sft\ntemplate: x\ngradient_checkpointing: false\n', 'yaml'), ['AC707']);
  assert.deepEqual(await codes('settings', deepspeed, 'jsonc'), ['AC701']);
  await client.close();
});

test('of somebody else’s file nothing is published, and marks go when a file stops being one of ours', async () => {
  const client = await connect();
  const other = await client.open('other.json', '{"checkpoint": true}', 'json');
  const ours = await client.open('ds.json', deepspeed, 'json');
  assert.equal((await ours.diagnostics()).length, 1);
  assert.equal(other.publishedSoFar(), undefined);
  await ours.replaceAll('{"checkpoint": true}');
  assert.deepEqual(await ours.diagnostics(), []);
  await client.close();
});

test('settings that are switched off are not checked', async () => {
  const client = await connect({ settings: { rules: { AC701: 'off' } } });
  const file = await client.open('ds.json', deepspeed, 'json');
  assert.deepEqual(await file.diagnostics(), []);
  await client.close();
});
