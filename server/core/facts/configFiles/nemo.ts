import type { DataType, Fact, OptimizerName, ShardingName } from '../facts.ts';
import type { Given, GivenValue } from './given.ts';
import { isMegatron, readMegatron } from './megatron.ts';
import { modelOfId } from './models.ts';
import { alsoSays, derived, present, type SaidRun } from './said.ts';
import { choiceGiven, meaningOf, numberGiven, switchGiven, textGiven } from './values.ts';
import { dataTypeWords, optimizerWords } from './words.ts';

const batchNames = ['model.micro_batch_size', 'model.train_ds.batch_size', 'model.data.train_ds.micro_batch_size'];

/** Lightning's `trainer` beside a `model` with Megatron's micro-batch or a data set's. */
export const isNemo = (given: Given): boolean =>
  given.find('trainer.precision', 'trainer.devices', 'trainer.num_nodes', 'trainer.max_steps') !== undefined &&
  given.find(...batchNames) !== undefined;

/** NeMo's YAML and the overrides of it on a command line: Megatron's words below `model`, Lightning's below `trainer`. */
export function readNemo(given: Given): SaidRun {
  const below = asMegatron(given);
  const isMegatrons = given.find('model.micro_batch_size', 'model.tensor_model_parallel_size') !== undefined;
  const architecture = /bert|t5|bart|retro|griffin|mamba|hyena/i.exec(given.source)?.[0];
  const megatron = isMegatrons ? readMegatron(below, architecture) : undefined;
  const type = choiceGiven<DataType>(given, lightningWords, 'trainer.precision');
  const restored = textGiven(given, 'model.restore_from_path', 'model.restore_from_pretrained');
  const model = isMegatron(below) ? megatron?.model : restored && modelOfId(restored);
  const devices = processes(given);
  const { dataType: _, checkpointing, ...defaults } = megatron?.defaults ?? {};
  return {
    ...(model !== undefined && { model }),
    settings: {
      ...megatron?.settings,
      ...present({
        batch: numberGiven(given, 1, ...batchNames),
        sequence: numberGiven(given, 2048, 'model.encoder_seq_length', 'model.data.train_ds.max_seq_length'),
        gradientAccumulation: isMegatrons ? undefined : numberGiven(given, 1, 'trainer.accumulate_grad_batches'),
        dataType: type,
        autocast: type && autocastOf(given, type),
        optimizer: choiceGiven<OptimizerName>(given, optimizers, 'model.optim.name'),
        sharding: meaningOf<ShardingName>(given, sharded, 'model.optim.name'),
      }),
    },
    ...(devices !== undefined && { processes: devices }),
    defaults: { ...defaults, ...(checkpointing && { checkpointing }) },
    notes: given.notes,
  };
}

const lightningWords: Readonly<Record<string, DataType>> = { ...dataTypeWords, '16': 'fp16', '32': 'fp32' };

const optimizers: Readonly<Record<string, OptimizerName>> = {
  ...optimizerWords,
  fused_adam: 'adamw',
  distributed_fused_adam: 'adamw',
  mcore_distributed_optim: 'adamw',
};

const sharded: Readonly<Record<string, ShardingName>> = {
  distributed_fused_adam: 'megatron-distributed-optimizer',
  mcore_distributed_optim: 'megatron-distributed-optimizer',
};

/** The weights are in the type itself under `megatron_amp_O2` and for `bf16-true`; autocast casts them otherwise. */
function autocastOf(given: Given, type: Fact<DataType>): Fact<boolean> {
  if (type.value === 'fp32') return alsoSays(false, type);
  const whole = switchGiven(given, false, 'model.megatron_amp_O2');
  if (whole?.value === true) return derived(false, `megatron_amp_O2 makes the weights ${type.value}`, whole.origin);
  return alsoSays(!/-true$/.test(String(given.find('trainer.precision')?.value)), type);
}

function processes(given: Given): Fact<number> | undefined {
  const devices = numberGiven({ ...given, notes: [] }, 0, 'trainer.devices');
  if (devices === undefined || devices.origin.kind === 'assumed') return undefined;
  const nodes = numberGiven({ ...given, notes: [] }, 1, 'trainer.num_nodes');
  if (nodes === undefined || nodes.value === 1) return devices;
  return derived(devices.value * nodes.value, `${devices.value} * ${nodes.value} processes`, devices.origin);
}

/** Names that differ from Megatron's own. */
const renamed: Readonly<Record<string, string>> = {
  recompute_granularity: 'activations_checkpoint_granularity',
  recompute_method: 'activations_checkpoint_method',
  recompute_num_layers: 'activations_checkpoint_num_layers',
  seq_length: 'encoder_seq_length',
  add_bias_linear: 'bias',
  swiglu: 'activation',
  untie_embeddings_and_output_weights: 'share_embeddings_and_output_weights',
};

/** The block `model` as Megatron would be told it. */
function asMegatron(given: Given): Given {
  const names = (name: string): readonly string[] => [`model.${renamed[name] ?? name}`];
  return {
    ...given,
    find(...wanted) {
      for (const name of wanted) {
        const found = given.find(...names(name));
        // NeMo writes it as a reference to the length of a sequence.
        const isOpen = found?.value === undefined && name === 'max_position_embeddings';
        if (found !== undefined && !isOpen) return inMegatronsWords(name, found);
      }
      return undefined;
    },
  };
}

function inMegatronsWords(name: string, found: GivenValue): GivenValue {
  const { value } = found;
  if (name === 'swiglu') return { ...found, value: typeof value === 'string' && /swiglu/.test(value) };
  if (name === 'normalization') return { ...found, value: /rmsnorm/i.test(String(value)) ? 'RMSNorm' : 'LayerNorm' };
  if (name === 'untie_embeddings_and_output_weights') return { ...found, value: value === false };
  return found;
}
