import type {
  ActivationFunction,
  AttentionImplementation,
  CheckpointingNow,
  DataType,
  Fact,
  OptimizerName,
  ShardingName,
} from '../facts.ts';
import type { Given } from './given.ts';
import { alsoSays, byDefault, derived, present, type SaidModel, type SaidRun, type SaidSettings } from './said.ts';
import { modelOfSizes } from './statedModel.ts';
import { choiceGiven, numberGiven, shareGiven, switchGiven, textGiven } from './values.ts';
import { optimizerWords, zeroStages } from './words.ts';

/** Whether flags describe a model in Megatron's own words. */
export const isMegatron = (given: Given): boolean =>
  ['num_layers', 'hidden_size', 'num_attention_heads'].every((name) => given.find(name) !== undefined);

/**
 * Megatron-LM's flags, and the arguments of its `TransformerConfig`, which have the same names. `architecture` is what the
 * program's name says other than GPT: `bert`, `t5`.
 */
export function readMegatron(given: Given, architecture?: string): SaidRun {
  const type = precision(given);
  const model = modelGiven(given, architecture?.toLowerCase());
  const settings = present({
    batch: numberGiven(given, 1, 'micro_batch_size'),
    sequence: numberGiven(given, 1024, 'seq_length', 'encoder_seq_length'),
    targetSequence: numberGiven(given, 1024, 'decoder_seq_length'),
    dataType: type,
    autocast: type && alsoSays(false, type),
    attention: attention(given),
    dropout: shareGiven(given, 0, 'attention_dropout', 'hidden_dropout'),
    checkpointing: checkpointing(given),
    optimizer: choiceGiven<OptimizerName>(given, optimizerWords, 'optimizer'),
    ...parallelism(given),
  });
  return {
    ...(model !== undefined && { model }),
    settings,
    defaults: {
      dataType: byDefault('fp32', 'Megatron-LM', 'params dtype'),
      dropout: byDefault(0.1, 'Megatron-LM', '--attention-dropout and --hidden-dropout'),
      attention: byDefault<AttentionImplementation>('eager', 'Megatron-LM', 'unfused core attention'),
      checkpointing: byDefault({ mode: 'none', segment: 1 }, 'Megatron-LM', '--recompute-granularity'),
    },
    notes: given.notes,
  };
}

function precision(given: Given): Fact<DataType> | undefined {
  for (const type of ['bf16', 'fp16'] as const) {
    const on = switchGiven(given, false, type);
    if (on?.value === true) return alsoSays<DataType>(type, on);
  }
  return undefined;
}

function attention(given: Given): Fact<AttentionImplementation> | undefined {
  const words = { flash: 'flash', fused: 'flash', unfused: 'eager', local: 'eager', auto: 'flash' } as const;
  const named = choiceGiven<AttentionImplementation>(given, words, 'attention_backend');
  if (named !== undefined) return named;
  const on = switchGiven(given, false, 'use_flash_attn', 'use_flash_attn_v2', 'use_fused_attn');
  return on?.value === true ? alsoSays('flash', on) : undefined;
}

/**
 * `--recompute-granularity full` takes the uniform method in segments, or the block method for the first layers of each
 * pipeline stage; `selective` recomputes the attention core. The older `--checkpoint-activations` is the full one.
 */
function checkpointing(given: Given): Fact<CheckpointingNow> | undefined {
  const none = { mode: 'none', segment: 1 } as const;
  const selective = { mode: 'selective', segment: 1, mechanism: 'recompute_granularity' } as const;
  const granularity = textGiven(given, 'recompute_granularity');
  const short = switchGiven(given, false, 'recompute_activations');
  const older = switchGiven(given, false, 'checkpoint_activations');
  if (granularity?.value === 'selective') return alsoSays(selective, granularity);
  const layers = numberGiven(given, 1, 'recompute_num_layers', 'checkpoint_num_layers');
  if (granularity?.value === 'full' || older?.value === true) {
    const on: Fact<unknown> = granularity ?? older ?? derived(true, '');
    const method = textGiven(given, 'recompute_method', 'activations_checkpoint_method', 'checkpoint_method')?.value;
    const mechanism = granularity === undefined ? 'checkpoint-activations' : 'recompute_granularity';
    const full = { mode: 'full', variant: 'reentrant', mechanism } as const;
    if (method === 'block') return alsoSays({ ...full, segment: 1, ...(layers && { layers: layers.value }) }, on);
    return alsoSays({ ...full, segment: layers?.value ?? 1 }, on);
  }
  if (short?.value === true) return alsoSays({ ...selective, mechanism: 'recompute_activations' }, short);
  return granularity === undefined ? undefined : alsoSays(none, granularity);
}

function parallelism(given: Given): SaidSettings {
  const tensorParallel = numberGiven(given, 1, 'tensor_model_parallel_size', 'model_parallel_size');
  const pipelineParallel = numberGiven(given, 1, 'pipeline_model_parallel_size');
  const sequence = switchGiven(given, false, 'sequence_parallel');
  const distributed = switchGiven(given, false, 'use_distributed_optimizer');
  const zero = choiceGiven<ShardingName>(given, zeroStages, 'zero_stage');
  return present({
    tensorParallel,
    pipelineParallel,
    contextParallel: numberGiven(given, 1, 'context_parallel_size'),
    expertParallel: numberGiven(given, 1, 'expert_model_parallel_size'),
    sequenceParallel: sequence,
    sharding:
      distributed?.value === true ? alsoSays<ShardingName>('megatron-distributed-optimizer', distributed) : zero,
  });
}

/** A GPT of Megatron. Which of our families its layers are closest to is told, never taken for granted. */
function modelGiven(given: Given, architecture: string | undefined): SaidModel | undefined {
  const [layers, hidden, heads] = ['num_layers', 'hidden_size', 'num_attention_heads'].map((name) =>
    numberGiven(given, 1, name),
  );
  if (layers === undefined || hidden === undefined || heads === undefined) return undefined;
  const unread = [layers, hidden, heads].some(({ origin }) => origin.kind === 'assumed');
  const gated = switchGiven(given, false, 'swiglu', 'gated_linear_unit');
  const norm = textGiven(given, 'normalization');
  const name = derived(`Megatron ${(architecture ?? 'gpt').toUpperCase()}`, 'flags of Megatron-LM', layers.origin);
  if (unread) return { name, model: undefined, notes: [] };
  const pattern = given.find('hybrid_layer_pattern', 'hybrid_override_pattern');
  if (pattern !== undefined)
    return {
      name,
      model: undefined,
      notes: ['layers of several kinds follow a pattern, which has no PyTorch account yet'],
    };
  const experts = given.find('num_experts');
  const isGpt = architecture === undefined && (experts === undefined || experts.value === null);
  const isLlama = isGpt && gated?.value === true && norm?.value === 'RMSNorm';
  const isPlain = isGpt && gated?.value !== true && norm?.value !== 'RMSNorm';
  const family = isLlama ? 'llama' : isPlain ? 'gpt2' : 'megatron';
  const why = isLlama
    ? 'gated MLP and RMSNorm'
    : isPlain
      ? 'LayerNorm and a two-matrix MLP'
      : 'a mixture that no family has';
  const noBias = switchGiven(given, false, 'disable_bias_linear', 'add_bias_linear');
  const bias = noBias && alsoSays(noBias.value === (given.find('add_bias_linear') !== undefined), noBias);
  const separate = switchGiven(given, false, 'untie_embeddings_and_output_weights');
  const groups = numberGiven(given, 1, 'num_query_groups');
  const isGrouped = switchGiven(given, false, 'group_query_attention')?.value ?? groups !== undefined;
  return modelOfSizes(
    {
      name,
      family: derived(family, why, (gated ?? norm ?? layers).origin),
      layers,
      hidden,
      heads,
      keyValueHeads: isGrouped ? groups : undefined,
      headDimension: numberGiven(given, 1, 'kv_channels'),
      feedForward: numberGiven(given, 1, 'ffn_hidden_size') ?? gatedWidth(gated, hidden),
      vocabulary: vocabulary(given),
      maximumSequence:
        numberGiven(given, 1024, 'max_position_embeddings', 'seq_length') ??
        ({ value: 1024, origin: { kind: 'assumed', why: 'no --max-position-embeddings' } } as const),
      activation:
        gated?.value === true
          ? alsoSays<ActivationFunction>('silu', gated)
          : byDefault<ActivationFunction>('gelu', 'Megatron-LM', 'activation'),
      tiedEmbeddings: separate
        ? alsoSays(!separate.value, separate)
        : byDefault(true, 'Megatron-LM', '--untie-embeddings-and-output-weights'),
      bias: bias ?? byDefault(true, 'Megatron-LM', '--disable-bias-linear'),
    },
    family === 'megatron' ? [] : [`layers are counted as those of ${family}; Megatron's fused kernels keep less`],
  );
}

/** With a gated MLP Megatron takes two thirds of 4 · hidden, in multiples of 64. */
function gatedWidth(gated: Fact<boolean> | undefined, hidden: Fact<number>): Fact<number> | undefined {
  if (gated?.value !== true) return undefined;
  return derived(
    Math.floor((4 * hidden.value * 2) / 3 / 64) * 64,
    '4 * hidden size * 2/3, in multiples of 64',
    hidden.origin,
  );
}

/** The vocabulary comes from a file; GPT-2's, padded as Megatron does, is what most scripts have. */
function vocabulary(given: Given): Fact<number> {
  const stated = numberGiven(given, 1, 'vocab_size', 'padded_vocab_size');
  return stated ?? { value: 50_304, origin: { kind: 'assumed', why: "GPT-2's vocabulary in multiples of 128" } };
}
