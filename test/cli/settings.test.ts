import assert from 'node:assert/strict';
import { test } from 'node:test';
import { folderWith } from './support/folder.ts';
import { runCli } from './support/runCli.ts';

const deepspeed =
  '{\n  "zero_optimization": {"stage": 2},\n  "activation_checkpointing": {\n    "contiguous_memory_optimization": true\n  }\n}\n';
const axolotl = 'base_model: x\nmicro_batch_size: 1\nadapter: lora\nactivation_offloading: true\n';
const accelerate =
  'distributed_type: FSDP\nnum_processes: 8\nfsdp_config:\n  fsdp_auto_wrap_policy: NO_WRAP\n  fsdp_activation_checkpointing: true\n';
const megatron = 'torchrun pretrain_gpt.py --recompute-granularity full\n';
const titan = '[model]\nname = "x"\n[training]\nsteps = 1\n[activation_checkpoint]\nmode = "ful"\n';

function report(cwd: string, ...args: string[]): { files: number; found: string[] } {
  const { files, findings } = JSON.parse(runCli(['check', '--format', 'json', ...args], { cwd }).stdout);
  const found = findings.map((each: { path: string; code: string; line: number }) => `${each.path} ${each.code}`);
  return { files, found };
}

test('a folder is searched for settings and scripts of a training', (context) => {
  const { path: cwd } = folderWith(context, {
    'conf/ds.json': deepspeed,
    'conf/fsdp.yaml': accelerate,
    'conf/axolotl.yml': axolotl,
    'conf/titan.toml': titan,
    'run.sh': megatron,
    'package.json': deepspeed,
    'data.json': '{"text": "no such word"}',
    'other.json': '{"checkpoint": "model.pt"}',
    'train.py': 'print(1)\n',
  });
  assert.deepEqual(report(cwd).found, [
    'conf/axolotl.yml AC707',
    'conf/ds.json AC701',
    'conf/fsdp.yaml AC706',
    'conf/titan.toml AC707',
    'run.sh AC610',
  ]);
  assert.deepEqual(report(cwd, 'package.json').found, ['package.json AC701'], 'a file that is named is meant');
});

test('a folder full of data and files too large to be settings are passed over', (context) => {
  const many = Object.fromEntries(Array.from({ length: 201 }, (_, index) => [`data/${index}.json`, deepspeed]));
  const large = `{"zero_optimization": {}, "activation_checkpointing": {"note": "${'x'.repeat(400_000)}"}}`;
  const { path: cwd } = folderWith(context, { ...many, 'large.json': large, 'data/run.sh': megatron });
  assert.deepEqual(report(cwd).found, ['data/run.sh AC610']);
});

test('a fix changes the settings and nothing else', (context) => {
  const folder = folderWith(context, { 'ds.json': deepspeed.replaceAll('\n', '\r\n') });
  const { code, stdout } = runCli(['check', '--fix', '--select', 'AC701', '.'], { cwd: folder.path });
  assert.equal(code, 0, stdout);
  const fixed = deepspeed.replace('true\n', 'true,\n    "partition_activations": true\n');
  assert.equal(folder.read('ds.json'), fixed.replaceAll('\n', '\r\n'));
});

test('settings on standard input are told by the name', () => {
  const { code, stdout } = runCli(['check', '--stdin-filename', 'ds.json', '-'], { input: deepspeed });
  assert.equal(code, 1);
  assert.match(stdout, /ds\.json:4:5: error AC701/);
});

test('half-written and broken settings are no problem of the run', (context) => {
  const { path: cwd } = folderWith(context, {
    'a.json': deepspeed.slice(0, 70),
    'b.yaml': `${axolotl}x: [1, {checkpoint\n`,
    'c.toml': `${titan}[[[`,
    'd.sh': `${megatron}echo "$(`,
    'e.json': Buffer.from([0x7b, 0xff, 0xfe, ...Buffer.from('"checkpoint"')]),
    'f.yaml': `checkpoint: ${'['.repeat(50_000)}`,
  });
  const { code, stderr } = runCli(['check'], { cwd });
  assert.notEqual(code, 2, stderr);
});
