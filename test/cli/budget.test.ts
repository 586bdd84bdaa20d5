import assert from 'node:assert/strict';
import { test } from 'node:test';
import { folderWith } from './support/folder.ts';
import { runCli } from './support/runCli.ts';

const training = `from transformers import GPT2Config, GPT2LMHeadModel, TrainingArguments

config = GPT2Config(n_layer=12, n_embd=768, n_head=12, n_positions=1024)
model = GPT2LMHeadModel(config)
arguments = TrainingArguments(output_dir="out", per_device_train_batch_size=4, bf16=True)
max_length = 512
batch = tokenizer(text, max_length=max_length)
`;

function json(args: readonly string[], cwd = '.') {
  const { code, stdout, stderr } = runCli(['budget', '--format', 'json', ...args], { cwd });
  assert.equal(code, 0, stderr);
  return JSON.parse(stdout);
}

const strategies = ['none', 'full', 'selective', 'every-second', 'sequential', 'policy', 'policy-second', 'offload'];

test('json has the documented shape, and every value its source', (context) => {
  const { path: cwd } = folderWith(context, { 'train.py': training });
  const report = json(['train.py'], cwd);
  assert.equal(report.version, 1);
  assert.equal(report.model.layers, 12);
  assert.equal(report.model.hidden, 768);
  assert.equal(report.run.batch, 4);
  assert.equal(report.run.sequence, 512);
  assert.equal(report.run.dataType, 'bf16');
  assert.deepEqual(
    Object.keys(report.sources).sort(),
    [...Object.keys(report.model), ...Object.keys(report.run)].sort(),
    'a source for each field',
  );
  const { path, line, kind } = report.sources.layers;
  assert.deepEqual({ path, line, kind }, { path: 'train.py', line: 3, kind: 'literal' });
  assert.deepEqual(report.sources.batch.line, 5);
  assert.equal(report.sources.dropout.kind, 'default');

  const { paper, pytorch } = report;
  assert.equal(paper.layerBytes, 34 * 4 * 512 * 768 + 5 * 4 * 512 ** 2 * 12);
  for (const { name, segment, units, peakBytes, saving, extraForward, extraStep } of paper.strategies) {
    assert.ok(['none', 'full', 'selective'].includes(name));
    for (const number of [segment, units, peakBytes, saving, extraForward, extraStep])
      assert.ok(Number.isFinite(number));
  }
  assert.equal(pytorch.layersBytes.length, 12);
  assert.equal(
    pytorch.layersBytes.reduce((sum: number, bytes: number) => sum + bytes, pytorch.outsideBytes),
    pytorch.savedBytes,
  );
  assert.equal(pytorch.parameters, 124_439_808);
  for (const { name, segment, afterForwardBytes, peakBytes, extraStep } of pytorch.strategies) {
    assert.ok(strategies.includes(name), name);
    for (const number of [segment, afterForwardBytes, peakBytes, extraStep]) assert.ok(Number.isFinite(number));
  }
});

test('flags beat the file and say so', (context) => {
  const { path: cwd } = folderWith(context, { 'train.py': training });
  const flags = '--layers 6 --batch 2 --seq 128 --dtype fp16 --attention flash --dropout 0 --segment 3'.split(' ');
  const { model, run, sources } = json(['train.py', ...flags], cwd);
  assert.equal(model.layers, 6);
  assert.deepEqual(run.checkpointing, { mode: 'full', segment: 3 });
  const { batch, sequence, dataType, attention, dropout } = run;
  assert.deepEqual([batch, sequence, dataType, attention, dropout], [2, 128, 'fp16', 'flash', 0]);
  assert.deepEqual([sources.layers.kind, sources.layers.says], ['chosen', '--layers']);
  assert.equal(sources.sequence.says, '--seq');
  assert.equal(sources.dataType.says, '--dtype');
});

test('a model of the registry', () => {
  const { model, sources, pytorch } = json('--model meta-llama/Llama-3.1-8B --batch 1 --seq 2048'.split(' '));
  assert.equal(model.layers, 32);
  assert.equal(sources.layers.kind, 'registry');
  assert.equal(pytorch.parameters, 8_030_261_248);
});

test('a model without an account has the paper’s one, and a note', () => {
  const { paper, pytorch, notes } = json('--model EleutherAI/pythia-1b --batch 1 --seq 2048'.split(' '));
  assert.ok(paper.layerBytes > 0);
  if (pytorch === null) assert.match(notes.join(), /gpt_neox/);
});

test('a Hugging Face config.json, with the line of each value', (context) => {
  const config =
    '{\n  "model_type": "gpt2",\n  "n_layer": 24,\n  "n_embd": 1024,\n  "n_head": 16,\n  "torch_dtype": "float16"\n}\n';
  const { path: cwd } = folderWith(context, { 'config.json': config, 'train.py': training });
  const { model, run, sources } = json('--config config.json --batch 1 --seq 64'.split(' '), cwd);
  assert.deepEqual([model.layers, model.hidden, run.dataType], [24, 1024, 'fp16']);
  assert.deepEqual([sources.layers.path, sources.layers.line, sources.layers.column], ['config.json', 3, 3]);
  assert.equal(sources.vocabulary.kind, 'default');
  const both = json(['train.py', '--config', 'config.json'], cwd);
  assert.deepEqual([both.model.layers, both.run.batch], [24, 4], 'the model of the flag, the run of the file');
});

test('a missing value is named by its flag', (context) => {
  const { path: cwd } = folderWith(context, {
    'plain.py': 'x = 1\n',
    'broken.json': '{',
    'other.json': '{"model_type": "zzz"}',
  });
  const failures: readonly (readonly [string, RegExp])[] = [
    ['--model gpt2', /--batch and --seq are missing/],
    ['--model gpt2 --batch 1', /--seq is missing/],
    ['--model gpt2 --seq 8', /--batch is missing/],
    ['--batch 1 --seq 8', /--config or --model/],
    ['plain.py --batch 1 --seq 8', /plain\.py: no model.*--config or --model/],
    ['--model no/such', /--model no\/such/],
    ['--model gpt2 --config x', /--config and --model/],
    ['--config none.json', /--config none\.json: no such file/],
    ['--config broken.json', /--config broken\.json: not JSON/],
    ['--config other.json', /--config other\.json: .*zzz/],
    ['none.py', /none\.py: no such file/],
    ['--model gpt2 --batch 1 --seq 8 --segment 13', /--segment 13: the model has 12 layers/],
  ];
  for (const [args, message] of failures) {
    const { code, stdout, stderr } = runCli(['budget', ...args.split(' ')], { cwd });
    assert.match(stderr, message);
    assert.equal(stderr.trimEnd().split('\n').length, 1);
    assert.equal(stdout, '');
    assert.equal(code, 2);
  }
});

test('a folder: the first file that says it all, and the others by name', (context) => {
  const { path: cwd } = folderWith(context, {
    'a_model.py':
      'from transformers import GPT2Config, GPT2LMHeadModel\nmodel = GPT2LMHeadModel(GPT2Config(n_layer=2))\n',
    'b/train.py': training,
    'c.py': 'x = 1\n',
  });
  const { model, notes } = json(['.'], cwd);
  assert.equal(model.layers, 12);
  assert.ok(notes.includes('read from b/train.py; there is a model in a_model.py too'));
});

test('text: each value with its source, PyTorch’s account first, units named', (context) => {
  const { path: cwd } = folderWith(context, { 'train.py': training });
  const { code, stdout } = runCli(['budget', 'train.py'], { cwd });
  assert.match(stdout, /^GPT2Config \(train\.py:3\)\n/);
  assert.match(stdout, /^ {2}layers +12 +train\.py:3$/m);
  assert.match(stdout, /^ {2}vocabulary +50257 +default: transformers GPT2Config\.vocab_size$/m);
  assert.ok(stdout.indexOf('\nPyTorch:') < stdout.indexOf('\nPaper:'));
  assert.match(stdout, /1 GB = 1000 MB/);
  assert.match(stdout, / none .* <- now$/m);
  assert.ok(stdout.split('\n').every((line) => line === line.trimEnd()));
  assert.equal(code, 0);
});

test('values of several parts are in words, and only what the code does is marked as now', (context) => {
  const lora = `${training}from peft import LoraConfig, get_peft_model
model = get_peft_model(model, LoraConfig(r=8, target_modules=["c_attn"]))
model.gradient_checkpointing_enable()
`;
  const { path: cwd } = folderWith(context, { 'train.py': lora });
  const { stdout } = runCli(['budget', 'train.py'], { cwd });
  assert.match(stdout, /adapters +rank 8 on c_attn/);
  assert.doesNotMatch(stdout, /object Object/);
  assert.match(stdout, /full, k = 1 .*<- now/);
});

test('a model of images needs no sequence, and nothing that counts by one is shown', (context) => {
  const images = `import timm
from torch.utils.data import DataLoader
model = timm.create_model("vit_base_patch16_224", num_classes=10)
loader = DataLoader(images, batch_size=32)
`;
  const { path: cwd } = folderWith(context, { 'train.py': images });
  const { stdout, stderr, code } = runCli(['budget', 'train.py', '--gpu', 'A100 80GB'], { cwd });
  assert.equal(stderr, '');
  assert.equal(code, 0);
  assert.match(stdout, /img_size +224/);
  assert.match(stdout, /Largest that fits, as the code stands: micro-batch \d+\n/);
  assert.match(stdout, /full, k = 1 .* \d+ to \d+ ms +yes/);
  assert.match(stdout, /Extra time of a micro-batch: the work done again at 30 to 60 % of A100 80 GB’s/);
  assert.doesNotMatch(stdout, /sequence|Paper|vocabulary|NaN/);
  const { model, run, paper } = JSON.parse(runCli(['budget', 'train.py', '--format', 'json'], { cwd }).stdout);
  assert.deepEqual([model.layers, 'vocabulary' in model, 'sequence' in run, paper.strategies], [12, false, false, []]);
});
