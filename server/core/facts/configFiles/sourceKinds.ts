import { type ConfigKind, kindOf } from '../../config/kind.ts';
import { type ConfigMapping, entryAt, mappingAt, scalarAt } from '../../config/tree.ts';
import { readAccelerate } from './accelerate.ts';
import { readAxolotl } from './axolotl.ts';
import { readComposer } from './composer.ts';
import { readDeepSpeed } from './deepspeed.ts';
import { readFairseq2 } from './fairseq2.ts';
import { readFsdp } from './fsdp.ts';
import type { Given } from './given.ts';
import { isGptNeox, readGptNeox } from './gptNeox.ts';
import { readHuggingFaceModel } from './huggingFaceModel.ts';
import { readLingua } from './lingua.ts';
import { readLitgpt } from './litgpt.ts';
import { readLlamaFactory } from './llamaFactory.ts';
import { readLlamaFactory1 } from './llamaFactory1.ts';
import { readNanotron } from './nanotron.ts';
import { readNemo } from './nemo.ts';
import { joined, type SaidRun } from './said.ts';
import { readSwift } from './swift.ts';
import { readTorchtitan } from './torchtitan.ts';
import { readTorchtune } from './torchtune.ts';
import { readTrainer, trainerDefaults } from './trainer.ts';

/** What a settings file may be. Some say a whole run, the others only a part of one. */
export type SourceKind =
  | ConfigKind
  | 'llamafactory-1'
  | 'swift'
  | 'litgpt'
  | 'nanotron'
  | 'lingua'
  | 'nemo'
  | 'gpt-neox'
  | 'fairseq2'
  | 'composer'
  | 'trainer'
  | 'fsdp'
  | 'model';

export interface SourceReader {
  /** For people: what the file is. */
  readonly title: string;
  readonly isRun: boolean;
  read(given: Given): SaidRun;
}

export const sourceReaders: Readonly<Record<SourceKind, SourceReader>> = {
  axolotl: { title: 'axolotl', isRun: true, read: readAxolotl },
  llamafactory: { title: 'LLaMA-Factory', isRun: true, read: readLlamaFactory },
  'llamafactory-1': { title: 'LLaMA-Factory', isRun: true, read: readLlamaFactory1 },
  litgpt: { title: 'litgpt', isRun: true, read: readLitgpt },
  nanotron: { title: 'nanotron', isRun: true, read: readNanotron },
  lingua: { title: 'lingua', isRun: true, read: readLingua },
  nemo: { title: 'NeMo', isRun: true, read: readNemo },
  'gpt-neox': { title: 'GPT-NeoX', isRun: true, read: readGptNeox },
  fairseq2: { title: 'fairseq2', isRun: true, read: readFairseq2 },
  swift: { title: 'ms-swift', isRun: true, read: readSwift },
  torchtune: { title: 'torchtune', isRun: true, read: readTorchtune },
  torchtitan: { title: 'torchtitan', isRun: true, read: (given) => readTorchtitan(given) },
  composer: { title: 'Composer', isRun: true, read: readComposer },
  trainer: {
    title: 'training arguments',
    isRun: true,
    read: (given) => joined([readTrainer(given), { settings: {}, defaults: trainerDefaults, notes: [] }]),
  },
  accelerate: { title: 'Accelerate', isRun: false, read: readAccelerate },
  deepspeed: { title: 'DeepSpeed', isRun: false, read: readDeepSpeed },
  fsdp: { title: 'FSDP', isRun: false, read: (given) => readFsdp(given, ['', 'fsdp_'], undefined) },
  model: { title: 'model configuration', isRun: false, read: readHuggingFaceModel },
};

/** Every kind is told by one of these words; a text without them needs no parsing. */
export const mayBeSource = (text: string): boolean =>
  /distributed_type|zero_optimization|train_(micro_)?batch_size|activation_checkpoint|base_model|model_name_or_path|finetuning_type|tuner_type|rlhf_type|cutoff_len|_component_|model_class|(dist|peft|kernel)_config|flavor|seq_len|device_train_microbatch_size|global_train_batch_size|max_duration|cls_to_wrap|min_num_params|model_type|pipe.parallel.size|micro_batch_size|train_ds|gradient_accumulation_steps|checkpoint_dir|model_config|max_num_tokens/.test(
    text,
  );

/** Told by keys that only such files have together; undefined for somebody else's file. */
export function sourceKind(root: ConfigMapping): SourceKind | undefined {
  // GPT-NeoX writes DeepSpeed's keys among its own.
  if (isGptNeox(root)) return 'gpt-neox';
  return kindOf(root) ?? moreKinds.find(([, isOne]) => isOne(root))?.[0];
}

const has = (root: ConfigMapping, ...path: readonly string[]): boolean => entryAt(root, ...path) !== undefined;
const anyOf = (root: ConfigMapping, ...keys: readonly string[]): boolean => keys.some((key) => has(root, key));

const moreKinds: readonly (readonly [SourceKind, (root: ConfigMapping) => boolean])[] = [
  [
    'accelerate',
    (root) => has(root, 'distributed_type') && anyOf(root, 'mixed_precision', 'num_processes', 'compute_environment'),
  ],
  [
    'deepspeed',
    (root) => has(root, 'train_batch_size') && anyOf(root, 'steps_per_print', 'fp16', 'bf16', 'gradient_clipping'),
  ],
  ['axolotl', (root) => has(root, 'base_model') && anyOf(root, 'micro_batch_size', 'sequence_len', 'adapter')],
  ['llamafactory', (root) => has(root, 'finetuning_type') && anyOf(root, 'model_name_or_path', 'stage')],
  [
    'llamafactory-1',
    (root) =>
      typeof scalarAt(root, 'model')?.value === 'string' &&
      anyOf(root, 'dist_config', 'peft_config', 'kernel_config', 'model_class'),
  ],
  [
    'litgpt',
    (root) =>
      mappingAt(root, 'train') !== undefined &&
      anyOf(root, 'checkpoint_dir', 'model_name', 'model_config') &&
      (has(root, 'train', 'micro_batch_size') || has(root, 'train', 'global_batch_size')),
  ],
  ['nanotron', (root) => has(root, 'tokens', 'micro_batch_size') && mappingAt(root, 'parallelism') !== undefined],
  [
    'lingua',
    (root) =>
      mappingAt(root, 'model') !== undefined &&
      has(root, 'data', 'seq_len') &&
      mappingAt(root, 'distributed') !== undefined,
  ],
  [
    'nemo',
    (root) =>
      mappingAt(root, 'trainer') !== undefined &&
      (has(root, 'model', 'micro_batch_size') ||
        has(root, 'model', 'train_ds', 'batch_size') ||
        has(root, 'model', 'data', 'train_ds')),
  ],
  [
    'fairseq2',
    (root) =>
      mappingAt(root, 'model') !== undefined &&
      mappingAt(root, 'dataset') !== undefined &&
      anyOf(root, 'regime', 'gang') &&
      anyOf(root, 'tokenizer', 'trainer'),
  ],
  [
    'swift',
    (root) =>
      typeof scalarAt(root, 'model')?.value === 'string' &&
      has(root, 'dataset') &&
      anyOf(root, 'tuner_type', 'rlhf_type'),
  ],
  [
    'torchtitan',
    (root) =>
      mappingAt(root, 'training') !== undefined &&
      has(root, 'model', 'flavor') &&
      (has(root, 'training', 'seq_len') || mappingAt(root, 'job') !== undefined),
  ],
  [
    'composer',
    (root) =>
      mappingAt(root, 'model') !== undefined &&
      anyOf(root, 'device_train_microbatch_size', 'global_train_batch_size', 'max_duration') &&
      anyOf(root, 'precision', 'fsdp_config', 'fsdp', 'scheduler', 'train_loader'),
  ],
  [
    'trainer',
    (root) =>
      (anyOf(root, 'model_name_or_path', 'per_device_train_batch_size') && anyOf(root, ...trainerKeys)) ||
      ['training', 'training_args'].some(
        (section) =>
          has(root, section, 'gradient_accumulation_steps') &&
          (has(root, section, 'max_seq_length') || has(root, section, 'per_device_train_batch_size')),
      ),
  ],
  [
    'fsdp',
    (root) => anyOf(root, 'transformer_layer_cls_to_wrap', 'fsdp_transformer_layer_cls_to_wrap', 'min_num_params'),
  ],
  [
    'model',
    (root) =>
      has(root, 'model_type') && anyOf(root, 'hidden_size', 'n_embd', 'd_model', 'text_config', 'architectures'),
  ],
];

const trainerKeys = [
  'per_device_train_batch_size',
  'gradient_accumulation_steps',
  'gradient_checkpointing',
  'num_train_epochs',
  'learning_rate',
  'max_seq_length',
  'max_length',
];
