import type { CheckpointingNow, DataType, Fact, ShardingName } from '../facts.ts';
import type { Given } from './given.ts';
import { alsoSays, byDefault, derived, present, type SaidModel, type SaidRun } from './said.ts';
import { modelOfSizes } from './statedModel.ts';
import { choiceGiven, numberGiven, switchGiven, textGiven, valueGiven } from './values.ts';
import { dataTypeWords } from './words.ts';

const library = 'lingua';

/** The YAML of Meta's lingua. FSDP casts the weights, autocast has nothing to do. */
export function readLingua(given: Given): SaidRun {
  const type = choiceGiven<DataType>(given, dataTypeWords, 'distributed.model_dtype');
  const again = switchGiven(given, false, 'distributed.selective_activation_checkpointing');
  const kinds = { full_shard: 'fsdp2', no_shard: 'ddp' } as const;
  const model = modelGiven(given);
  const settings = present({
    batch: numberGiven(given, 1, 'data.batch_size'),
    sequence: numberGiven(given, 2048, 'data.seq_len'),
    gradientAccumulation: numberGiven(given, 1, 'grad_acc_steps'),
    dataType: type,
    autocast: type && derived(false, 'FSDP casts the weights themselves', type.origin),
    checkpointing: again && alsoSays(again.value ? byPolicy : none, again),
    sharding: choiceGiven<ShardingName>(given, kinds, 'distributed.fsdp_type'),
    dataParallel: numberGiven(given, 1, 'distributed.dp_shard'),
    tensorParallel: numberGiven(given, 1, 'distributed.tp_size'),
  });
  return {
    ...(model !== undefined && { model }),
    settings,
    defaults: {
      dataType: byDefault('bf16', library, 'distributed.model_dtype'),
      checkpointing: byDefault(none, library, 'distributed.selective_activation_checkpointing'),
      optimizer: byDefault('adamw', library, 'optim'),
      optimizerImplementation: byDefault('fused', library, 'optim'),
      shardType: byDefault('fp32', library, 'weights'),
    },
    notes: given.notes,
  };
}

const none: CheckpointingNow = { mode: 'none', segment: 1 };
/** Results of matrix products and of attention are kept. */
const byPolicy: CheckpointingNow = {
  mode: 'policy',
  segment: 1,
  variant: 'non-reentrant',
  mechanism: 'selective_activation_checkpointing',
};

/** A Llama in the sizes of the block `model`; a recurrent model has a `model_type` beside it. */
function modelGiven(given: Given): SaidModel | undefined {
  const hidden = numberGiven(given, 1, 'model.dim');
  const layers = numberGiven(given, 1, 'model.n_layers');
  const heads = numberGiven(given, 1, 'model.n_heads');
  const other = textGiven(given, 'model_type');
  if (other !== undefined)
    return { name: other, model: undefined, notes: [`no PyTorch account for ${other.value} yet`] };
  const foreign = given
    .names('model')
    .find((key) => /^(conv_size|state_dim|n_groups|lru_dim_multiplier|block_pattern)$/.test(key));
  if (foreign !== undefined && hidden !== undefined) {
    const name = derived('lingua model', `model.${foreign}`, hidden.origin);
    return { name, model: undefined, notes: [`no PyTorch account for a lingua model with ${foreign} yet`] };
  }
  if (hidden === undefined || layers === undefined || heads === undefined) return undefined;
  const vocabulary = numberGiven({ ...given, notes: [] }, 0, 'model.vocab_size');
  const tied = switchGiven(given, false, 'model.weight_tying');
  return modelOfSizes(
    {
      name: derived('lingua transformer', 'a model block of lingua', hidden.origin),
      family: derived('llama', 'RMSNorm, rotary positions and a gated MLP', hidden.origin),
      layers,
      hidden,
      heads,
      keyValueHeads: numberGiven(given, 1, 'model.n_kv_heads'),
      headDimension: numberGiven(given, 1, 'model.head_dim'),
      feedForward: feedForward(given, hidden),
      vocabulary:
        vocabulary !== undefined && vocabulary.origin.kind !== 'assumed'
          ? vocabulary
          : {
              value: 128_256,
              origin: { kind: 'assumed', why: "the vocabulary is the tokenizer's, which is not read" },
            },
      maximumSequence:
        numberGiven(given, 1024, 'model.max_seqlen', 'data.seq_len') ?? byDefault(1024, library, 'model.max_seqlen'),
      activation: byDefault('silu', library, 'FeedForward'),
      tiedEmbeddings: tied ?? byDefault(false, library, 'model.weight_tying'),
      bias: byDefault(false, library, 'bias'),
    },
    [],
  );
}

/** Two thirds of 4 · dim, times `ffn_dim_multiplier`, in multiples of `multiple_of`. */
function feedForward(given: Given, hidden: Fact<number>): Fact<number> {
  const multiple = numberGiven(given, 256, 'model.multiple_of')?.value ?? 256;
  const factor = valueGiven(given, 1, ['model.ffn_dim_multiplier'], (value) =>
    typeof value === 'number' && value > 0 ? value : undefined,
  );
  const width = Math.floor((factor?.value ?? 1) * Math.floor((2 * 4 * hidden.value) / 3));
  const words = `2/3 * 4 * dim${factor === undefined ? '' : ` * ${factor.value}`} in multiples of ${multiple}`;
  return derived(multiple * Math.ceil(width / multiple), words, hidden.origin);
}
