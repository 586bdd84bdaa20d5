import type { CheckpointingNow, ShardingName } from '../facts.ts';
import type { Given } from './given.ts';
import { adaptersGiven } from './loraSettings.ts';
import { modelOfId } from './models.ts';
import { alsoSays, byDefault, present, type SaidRun } from './said.ts';
import { choiceGiven, numberGiven, switchGiven, textGiven } from './values.ts';
import { attentionWords } from './words.ts';

/** The YAML of LLaMA-Factory's rewritten trainer, with a plugin's settings below `dist_config` and `peft_config`. */
export function readLlamaFactory1(given: Given): SaidRun {
  const name = textGiven(given, 'model');
  const peft = textGiven(given, 'peft_config.name');
  const on = switchGiven(given, true, 'enable_activation_checkpointing');
  const spread = textGiven(given, 'dist_config.name');
  const bf16 = switchGiven(given, true, 'bf16');
  const bits = numberGiven(given, 16, 'quant_config.quantization_bit');
  const settings = present({
    batch: numberGiven(given, 1, 'micro_batch_size'),
    sequence: numberGiven(given, 2048, 'cutoff_len'),
    dataType: bf16 && alsoSays(bf16.value ? 'bf16' : 'fp32', bf16),
    attention: choiceGiven(given, attentionWords, 'flash_attn'),
    checkpointing: on && alsoSays(on.value ? everyLayer : { mode: 'none', segment: 1 }, on),
    contextParallel: numberGiven(given, 1, 'cp_size'),
    dataParallel: numberGiven(given, 1, 'dp_size'),
    sharding: spread?.value === 'fsdp2' ? alsoSays<ShardingName>('fsdp2', spread) : undefined,
    adapters: peft?.value === 'lora' ? adaptersGiven(given, loraNames, peft) : undefined,
    quantisation:
      bits && (bits.value === 4 ? alsoSays('nf4', bits) : bits.value === 8 ? alsoSays('int8', bits) : undefined),
  });
  return {
    ...(name !== undefined && { model: modelOfId(name) }),
    settings,
    defaults: {
      batch: byDefault(1, 'LLaMA-Factory 1', 'micro_batch_size'),
      sequence: byDefault(2048, 'LLaMA-Factory 1', 'cutoff_len'),
      dataType: byDefault('bf16', 'LLaMA-Factory 1', 'bf16'),
      checkpointing: byDefault(everyLayer, 'LLaMA-Factory 1', 'enable_activation_checkpointing'),
    },
    notes: given.notes,
  };
}

const everyLayer: CheckpointingNow = { mode: 'full', segment: 1, mechanism: 'enable_activation_checkpointing' };

const loraNames = {
  rank: ['peft_config.r'],
  targets: ['peft_config.target_modules'],
  dropout: ['peft_config.lora_dropout'],
  saysAll: true,
  defaults: { rank: 8, targets: 'all-linear', dropout: 0.05, elementType: 'fp32' },
} as const;
