import type { CheckpointingNow, DataType, Fact, Quantisation } from '../facts.ts';
import type { Given } from './given.ts';
import { adaptersGiven } from './loraSettings.ts';
import { alsoSays, byDefault, derived, present, type SaidRun, type SaidSettings } from './said.ts';
import { liger, readTrainer, trainerDefaults } from './trainer.ts';
import { choiceGiven, numberGiven, switchGiven, textGiven } from './values.ts';
import { attentionWords } from './words.ts';

/** LLaMA-Factory: transformers' arguments and its own. It checkpoints unless it is told not to. */
export function readLlamaFactory(given: Given): SaidRun {
  const trainer = readTrainer(given);
  const kind = textGiven(given, 'finetuning_type');
  const isFull = kind?.value === 'full' || kind?.value === 'freeze';
  const { optimizer, gradientAccumulation, batch, sharding, offload } = trainer.settings;
  const type = precision(given, isFull);
  const settings = present({
    batch,
    optimizer,
    gradientAccumulation,
    sharding,
    offload,
    ...type,
    sequence: numberGiven(given, 2048, 'cutoff_len'),
    attention: choiceGiven(given, attentionWords, 'flash_attn'),
    checkpointing: switchedOff(given),
    quantisation: quantisation(given),
    adapters: isFull || kind?.value === 'oft' ? undefined : kind && adaptersGiven(given, loraNames, kind),
    fused: liger(given),
  });
  const reentrant = switchGiven(given, true, 'use_reentrant_gc');
  const now = checkpointing(given, reentrant?.value ?? true);
  return {
    ...(trainer.model !== undefined && { model: trainer.model }),
    settings,
    defaults: {
      ...trainerDefaults,
      sequence: byDefault(2048, 'LLaMA-Factory', 'cutoff_len'),
      checkpointing: reentrant
        ? derived(now, 'on unless it is switched off', reentrant.origin)
        : byDefault(now, 'LLaMA-Factory', 'disable_gradient_checkpointing'),
    },
    notes: given.notes,
  };
}

/** Under FSDP2 LLaMA-Factory takes the other variant, whatever was asked for. */
export function underFsdp2(said: SaidRun): SaidRun {
  const { checkpointing } = said.defaults;
  if (said.settings.sharding?.value !== 'fsdp2' || checkpointing === undefined) return said;
  const value: CheckpointingNow = { ...checkpointing.value, variant: 'non-reentrant' };
  return {
    ...said,
    defaults: { ...said.defaults, checkpointing: derived(value, 'FSDP2', said.settings.sharding.origin) },
  };
}

function switchedOff(given: Given): Fact<CheckpointingNow> | undefined {
  const off = switchGiven(given, false, 'disable_gradient_checkpointing');
  return off?.value === true ? alsoSays({ mode: 'none', segment: 1 }, off) : undefined;
}

function checkpointing(given: Given, reentrant: boolean): CheckpointingNow {
  const offloaded = switchGiven(given, false, 'use_unsloth_gc', 'use_unsloth')?.value === true;
  return {
    mode: 'full',
    segment: 1,
    variant: reentrant ? 'reentrant' : 'non-reentrant',
    ...(offloaded && { offloaded }),
    mechanism: 'gradient_checkpointing_enable',
  };
}

/** The base is loaded in the type of the training; weights that learn are fp32 unless `pure_bf16`. */
function precision(given: Given, isFull: boolean): SaidSettings {
  for (const [type, ...names] of [
    ['bf16', 'bf16', 'pure_bf16'],
    ['fp16', 'fp16'],
  ] as const) {
    const on = names.map((name) => switchGiven(given, false, name)).find((one) => one?.value === true);
    if (on === undefined) continue;
    const isPure = switchGiven(given, false, 'pure_bf16')?.value === true;
    return { dataType: alsoSays<DataType>(type, on), autocast: alsoSays(isFull && !isPure, on) };
  }
  return {};
}

function quantisation(given: Given): Fact<Quantisation> | undefined {
  const bits = numberGiven(given, 16, 'quantization_bit');
  return bits?.value === 4 ? alsoSays('nf4', bits) : bits?.value === 8 ? alsoSays('int8', bits) : undefined;
}

const loraNames = {
  rank: ['lora_rank'],
  targets: ['lora_target'],
  dropout: ['lora_dropout'],
  saysAll: true,
  defaults: { rank: 8, targets: 'all-linear', dropout: 0, elementType: 'fp32' },
} as const;
