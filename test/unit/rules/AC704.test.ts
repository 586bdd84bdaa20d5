import assert from 'node:assert/strict';
import { test } from 'node:test';
import { configFile } from '../../../server/core/config/configFile.ts';
import { lint, lintConfig } from '../../../server/core/lint/engine.ts';
import { rule } from '../../../server/core/rules/ac7-configuration/deepspeed-block-without-effect.ts';
import { workspaceOf } from '../../support/workspace.ts';

const block = '{"zero_optimization": {"stage": 2}, "activation_checkpointing": {"partition_activations": true}}';

function found(texts: Readonly<Record<string, string>>, path = 'train.py'): string[] {
  const workspace = workspaceOf(texts);
  const file = workspace.file(`/w/${path}`);
  assert.ok(file);
  const onCrash = (_: unknown, error: unknown): never => {
    throw error;
  };
  return lint(file, { rules: [rule], versions: {}, severities: {}, workspace, onCrash }).map(
    ({ severity, message }) => `${severity}: ${message.split(':')[0]}`,
  );
}

const train = (deepspeed: string, more = ''): string =>
  `from transformers import TrainingArguments\nargs = TrainingArguments("checkpoints", deepspeed=${deepspeed}${more})\n`;

test('a file that is named is read, beside the script or from the workspace’s folder', () => {
  const warning = ['warning: activation_checkpointing checkpoints nothing'];
  assert.deepEqual(found({ 'train.py': train('"ds.json"'), 'ds.json': block }), warning);
  assert.deepEqual(found({ 'src/train.py': train('"conf/ds.json"'), 'conf/ds.json': block }, 'src/train.py'), warning);
  assert.deepEqual(found({ 'src/train.py': train('"../ds.json"'), 'ds.json': block }, 'src/train.py'), warning);
});

test('where the Trainer checkpoints anyway it is information', () => {
  const on = train('"ds.json"', ', gradient_checkpointing=True');
  assert.deepEqual(found({ 'train.py': on, 'ds.json': block }), [
    'information: activation_checkpointing has no effect',
  ]);
  const open = train('"ds.json"', ', **options');
  assert.deepEqual(found({ 'train.py': open, 'ds.json': block }), [
    'information: activation_checkpointing has no effect',
  ]);
});

test('nothing is said of a file that is not there, is broken, or asks for nothing', () => {
  assert.deepEqual(found({ 'train.py': train('"ds.json"') }), []);
  assert.deepEqual(found({ 'train.py': train('"ds.json"'), 'ds.json': '{"activation_checkpointing": ' }), []);
  assert.deepEqual(found({ 'train.py': train('"ds.json"'), 'ds.json': block.replace('true', 'false') }), []);
  assert.deepEqual(found({ 'train.py': train('"ds.txt"'), 'ds.txt': block }), []);
  assert.deepEqual(found({ 'train.py': train('path'), 'ds.json': block }), []);
});

test('a script that names such a file', () => {
  const script = 'DS=conf/ds.json\ntorchrun train.py --deepspeed $DS --output_dir checkpoints\n';
  const file = configFile('/w/run.sh', script, 'shell');
  assert.ok(file);
  const onCrash = (_: unknown, error: unknown): never => {
    throw error;
  };
  const options = { rules: [rule], versions: {}, severities: {}, onCrash };
  const foundWith = (texts: Readonly<Record<string, string>>) =>
    lintConfig(file, { ...options, workspace: workspaceOf(texts) }).map(({ at }) => script.slice(at.start, at.end));
  assert.deepEqual(foundWith({ 'conf/ds.json': block }), ['--deepspeed']);
  assert.deepEqual(foundWith({ 'conf/ds.json': block.replace('true', 'false') }), []);
  assert.deepEqual(foundWith({}), []);
});
