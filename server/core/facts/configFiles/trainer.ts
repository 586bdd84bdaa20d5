import type { CheckpointingNow, DataType, Fact, OptimizerName, Quantisation } from '../facts.ts';
import { readFsdp } from './fsdp.ts';
import { type Given, grouped } from './given.ts';
import { adaptersGiven } from './loraSettings.ts';
import { modelOfId } from './models.ts';
import { alsoSays, byDefault, derived, joined, present, type SaidRun, type SaidSettings } from './said.ts';
import { choiceGiven, meaningOf, numberGiven, shareGiven, switchGiven, switchOf, textGiven } from './values.ts';
import {
  attentionWords,
  dataTypeWords,
  implementationWords,
  lightningStrategies,
  meansAutocast,
  optimizerWords,
  zeroStages,
} from './words.ts';

/**
 * The arguments of a Hugging Face trainer and of the many scripts that follow its names, on a command line or in a
 * file: `--per_device_train_batch_size 2 --bf16 True --gradient_checkpointing True`.
 */
export function readTrainer(plain: Given): SaidRun {
  const given = inGroups(plain);
  const name = textGiven(
    given,
    'model_name_or_path',
    'pretrained_model_name_or_path',
    'model_id',
    'base_model',
    'actor_model_name_or_path',
    'lm_model_name_or_path',
    'model',
    // Beside a `model` this is what ms-swift teaches the model to call itself.
    'model_name',
  );
  const settings = present({
    batch: numberGiven(given, 1, ...batchNames),
    sequence: numberGiven(given, 512, ...sequenceNames) ?? generated(given),
    gradientAccumulation: numberGiven(given, 1, 'gradient_accumulation_steps', 'accum_freq', 'grad_accum_steps'),
    ...precision(given),
    attention: choiceGiven(given, attentionWords, 'attn_implementation', 'attn', 'attn_impl') ?? flashSwitch(given),
    dropout: shareGiven(given, 0, 'dropout'),
    checkpointing: checkpointing(given),
    optimizer: choiceGiven<OptimizerName>(given, optimizerWords, 'optim', 'optimizer', 'opt'),
    optimizerImplementation: meaningOf(given, implementationWords, 'optim', 'optimizer', 'opt'),
    sharding:
      choiceGiven(given, zeroStages, 'zero_stage', 'actor_zero_stage', 'deepspeed_stage') ??
      meaningOf(given, lightningStrategies, 'strategy'),
    offload: switchGiven(given, false, 'offload')?.value === true ? offloaded(given) : undefined,
    ...adapters(given),
    fused: liger(given),
  });
  const own: SaidRun = {
    ...(name !== undefined && { model: modelOfId(name) }),
    settings,
    defaults: {},
    notes: [...given.notes, ...openAdapters(given)],
  };
  return joined([own, fsdp(given)]);
}

/** Names may stand in a class of arguments that the program parses, or in a section of a file. */
export const inGroups = (given: Given): Given =>
  grouped(given, ['training_args', 'training', 'model_args', 'model_config', 'peft_config', 'lora_config', 'lora']);

/** What transformers' own arguments are where nothing gives them. */
export const trainerDefaults: SaidSettings = {
  batch: byDefault(8, 'transformers', 'TrainingArguments.per_device_train_batch_size'),
  dataType: byDefault('fp32', 'torch', 'default dtype'),
};

const batchNames = [
  'per_device_train_batch_size',
  'per_gpu_train_batch_size',
  'per_device_batch_size',
  'micro_batch_size',
  'micro_train_batch_size',
  'device_batch_size',
  'micro_bsz',
  'train_batch_size',
  'batch_size',
];

const sequenceNames = [
  'max_length',
  'max_seq_length',
  'max_seq_len',
  'model_max_length',
  'cutoff_len',
  'block_size',
  'seq_length',
  'seq_len',
  'sequence_length',
  'max_source_length',
  'pack_length',
  'ctx_len',
  'context_length',
];

/** A policy learns from its prompts with what it generated. */
function generated(given: Given): Fact<number> | undefined {
  const prompt = numberGiven(given, 512, 'max_prompt_length');
  const completion = numberGiven(given, 512, 'max_completion_length');
  if (prompt === undefined || completion === undefined) return undefined;
  const words = `prompt ${prompt.value} + completion ${completion.value}`;
  return derived(prompt.value + completion.value, words, prompt.origin);
}

function precision(given: Given): SaidSettings {
  const weights = choiceGiven({ ...given, notes: [] }, dataTypeWords, 'torch_dtype', 'dtype');
  for (const type of ['bf16', 'fp16'] as const) {
    const on = switchGiven(given, false, type);
    if (on?.value !== true) continue;
    const isSame = weights?.value === type;
    const autocast = isSame ? derived(false, `the weights are ${type} already`, weights.origin) : alsoSays(true, on);
    return { dataType: alsoSays<DataType>(type, on), autocast };
  }
  const mixed = choiceGiven(given, dataTypeWords, 'mixed_precision');
  if (mixed !== undefined) return { dataType: mixed, autocast: alsoSays(mixed.value !== 'fp32', mixed) };
  const found = given.find('precision');
  const type = choiceGiven(given, dataTypeWords, 'precision', 'torch_dtype', 'dtype', 'data_type');
  if (type === undefined) return {};
  return { dataType: type, autocast: alsoSays(meansAutocast(String(found?.value ?? '')), type) };
}

function flashSwitch(given: Given) {
  const on = switchGiven(
    { ...given, notes: [] },
    false,
    'use_flash_attn',
    'use_flash_attention_2',
    'use_flash_attention',
    'flash_attn',
  );
  return on?.value === true ? alsoSays('flash' as const, on) : undefined;
}

/** timm and open_clip call the switch `grad_checkpointing`. */
function checkpointing(given: Given): Fact<CheckpointingNow> | undefined {
  const names = [
    'gradient_checkpointing',
    'grad_checkpointing',
    'use_gradient_checkpointing',
    'gradient_checkpoint',
    'actor_gradient_checkpointing',
    'enable_gradient_checkpointing',
    'use_checkpoint',
    'grad_checkpoint',
    'grad_cp',
  ];
  const found = given.find(...names);
  if (found?.value === 'unsloth') {
    const value: CheckpointingNow = { mode: 'full', segment: 1, offloaded: true, mechanism: 'unsloth' };
    return { value, origin: { kind: 'literal', place: found.place } };
  }
  const on = switchGiven(given, false, ...names);
  if (on === undefined) return undefined;
  if (!on.value || on.origin.kind === 'assumed') return { ...on, value: { mode: 'none', segment: 1 } };
  const reentrant = switchGiven(given, true, 'gradient_checkpointing_kwargs.use_reentrant', 'use_reentrant');
  const value: CheckpointingNow = {
    mode: 'full',
    segment: 1,
    ...(reentrant !== undefined && { variant: reentrant.value ? 'reentrant' : 'non-reentrant' }),
    mechanism: found?.name.replace(/^-+/, '') ?? 'gradient_checkpointing',
  };
  return alsoSays(value, on);
}

function offloaded(given: Given): Fact<'parameters-and-optimizer'> | undefined {
  const on = switchGiven(given, false, 'offload');
  return on && alsoSays('parameters-and-optimizer', on);
}

function adapters(given: Given): SaidSettings {
  const in4 = switchGiven(given, false, 'load_in_4bit', 'use_4bit', 'q_lora');
  const in8 = switchGiven(given, false, 'load_in_8bit');
  const on = loraSwitch(given);
  const rank = numberGiven(given, 8, ...loraNames.rank);
  const isOn = on?.value ?? (rank !== undefined && given.find('rank') === undefined);
  return present({
    quantisation:
      in4?.value === true
        ? alsoSays<Quantisation>('nf4', in4)
        : in8?.value === true
          ? alsoSays<Quantisation>('int8', in8)
          : undefined,
    adapters:
      isOn && openAdapters(given).length === 0
        ? adaptersGiven(given, namesOf(given), on ?? rank ?? derived(0, ''))
        : undefined,
  });
}

export const loraNames = {
  rank: ['lora_r', 'lora_rank', 'lora_dim', 'actor_lora_dim', 'peft_config.r', 'rank'],
  targets: ['lora_target_modules', 'lora_target', 'target_modules', 'lora_module_name'],
  dropout: ['lora_dropout'],
  leavesLayers: true,
  defaults: { rank: 8, targets: ['q_proj', 'v_proj'], dropout: 0, elementType: 'fp32' },
} as const;

/** TRL's `ModelConfig`. */
const trlNames = {
  ...loraNames,
  leavesLayers: false,
  defaults: { ...loraNames.defaults, rank: 16, dropout: 0.05 },
} as const;

const isTrl = (given: Given): boolean => given.find('use_peft') !== undefined;
const namesOf = (given: Given): typeof loraNames | typeof trlNames => (isTrl(given) ? trlNames : loraNames);
const loraSwitch = (given: Given): Fact<boolean> | undefined =>
  switchGiven(given, false, 'use_peft', 'use_lora', 'lora_enable', 'lora');

/** Adapters that are on with a rank that only the script knows. */
function openAdapters(given: Given): readonly string[] {
  const isOpen = loraSwitch(given)?.value === true && !isTrl(given) && given.find(...loraNames.rank) === undefined;
  return isOpen ? ['LoRA is on with the rank that the script itself takes; it is not counted'] : [];
}

export function liger(given: Given, prefix = '') {
  const names = ['use_liger_kernel', 'use_liger', 'enable_liger_kernel'];
  const on = switchGiven(given, false, ...names.map((name) => `${prefix}${name}`));
  return on?.value === true ? alsoSays({ norm: true, mlp: true, loss: 'fused' as const }, on) : undefined;
}

/** `--fsdp "full_shard auto_wrap offload"`, with `fsdp_config` beside it as a file or in place. */
function fsdp(given: Given): SaidRun {
  const words = textGiven(given, 'fsdp');
  const found = given.find('fsdp');
  const list = Array.isArray(found?.value) ? found.value.join(' ') : words?.value;
  if (found === undefined || list === undefined || list === '' || switchOf(list) === false)
    return { settings: {}, defaults: {}, notes: [] };
  const on: Fact<string> = { value: list, origin: { kind: 'literal', place: found.place } };
  const named = /\b(full_shard|shard_grad_op|no_shard|hybrid_shard)/.exec(list)?.[1];
  const sharding = named === 'no_shard' ? ('ddp' as const) : ('fsdp1' as const);
  const own: SaidRun = {
    settings: present({
      sharding: alsoSays(sharding, on),
      reshardAfterForward: named === 'shard_grad_op' ? alsoSays(false, on) : undefined,
      offload: /\boffload\b/.test(list) ? alsoSays('parameters-and-optimizer' as const, on) : undefined,
    }),
    defaults: {},
    notes: [],
  };
  const version = numberGiven(given, 1, 'fsdp_config.version', 'fsdp_config.fsdp_version');
  const of2 =
    version?.value === 2 && sharding === 'fsdp1' ? present({ sharding: alsoSays('fsdp2' as const, version) }) : {};
  return joined([
    { ...own, settings: { ...own.settings, ...of2 } },
    readFsdp(given, ['fsdp_config.', 'fsdp_config.fsdp_'], on),
  ]);
}
