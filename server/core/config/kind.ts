import { type ConfigMapping, entryAt, mappingAt, scalarAt } from './tree.ts';

/** The library a settings file belongs to, told by keys that only its files have together. */
export type ConfigKind = 'deepspeed' | 'accelerate' | 'axolotl' | 'llamafactory' | 'torchtune' | 'torchtitan';

export function kindOf(root: ConfigMapping): ConfigKind | undefined {
  return recognisers.find(([, isOne]) => isOne(root))?.[0];
}

const has = (root: ConfigMapping, ...path: readonly string[]): boolean => entryAt(root, ...path) !== undefined;
const anyOf = (root: ConfigMapping, keys: readonly string[]): boolean => keys.some((key) => has(root, key));
const wordAt = (root: ConfigMapping, ...path: readonly string[]): string | undefined => {
  const value = scalarAt(root, ...path)?.value;
  return typeof value === 'string' ? value : undefined;
};

const llamaFactoryStages = new Set(['pt', 'sft', 'rm', 'ppo', 'dpo', 'kto']);
const acceleratePlugins = ['fsdp_config', 'deepspeed_config', 'megatron_lm_config', 'parallelism_config'];

const recognisers: readonly (readonly [ConfigKind, (root: ConfigMapping) => boolean])[] = [
  ['deepspeed', isDeepSpeed],
  // `accelerate config` always writes how the processes are spread.
  ['accelerate', (root) => has(root, 'distributed_type') && anyOf(root, [...acceleratePlugins, 'num_processes'])],
  [
    'llamafactory',
    (root) =>
      llamaFactoryStages.has(wordAt(root, 'stage') ?? '') &&
      anyOf(root, ['finetuning_type', 'cutoff_len', 'template', 'do_train']),
  ],
  [
    'axolotl',
    (root) =>
      has(root, 'base_model') &&
      anyOf(root, ['micro_batch_size', 'sequence_len', 'sample_packing', 'val_set_size']) &&
      anyOf(root, ['datasets', 'pretraining_dataset', 'adapter', 'gradient_accumulation_steps']),
  ],
  ['torchtune', isTorchtune],
  [
    'torchtitan',
    (root) =>
      mappingAt(root, 'activation_checkpoint') !== undefined &&
      mappingAt(root, 'training') !== undefined &&
      ['job', 'model', 'parallelism', 'optimizer'].some((table) => mappingAt(root, table) !== undefined),
  ],
];

/** Also asked about dictionaries in Python. */
export function isDeepSpeed(root: ConfigMapping): boolean {
  if (has(root, 'zero_optimization') || has(root, 'train_micro_batch_size_per_gpu')) return true;
  const sizes = ['train_batch_size', 'gradient_accumulation_steps', 'gradient_clipping'];
  const block = mappingAt(root, 'activation_checkpointing');
  return (
    block !== undefined && anyOf(root, sizes) && ['fp16', 'bf16', 'optimizer', 'aio'].some((key) => has(root, key))
  );
}

function isTorchtune(root: ConfigMapping): boolean {
  const components = ['model', 'tokenizer', 'checkpointer', 'optimizer', 'loss', 'dataset'];
  return components.some((name) => wordAt(root, name, '_component_')?.startsWith('torchtune.') === true);
}
