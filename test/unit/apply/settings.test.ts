import assert from 'node:assert/strict';
import { test } from 'node:test';
import { applyStrategy } from '../../../server/core/apply/applyStrategy.ts';
import type { ChosenStrategy } from '../../../server/core/apply/chosen.ts';
import { settingsPlaces } from '../../../server/core/apply/settingsPlaces.ts';
import type { ConfigFormat } from '../../../server/core/config/configFile.ts';
import { runsOfText } from '../../../server/core/facts/configFiles/runs.ts';
import { applyEdits } from '../../../server/core/text/edit.ts';
import { lintConfigText } from '../../support/lint.ts';
import { full, none, policy, segments } from './applied.ts';

function put(text: string, chosen: ChosenStrategy, format: ConfigFormat = 'yaml'): string {
  const application = applyStrategy(settingsPlaces(text, format), chosen);
  if (application.kind === 'cannot') return `cannot: ${application.why}`;
  if (application.kind === 'already') return text;
  const edited = applyEdits(text, application.edits);
  assert.deepEqual(lintConfigText(edited, format), []);
  assert.equal(put(edited, chosen, format), edited, 'a second time changes nothing');
  return edited;
}

/** What the product reads from it. */
function now(text: string, format: ConfigFormat = 'yaml') {
  const [run] = runsOfText(`/w/train.${format === 'shell' ? 'sh' : format}`, text, {
    workspace: undefined,
    placeName: (path) => path,
  });
  return run?.facts.run.checkpointing.value;
}

const offload: ChosenStrategy = { name: 'offload', segment: 1 };

test('axolotl', () => {
  const text = 'base_model: meta-llama/Llama-3.2-1B  # small\nsequence_len: 2048\nmicro_batch_size: 2\nadapter: lora\n';
  const on = put(text, full);
  assert.equal(on, `${text}gradient_checkpointing: true\ngradient_checkpointing_kwargs: { use_reentrant: false }\n`);
  assert.deepEqual([now(on)?.mode, now(on)?.variant], ['full', 'non-reentrant']);
  assert.equal(now(put(on, none))?.mode, 'none');
  assert.equal(put(on, none), `${text}gradient_checkpointing: false\n`);
  assert.equal(now(put(on, offload))?.offloaded, true);
  assert.match(
    put(text, segments(4)),
    /^cannot: axolotl’s settings have no word for checkpointing in segments of 4 layers/,
  );
});

test('LLaMA-Factory', () => {
  const text = 'stage: sft\nmodel_name_or_path: Qwen/Qwen3-0.6B\nfinetuning_type: lora\ncutoff_len: 2048\n';
  const off = put(text, none);
  assert.equal(off, `${text}disable_gradient_checkpointing: true\n`);
  assert.equal(now(off)?.mode, 'none');
  assert.equal(now(put(off, full))?.mode, 'full');
  assert.equal(put(text, full), text);
});

test('torchtune', () => {
  const text =
    'model:\n  _component_: torchtune.models.llama3_2.llama3_2_1b\ntokenizer:\n  _component_: torchtune.models.llama3.llama3_tokenizer\nbatch_size: 2\nenable_activation_checkpointing: False  # saves memory\nenable_activation_offloading: False\n';
  const on = put(text, full);
  assert.ok(on.includes('enable_activation_checkpointing: true  # saves memory'), on);
  assert.equal(now(on)?.mode, 'full');
  assert.equal(now(put(on, offload))?.offloaded, true);
  assert.equal(now(put(on, none))?.mode, 'none');
});

test('accelerate', () => {
  const text =
    'distributed_type: FSDP\nfsdp_config:\n  fsdp_version: 2\n  fsdp_auto_wrap_policy: TRANSFORMER_BASED_WRAP\nnum_processes: 8\n';
  const on = put(text, full);
  assert.ok(
    on.includes('  fsdp_auto_wrap_policy: TRANSFORMER_BASED_WRAP\n  fsdp_activation_checkpointing: true\n'),
    on,
  );
  assert.match(put(text, policy), /^cannot/);
});

test('torchtitan', () => {
  const text =
    '[job]\ndescription = "x"\n[model]\nname = "llama3"\nflavor = "8B"\n[training]\nlocal_batch_size = 1\n[activation_checkpoint]\nmode = "full" # all\nselective_ac_option = "2"\n';
  assert.ok(put(text, none, 'toml').includes('mode = "none" # all'));
  const second = put(text, { name: 'policy-second', segment: 1 }, 'toml');
  assert.ok(second.includes('mode = "selective" # all\nselective_ac_option = "op"'), second);
  assert.equal(now(second, 'toml')?.mode, 'policy-second');
});

test('Megatron-LM', () => {
  const text = `#!/bin/bash
MODEL_ARGS=(
    --num-layers 24
    --hidden-size 1024
    --num-attention-heads 16
)
torchrun pretrain_gpt.py "\${MODEL_ARGS[@]}" \\
    --micro-batch-size 4 \\
    --seq-length 2048
`;
  const on = put(text, segments(2), 'shell');
  assert.ok(
    on.includes(
      '    --num-layers 24 --recompute-granularity full --recompute-method uniform --recompute-num-layers 2\n',
    ),
    on,
  );
  assert.deepEqual([now(on, 'shell')?.mode, now(on, 'shell')?.segment], ['full', 2]);
  assert.equal(put(on, none, 'shell'), text);
  const selective = put(on, { name: 'selective', segment: 1 }, 'shell');
  assert.ok(selective.includes('    --num-layers 24 --recompute-granularity selective\n'), selective);
});
