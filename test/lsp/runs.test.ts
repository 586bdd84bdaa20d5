import assert from 'node:assert/strict';
import { test } from 'node:test';
import { chooseRunMethod } from '../../server/protocol.ts';
import { inFolder } from '../support/inFolder.ts';
import { connect, type OpenFile } from '../support/lspClient.ts';

const script = `from transformers import AutoModelForCausalLM, Trainer, TrainingArguments
model = AutoModelForCausalLM.from_pretrained('gpt2')
Trainer(model=model, args=TrainingArguments('out', per_device_train_batch_size=4))
`;
const files = {
  'train.py': script,
  'short.sh': 'python train.py --per_device_train_batch_size 16\n',
  'long.sh': 'python train.py --per_device_train_batch_size 1 --max_seq_length 4096 --bf16\n',
};

test('a script is shown with the command lines that start it, and one of them can be chosen', () =>
  inFolder(files, async (folder) => {
    const client = await connect({ facts: true, folder });
    const file = await client.open('train.py', script);
    const first = await file.facts();
    assert.deepEqual(
      first.runs.map(({ title }) => title),
      ['train.py', 'long.sh: train.py', 'short.sh: train.py'],
    );
    const short = first.runs[2];
    assert.ok(short !== undefined);
    await client.request(chooseRunMethod, { uri: file.uri, id: short.id });
    const chosen = await until(file, (message) => message.chosen === short.id);
    assert.equal(chosen.facts?.run.batch.value, 16);
    const origin = chosen.facts?.run.batch.origin;
    assert.equal(origin?.kind === 'literal' && origin.place.path.endsWith('/short.sh'), true);
    assert.equal(chosen.facts?.model?.layers.value, 12);
    await client.close();
  }));

test('an open settings file has facts, somebody else’s has none', async () => {
  const client = await connect({ facts: true });
  const other = await client.open('ci.yaml', 'on: push\n', 'yaml');
  const text = 'base_model: gpt2\nmicro_batch_size: 2\nadapter: lora\nsequence_len: 256\n';
  const file = await client.open('lora.yml', text, 'yaml');
  const { facts, runs, chosen } = await file.facts();
  assert.equal(facts?.run.sequence.value, 256);
  assert.deepEqual(
    runs.map(({ title }) => title),
    ['lora.yml (axolotl)'],
  );
  assert.equal(chosen, runs[0]?.id);
  assert.equal(other.factsSoFar(), undefined);
  await file.type('micro_batch_size: 2', 'micro_batch_size: 8');
  assert.equal((await file.facts()).facts?.run.batch.value, 8);
  await client.close();
});

test('a choice that makes no sense changes nothing', async () => {
  const client = await connect({ facts: true });
  const file = await client.open('train.py', script);
  const { chosen } = await file.facts();
  for (const params of [{ uri: file.uri, id: 'gone' }, { uri: 5, id: [] }, {}])
    await client.request(chooseRunMethod, params);
  assert.equal((await file.facts()).chosen, chosen);
  await client.close();
});

/** The facts of one version may come several times; which run they are of tells them apart. */
async function until(file: OpenFile, is: (message: NonNullable<ReturnType<OpenFile['factsSoFar']>>) => boolean) {
  for (let attempt = 0; attempt < 400; attempt++) {
    const message = file.factsSoFar();
    if (message !== undefined && is(message)) return message;
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  throw new Error('the facts never came');
}
