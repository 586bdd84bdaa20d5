import type { CheckpointingNow, Fact, OffloadName, ShardingName } from '../facts.ts';
import type { Given } from './given.ts';
import { adaptersGiven } from './loraSettings.ts';
import { readMegatron } from './megatron.ts';
import { modelOfId } from './models.ts';
import { alsoSays, byDefault, derived, present, type SaidRun, type SaidSettings } from './said.ts';
import { readTrainer } from './trainer.ts';
import { numberGiven, textGiven } from './values.ts';

const library = 'ms-swift';

/** ms-swift's arguments, on a command line or in a file: transformers' with its own, or Megatron's with a model by its id. */
export function readSwift(given: Given): SaidRun {
  const isMegatron = given.find(...megatronNames) !== undefined;
  return isMegatron ? overMegatron(given) : overTransformers(given);
}

const megatronNames = [
  'micro_batch_size',
  'recompute_granularity',
  'tensor_model_parallel_size',
  'expert_model_parallel_size',
];

/** It checkpoints every layer unless it is told not to, and trains adapters unless it is told to train all weights. */
function overTransformers(given: Given): SaidRun {
  const { adapters: _, sequence, ...settings } = readTrainer(given).settings;
  const kind = textGiven(given, ...kindNames);
  const lora =
    kind === undefined || kind.value === 'lora' ? adaptersGiven(given, loraNames, kind ?? ofLibrary) : undefined;
  const isSaid = kind !== undefined || given.find('lora_rank', 'target_modules') !== undefined;
  return {
    ...ownModel(given),
    settings: {
      ...settings,
      ...present({ sequence: sequenceOf(given, sequence), adapters: isSaid ? lora : undefined }),
      ...presetOf(given),
    },
    defaults: {
      batch: byDefault(1, library, 'per_device_train_batch_size'),
      checkpointing: byDefault(everyLayer, library, 'gradient_checkpointing'),
      ...present({ adapters: isSaid || lora === undefined ? undefined : byDefault(lora.value, library, 'tuner_type') }),
    },
    notes: given.notes,
  };
}

const kindNames = ['tuner_type', 'train_type', 'sft_type'];
const ofLibrary: Fact<string> = byDefault('lora', library, 'tuner_type');
const everyLayer: CheckpointingNow = { mode: 'full', segment: 1, mechanism: 'gradient_checkpointing' };

const loraNames = {
  rank: ['lora_rank'],
  targets: ['target_modules', 'lora_target_modules'],
  dropout: ['lora_dropout'],
  saysAll: true,
  defaults: { rank: 8, targets: 'all-linear', dropout: 0.05, elementType: 'fp32' },
} as const;

/** Its Megatron trains all weights, in shards of the optimizer, and recomputes attention unless it is told otherwise. */
function overMegatron(given: Given): SaidRun {
  const { settings, notes } = readMegatron(given);
  const kind = textGiven(given, ...kindNames);
  return {
    ...ownModel(given),
    settings: {
      ...settings,
      ...present({
        sequence: numberGiven(given, 1024, 'max_length', 'seq_length'),
        adapters: kind?.value === 'lora' ? adaptersGiven(given, loraNames, kind) : undefined,
      }),
    },
    defaults: {
      batch: byDefault(1, library, 'micro_batch_size'),
      attention: byDefault('flash', library, 'attention_backend'),
      checkpointing: byDefault(
        { mode: 'selective', segment: 1, mechanism: 'recompute_granularity' },
        library,
        'recompute_granularity',
      ),
      sharding: byDefault<ShardingName>('megatron-distributed-optimizer', library, 'use_distributed_optimizer'),
    },
    notes,
  };
}

/** Beside a `model`, `model_name` is what the model learns to call itself. */
function ownModel(given: Given): Pick<SaidRun, 'model'> {
  const name = textGiven(given, 'model', 'model_id_or_path', 'model_type');
  return name === undefined ? {} : { model: modelOfId(name) };
}

/** Where a policy generates what it learns from, `max_length` is the prompt's alone. */
function sequenceOf(given: Given, sequence: Fact<number> | undefined): Fact<number> | undefined {
  const kind = textGiven(given, 'rlhf_type')?.value;
  if (kind === undefined || !/^(grpo|ppo|gkd)$/.test(kind)) return sequence;
  const completion = numberGiven(given, 512, 'max_completion_length');
  if (sequence === undefined || completion === undefined) return undefined;
  const words = `prompt ${sequence.value} + completion ${completion.value}`;
  return derived(sequence.value + completion.value, words, sequence.origin);
}

/** `--deepspeed zero3_offload` names one of the configurations that come with it. */
function presetOf(given: Given): SaidSettings {
  const preset = textGiven(given, 'deepspeed');
  const [, stage, offloads] = /^zero([0-3])(_offload)?$/.exec(preset?.value ?? '') ?? [];
  if (preset === undefined || stage === undefined) return {};
  const sharding: ShardingName = stage === '0' ? 'ddp' : stage === '1' ? 'zero-1' : stage === '2' ? 'zero-2' : 'zero-3';
  const offload: OffloadName = stage === '3' ? 'parameters-and-optimizer' : 'optimizer';
  return present({
    sharding: alsoSays(sharding, preset),
    offload: offloads === undefined ? undefined : alsoSays(offload, preset),
  });
}
