import assert from 'node:assert/strict';
import { symlinkSync } from 'node:fs';
import { test } from 'node:test';
import { folderWith } from './support/folder.ts';
import { runCli } from './support/runCli.ts';

const files = {
  'conf/lora.yml': 'base_model: gpt2\nmicro_batch_size: 2\nadapter: lora\nsequence_len: 256\n',
  'conf/ds.json': '{"zero_optimization": {"stage": 2}}',
  'run.sh': 'torchrun train.py --model_name gpt2-xl --batch_size 1 --max_length 512 --bf16 --deepspeed conf/ds.json\n',
  'notes.yaml': 'title: nothing to train\n',
};

test('facts lists the runs of a folder and shows the one that says most', (context) => {
  const folder = folderWith(context, files);
  const { code, stdout } = runCli(['facts'], { cwd: folder.path });
  assert.equal(code, 0);
  assert.match(stdout, /^2 runs\n/);
  assert.match(stdout, /1 {5}lora\.yml \(axolotl\) +gpt2 +conf\/lora\.yml:1/);
  assert.match(stdout, /2 {2}\* {2}run\.sh: train\.py +gpt2-xl +run\.sh:1/);
  assert.match(stdout, /sharding +zero-2 +conf\/ds\.json:1/);
});

test('facts shows the run that is asked for, by number and by name', (context) => {
  const folder = folderWith(context, files);
  for (const run of ['1', 'lora']) {
    const { code, stdout } = runCli(['facts', '.', '--run', run], { cwd: folder.path });
    assert.equal(code, 0);
    assert.match(stdout, /sequence +256 +conf\/lora\.yml:4/);
  }
  const { code, stderr } = runCli(['facts', '.', '--run', '7'], { cwd: folder.path });
  assert.equal(code, 2);
  assert.match(stderr, /--run 7: there is no such run \(there are 2\)/);
});

test('facts as JSON has every run with places, and what lost', (context) => {
  const folder = folderWith(context, {
    ...files,
    'run.sh': 'python train.py --model_name gpt2 --batch_size 1 --batch_size 4\n',
  });
  const { stdout } = runCli(['facts', 'run.sh', '--format', 'json'], { cwd: folder.path });
  const { version, runs, chosen } = JSON.parse(stdout);
  assert.equal(version, 1);
  assert.equal(chosen, 'run.sh');
  const { batch, layers } = runs[0].facts;
  assert.deepEqual([batch.value, batch.kind, batch.path, batch.line, batch.column], [4, 'literal', 'run.sh', 1, 63]);
  assert.equal(batch.lost[0].value, 1);
  assert.equal(layers.kind, 'registry');
});

test('a single part of a run, nothing at all, and input that cannot be read', (context) => {
  const folder = folderWith(context, { ...files, 'large.json': `{"zero_optimization": "${'x'.repeat(400_000)}"}` });
  symlinkSync(folder.path, folder.at('conf/circle'));
  assert.match(runCli(['facts', 'conf/ds.json'], { cwd: folder.path }).stdout, /^ds\.json \(DeepSpeed\)/);
  assert.equal(runCli(['facts', 'notes.yaml'], { cwd: folder.path }).stdout, 'No run was found.\n');
  const large = runCli(['facts', 'large.json'], { cwd: folder.path });
  assert.deepEqual([large.code, /large\.json: too large/.test(large.stderr)], [2, true]);
  assert.equal(runCli(['facts', 'gone'], { cwd: folder.path }).code, 2);
  assert.equal(runCli(['facts'], { cwd: folder.path }).code, 0);
});

test('budget takes a settings file and a launch script', (context) => {
  const folder = folderWith(context, files);
  const { code, stdout } = runCli(['budget', 'conf/lora.yml'], { cwd: folder.path });
  assert.equal(code, 0);
  assert.match(stdout, /^gpt2 \(conf\/lora\.yml:1\)/);
});
