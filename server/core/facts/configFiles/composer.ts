import type { ActivationFunction, CheckpointingNow, DataType, Fact, OptimizerName, ShardingName } from '../facts.ts';
import { readFsdp } from './fsdp.ts';
import type { Given } from './given.ts';
import { modelOfId } from './models.ts';
import { alsoSays, byDefault, derived, joined, present, type SaidModel, type SaidRun } from './said.ts';
import { modelOfSizes } from './statedModel.ts';
import { choiceGiven, meaningOf, numberGiven, shareGiven, switchGiven, textGiven } from './values.ts';
import { attentionWords, dataTypeWords, implementationWords, meansAutocast, optimizerWords } from './words.ts';

/** llm-foundry's YAML for Composer, and OLMo's, which has its names from there. */
export function readComposer(given: Given): SaidRun {
  const type = choiceGiven<DataType>(given, dataTypeWords, 'precision');
  const word = String(given.find('precision')?.value ?? '').toLowerCase();
  const settings = present({
    batch: numberGiven(given, 1, 'device_train_microbatch_size', 'device_train_batch_size'),
    sequence: numberGiven(given, 2048, 'max_seq_len', 'train_loader.dataset.max_seq_len', 'model.max_sequence_length'),
    dataType: type,
    autocast: type && alsoSays(meansAutocast(word), type),
    attention: choiceGiven(given, attentionWords, 'model.attn_config.attn_impl') ?? flashSwitch(given),
    checkpointing: olmoCheckpointing(given),
    optimizer: choiceGiven<OptimizerName>(given, optimizerWords, 'optimizer.name'),
    optimizerImplementation: meaningOf(given, implementationWords, 'optimizer.name'),
    dropout: shareGiven(given, 0, 'model.resid_pdrop', 'model.residual_dropout'),
    sharding: choiceGiven<ShardingName>(given, { ddp: 'ddp', fsdp: 'fsdp1' }, 'distributed_strategy'),
  });
  const model = modelGiven(given);
  const own: SaidRun = { ...(model !== undefined && { model }), settings, defaults: {}, notes: given.notes };
  const place = given.section('fsdp_config') ?? given.section('fsdp');
  if (place === undefined) return own;
  const on: Fact<boolean> = { value: true, origin: { kind: 'literal', place } };
  const fsdp = readFsdp(given, ['fsdp_config.', 'fsdp.'], on);
  const reentrant = switchGiven(given, true, 'fsdp_config.activation_checkpointing_reentrant');
  const offloaded = switchGiven(given, false, 'fsdp_config.activation_cpu_offload')?.value === true;
  const { checkpointing } = fsdp.settings;
  if (checkpointing === undefined) return joined([own, fsdp]);
  const now: CheckpointingNow = {
    ...checkpointing.value,
    // Composer's default is the reentrant variant.
    variant: reentrant?.value === false ? 'non-reentrant' : 'reentrant',
    ...(offloaded && { offloaded }),
  };
  return joined([own, { ...fsdp, settings: { ...fsdp.settings, checkpointing: { ...checkpointing, value: now } } }]);
}

function flashSwitch(given: Given) {
  const on = switchGiven(given, false, 'model.flash_attention');
  return on?.value === true ? alsoSays('flash' as const, on) : undefined;
}

function modelGiven(given: Given): SaidModel | undefined {
  const kind = textGiven(given, 'model.name');
  const id = textGiven(given, 'model.pretrained_model_name_or_path');
  if (id !== undefined) {
    const size = (name: string) => numberGiven(given, 1, `model.config_overrides.${name}`);
    const changes = ['n_layer', 'n_embd', 'n_head', 'num_hidden_layers', 'hidden_size', 'num_attention_heads'];
    return modelOfId(
      id,
      new Map(
        changes.flatMap((name) => {
          const fact = size(name);
          return fact === undefined ? [] : [[name, fact] as const];
        }),
      ),
    );
  }
  const hidden = numberGiven(given, 1, 'model.d_model');
  const layers = numberGiven(given, 1, 'model.n_layers');
  const heads = numberGiven(given, 1, 'model.n_heads');
  if (hidden === undefined || layers === undefined || heads === undefined)
    return kind && { name: kind, model: undefined, notes: [] };
  const isOlmo = kind === undefined;
  const library = isOlmo ? 'OLMo' : 'llm-foundry';
  return modelOfSizes(
    {
      name: kind ?? derived('OLMo', 'a model block of OLMo', hidden.origin),
      family: kind === undefined ? derived('olmo-native', 'OLMo', hidden.origin) : alsoSays('mpt', kind),
      layers,
      hidden,
      heads,
      keyValueHeads: numberGiven(given, 1, 'model.attn_config.kv_n_heads', 'model.n_kv_heads'),
      feedForward: feedForward(given, hidden, isOlmo),
      vocabulary:
        numberGiven(given, 1, 'model.embedding_size', 'model.vocab_size') ?? byDefault(50368, library, 'vocab_size'),
      maximumSequence:
        numberGiven(given, 2048, 'model.max_seq_len', 'model.max_sequence_length') ??
        byDefault(2048, library, 'max_seq_len'),
      activation: activation(given, library),
      tiedEmbeddings:
        switchGiven(given, true, 'model.tie_word_embeddings', 'model.weight_tying') ??
        byDefault(true, library, 'tie_word_embeddings'),
      bias: withBias(given, library),
      dropout: undefined,
    },
    [],
  );
}

/** OLMo's sizes count both halves of a gated MLP's first projection. */
function feedForward(given: Given, hidden: Fact<number>, isOlmo: boolean): Fact<number> | undefined {
  const halves = isOlmo && textGiven(given, 'model.activation_type')?.value === 'swiglu' ? 2 : 1;
  const size = numberGiven(given, 1, 'model.mlp_hidden_size', 'model.ffn_config.ffn_hidden_size');
  if (size !== undefined) return halves === 1 ? size : derived(size.value / 2, 'half of mlp_hidden_size', size.origin);
  const ratio = numberGiven(given, 4, 'model.expansion_ratio', 'model.mlp_ratio');
  if (ratio === undefined) return undefined;
  const words = `${ratio.value} * d_model${halves === 1 ? '' : ' / 2'}`;
  return derived((ratio.value * hidden.value) / halves, words, ratio.origin);
}

function activation(given: Given, library: string): Fact<ActivationFunction> {
  const words: Readonly<Record<string, ActivationFunction>> = {
    swiglu: 'silu',
    gelu: 'gelu',
    relu: 'relu',
    silu: 'silu',
  };
  return choiceGiven(given, words, 'model.activation_type') ?? byDefault('gelu', library, 'activation');
}

function withBias(given: Given, library: string): Fact<boolean> {
  const none = switchGiven(given, false, 'model.no_bias');
  return none
    ? alsoSays(!none.value, none)
    : (switchGiven(given, true, 'model.include_bias') ?? byDefault(true, library, 'bias'));
}

/** OLMo's words for which layers are checkpointed. */
function olmoCheckpointing(given: Given): Fact<CheckpointingNow> | undefined {
  const word = textGiven(given, 'activation_checkpointing');
  if (word === undefined) return undefined;
  const common = { segment: 1, variant: 'non-reentrant', mechanism: 'activation_checkpointing' } as const;
  const every: Readonly<Record<string, number>> = {
    whole_layer: 1,
    one_in_two: 2,
    one_in_three: 3,
    one_in_four: 4,
    one_in_eight: 8,
  };
  const step = every[word.value];
  if (step !== undefined) return alsoSays({ mode: 'full', ...common, ...(step > 1 && { every: step }) }, word);
  given.notes.push(`activation_checkpointing ${word.value} has no account`);
  return undefined;
}
