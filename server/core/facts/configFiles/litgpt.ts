import type { Adapters, CheckpointingNow, DataType, Fact, OptimizerName, ShardingName } from '../facts.ts';
import type { Given } from './given.ts';
import { knownByShortName, modelOfId, modelOfRegistry } from './models.ts';
import { alsoSays, derived, present, type SaidModel, type SaidRun } from './said.ts';
import { choiceGiven, numberGiven, shareGiven, switchGiven, textGiven } from './values.ts';
import { dataTypeWords, meansAutocast, optimizerWords } from './words.ts';

/** litgpt's YAML and flags. A model is named by the folder its checkpoint was downloaded to, `checkpoints/<hub id>`. */
export function readLitgpt(given: Given): SaidRun {
  const type = choiceGiven<DataType>(given, dataTypeWords, 'precision');
  const word = String(given.find('precision')?.value ?? '').toLowerCase();
  const quantised = textGiven(given, 'quantize');
  const devices = devicesGiven(given);
  const settings = present({
    batch: numberGiven(given, 1, 'train.micro_batch_size'),
    sequence: numberGiven(given, 512, 'train.max_seq_length'),
    dataType: type,
    autocast: type && alsoSays(meansAutocast(word), type),
    optimizer: choiceGiven<OptimizerName>(given, optimizerWords, 'optimizer.class_path', 'optimizer'),
    adapters: adapters(given, word.endsWith('-true') ? type?.value : undefined),
    quantisation: quantised && (/nf4|fp4/.test(quantised.value) ? alsoSays('nf4' as const, quantised) : undefined),
    ...underFsdp(given, devices),
  });
  const model = modelGiven(given);
  return {
    ...(model !== undefined && { model }),
    settings,
    ...(devices !== undefined && { processes: devices }),
    defaults: {},
    notes: given.notes,
  };
}

function devicesGiven(given: Given): Fact<number> | undefined {
  const devices = numberGiven({ ...given, notes: [] }, 0, 'devices');
  if (devices === undefined || devices.origin.kind === 'assumed') return undefined;
  const nodes = numberGiven({ ...given, notes: [] }, 1, 'num_nodes');
  if (nodes === undefined || nodes.value === 1) return devices;
  return derived(devices.value * nodes.value, `${devices.value} * ${nodes.value} processes`, devices.origin);
}

/** On several devices its fine-tuning shards, and checkpoints every block; pretraining shards alone. */
function underFsdp(given: Given, devices: Fact<number> | undefined) {
  if (devices === undefined) return {};
  const isTuning = given.find('checkpoint_dir') !== undefined;
  const isSpread = devices.value > 1;
  const now: CheckpointingNow =
    isSpread && isTuning
      ? { mode: 'full', segment: 1, variant: 'non-reentrant', mechanism: 'activation_checkpointing_policy' }
      : { mode: 'none', segment: 1 };
  const words = `litgpt on ${devices.value === 1 ? 'one device' : 'several devices'}`;
  return {
    checkpointing: derived(now, words, devices.origin),
    sharding: isSpread ? derived<ShardingName>('fsdp1', words, devices.origin) : undefined,
  };
}

function modelGiven(given: Given): SaidModel | undefined {
  const folder = textGiven(given, 'checkpoint_dir');
  if (folder !== undefined) return modelOfId(alsoSays(folder.value.replace(/^(\.\/)?checkpoints\//, ''), folder));
  const name = textGiven(given, 'model_name', 'model_config.name');
  if (name === undefined) return undefined;
  const known = knownByShortName(name.value);
  return known === undefined ? modelOfId(name) : modelOfRegistry(name, known);
}

/** Under `bf16-true` the adapters are made in the type as well. */
function adapters(given: Given, elementType: DataType = 'fp32'): Fact<Adapters> | undefined {
  const rank = numberGiven(given, 8, 'lora_r');
  if (rank === undefined) return undefined;
  const targets = targetSwitches.flatMap(([name, isOn, ...layers]) =>
    (switchGiven(given, isOn, name)?.value ?? isOn) ? layers : [],
  );
  const dropout = shareGiven(given, 0, 'lora_dropout')?.value ?? 0.05;
  return alsoSays({ rank: rank.value, targets, dropout, elementType }, rank);
}

/** Each switch with its default and the layers it stands for, by the names that transformers has for them. */
const targetSwitches: readonly (readonly [string, boolean, ...string[]])[] = [
  ['lora_query', true, 'q_proj'],
  ['lora_key', false, 'k_proj'],
  ['lora_value', true, 'v_proj'],
  ['lora_projection', false, 'o_proj'],
  ['lora_mlp', false, 'gate_proj', 'up_proj', 'down_proj'],
  ['lora_head', false, 'lm_head'],
];
