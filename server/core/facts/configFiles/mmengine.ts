import { type ConfigMapping, entryAt, mappingAt } from '../../config/tree.ts';
import type { CheckpointingNow, DataType, Fact, OptimizerName } from '../facts.ts';
import type { Given } from './given.ts';
import { adaptersGiven } from './loraSettings.ts';
import { modelOfId } from './models.ts';
import { callKey } from './pythonTree.ts';
import { alsoSays, present, type SaidModel, type SaidRun } from './said.ts';
import { choiceGiven, numberGiven, switchGiven, textGiven } from './values.ts';
import { dataTypeWords, optimizerWords } from './words.ts';

/** Settings as assignments of dictionaries with a `type`. */
export function isMmengine(root: ConfigMapping): boolean {
  const parts = [
    'model',
    'train_dataloader',
    'optim_wrapper',
    'training_args',
    'trainer',
    'strategy',
    'train_cfg',
    'data',
  ];
  const typed = parts.filter(
    (name) => mappingAt(root, name) !== undefined && entryAt(root, name, 'type') !== undefined,
  );
  return typed.length >= 1 && parts.filter((name) => mappingAt(root, name) !== undefined).length >= 2;
}

/** mmengine's configuration, and xtuner's, which trains language models with it. */
export function readMmengine(given: Given): SaidRun {
  const model = modelGiven(given);
  // With transformers' own trainer the adapters stand beside the model.
  const lora = textGiven(given, 'model.lora.type', `model.lora.${callKey}`, 'lora.type', `lora.${callKey}`);
  const in4 = switchGiven(
    given,
    false,
    'model.llm.quantization_config.load_in_4bit',
    'model.quantization_config.load_in_4bit',
  );
  const type = choiceGiven<DataType>(given, dataTypeWords, 'optim_wrapper.dtype', 'dtype');
  const settings = present({
    batch: numberGiven(
      given,
      1,
      'train_dataloader.batch_size',
      'training_args.per_device_train_batch_size',
      'batch_size',
      'data.samples_per_gpu',
    ),
    sequence: numberGiven(
      given,
      2048,
      'max_length',
      'pack_max_length',
      'training_args.max_length',
      'train_dataset.max_length',
    ),
    gradientAccumulation: numberGiven(
      given,
      1,
      'optim_wrapper.accumulative_counts',
      'accumulative_counts',
      'training_args.gradient_accumulation_steps',
    ),
    dataType: type ?? trainerType(given),
    checkpointing: checkpointing(given),
    optimizer: choiceGiven<OptimizerName>(
      given,
      typeNames,
      'optim_wrapper.optimizer.type',
      'optim_wrapper.optimizer',
      'optim_type',
    ),
    adapters: lora && adaptersGiven(given, loraNames, lora),
    quantisation: in4?.value === true ? alsoSays('nf4' as const, in4) : undefined,
  });
  return { ...(model !== undefined && { model }), settings, defaults: {}, notes: given.notes };
}

const typeNames: Readonly<Record<string, OptimizerName>> = {
  ...optimizerWords,
  'torch.optim.adamw.adamw': 'adamw',
};

function trainerType(given: Given): Fact<DataType> | undefined {
  for (const type of ['bf16', 'fp16'] as const) {
    const on = switchGiven(given, false, `training_args.${type}`);
    if (on?.value === true) return alsoSays<DataType>(type, on);
  }
  return undefined;
}

function modelGiven(given: Given): SaidModel | undefined {
  const id = textGiven(
    given,
    'model.llm.pretrained_model_name_or_path',
    'model.pretrained_model_name_or_path',
    'pretrained_model_name_or_path',
    'llm_name_or_path',
    'model_name_or_path',
  );
  if (id !== undefined) return modelOfId(id);
  const type = textGiven(given, 'model.backbone.type', `model.backbone.${callKey}`, 'model.type', `model.${callKey}`);
  const arch = textGiven(given, 'model.backbone.arch');
  const name = type && (arch ? alsoSays(`${type.value} ${arch.value}`, type) : type);
  return name && { name, model: undefined, notes: [] };
}

/** The trainer's switch, a strategy's wrapper, or `with_cp` of a backbone. */
function checkpointing(given: Given): Fact<CheckpointingNow> | undefined {
  const names = [
    'training_args.gradient_checkpointing',
    'model.llm.gradient_checkpointing',
    'model.use_activation_checkpointing',
    'model.backbone.with_cp',
    'gradient_checkpointing',
  ];
  const on = switchGiven(given, false, ...names);
  if (on !== undefined) {
    const value: CheckpointingNow = on.value
      ? {
          mode: 'full',
          segment: 1,
          mechanism:
            given
              .find(...names)
              ?.name.split('.')
              .at(-1) ?? 'gradient_checkpointing',
        }
      : { mode: 'none', segment: 1 };
    return alsoSays(value, on);
  }
  const wrapper = textGiven(given, 'activation_checkpointing.type', 'strategy.activation_checkpointing.type');
  return wrapper && alsoSays({ mode: 'full', segment: 1, mechanism: wrapper.value }, wrapper);
}

const loraNames = {
  rank: ['model.lora.r', 'lora.r'],
  targets: ['model.lora.target_modules', 'lora.target_modules'],
  dropout: ['model.lora.lora_dropout', 'lora.lora_dropout'],
  defaults: { rank: 8, targets: 'all-linear', dropout: 0, elementType: 'fp32' },
} as const;
