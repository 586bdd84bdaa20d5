import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { FactsMessage } from '../../server/protocol.ts';
import { inFolder } from '../support/inFolder.ts';
import { connect, type OpenFile } from '../support/lspClient.ts';

const script = `from transformers import AutoModelForCausalLM, Trainer, TrainingArguments
model = AutoModelForCausalLM.from_pretrained('gpt2')
Trainer(model=model, args=TrainingArguments('out', per_device_train_batch_size=4, gradient_checkpointing=True))
`;
const launch = 'python train.py --per_device_train_batch_size 16\n';

const titles = ({ runs }: FactsMessage): readonly string[] => runs.map(({ title }) => title);

test('a launch script that is opened and edited changes the runs of the program it starts', () =>
  inFolder({ 'train.py': script, 'run.sh': launch }, async (folder) => {
    const client = await connect({ facts: true, folder });
    const file = await client.open('train.py', script);
    assert.deepEqual(titles(await file.facts()), ['train.py', 'run.sh: train.py']);
    const shell = await client.open('run.sh', launch, 'shellscript');
    assert.deepEqual(titles(await shell.facts()), ['run.sh: train.py']);
    await shell.replaceAll(`${launch}python train.py --per_device_train_batch_size 32\n`);
    const more = await until(file, ({ runs }) => runs.length === 3);
    assert.deepEqual(titles(more), ['train.py', 'run.sh: train.py', 'run.sh: train.py']);
    await shell.replaceAll('echo nothing\n');
    assert.deepEqual(titles(await until(file, ({ runs }) => runs.length === 1)), ['train.py']);
    await shell.close();
    assert.deepEqual(titles(await until(file, ({ runs }) => runs.length === 2)), ['train.py', 'run.sh: train.py']);
    await client.close();
  }));

for (const [name, language, before, after] of [
  ['conf.yaml', 'yaml', 'batch_size: 4\n', 'batch_size: 12\n'],
  ['conf.toml', 'plaintext', 'batch_size = 4\n', 'batch_size = 12\n'],
  ['conf.json', 'json', '{"batch_size": 4}\n', '{"batch_size": 12}\n'],
] as const)
  test(`a value in ${name} is taken from the editor, not from the disk`, () => {
    const loader = name.endsWith('yaml') ? 'yaml.safe_load' : name.endsWith('toml') ? 'tomllib.load' : 'json.load';
    const program = `import json, tomllib, yaml
from transformers import GPT2Config, GPT2LMHeadModel
from torch.utils.data import DataLoader
conf = ${loader}(open('${name}'))
model = GPT2LMHeadModel(GPT2Config(n_layer=2))
loader = DataLoader(data, batch_size=conf['batch_size'], shuffle=True)
`;
    return inFolder({ 'train.py': program, [name]: before }, async (folder) => {
      const client = await connect({ facts: true, folder });
      const file = await client.open('train.py', program);
      assert.equal((await file.facts()).facts?.run.batch.value, 4);
      const settings = await client.open(name, before, language);
      await settings.replaceAll(after);
      const edited = await until(file, ({ facts }) => facts?.run.batch.value === 12);
      const origin = edited.facts?.run.batch.origin;
      assert.equal(origin?.kind === 'literal' && origin.place.path.endsWith(`/${name}`), true);
      await settings.close();
      await until(file, ({ facts }) => facts?.run.batch.value === 4);
      await client.close();
    });
  });

test('the variant that the panel shows is the one of the version that the project declares', () =>
  inFolder({ 'train.py': script, 'requirements.txt': 'transformers==4.57.1\n' }, async (folder) => {
    const client = await connect({ facts: true, folder });
    const file = await client.open('train.py', script);
    const { facts } = await file.facts();
    assert.equal(facts?.run.checkpointing.value.variant, 'reentrant');
    assert.ok((await file.diagnostics()).some(({ code }) => code === 'AC603'));
    assert.ok(facts?.notes.some((note) => note.includes('transformers 4.57')));
    await client.close();
  }));

/** The facts of one version may come several times; what they say tells them apart. */
async function until(file: OpenFile, is: (message: FactsMessage) => boolean): Promise<FactsMessage> {
  for (let attempt = 0; attempt < 1000; attempt++) {
    const message = file.factsSoFar();
    if (message !== undefined && is(message)) return message;
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  throw new Error('the facts never came');
}
