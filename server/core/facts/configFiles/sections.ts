import type { DataType, OptimizerName } from '../facts.ts';
import type { Given } from './given.ts';
import { modelOfId } from './models.ts';
import { alsoSays, derived, present, type SaidModel, type SaidRun } from './said.ts';
import { modelOfSizes } from './statedModel.ts';
import { choiceGiven, numberGiven, shareGiven, switchGiven, textGiven } from './values.ts';
import { dataTypeWords, meansAutocast, optimizerWords } from './words.ts';

/**
 * A project's own settings in sections such as `model`, `data` and `trainer`, under the names that most projects have.
 * Sections for evaluation are passed over.
 */
export function readSections(given: Given): SaidRun {
  const sections = given.names('');
  const inside = (kind: RegExp, names: readonly string[]): string[] => [
    ...names,
    ...sections
      .filter((one) => kind.test(one) && !/val|eval|test|infer|hydra/i.test(one))
      .flatMap((one) => names.map((name) => `${one}.${name}`)),
  ];
  const training = (...names: readonly string[]) => inside(/train|data|loader|optim/i, names);
  const models = (...names: readonly string[]) => inside(/model|gpt|net|arch|transformer/i, names);
  const sequence = numberGiven(given, 1024, ...training(...sequenceNames), ...models(...sequenceNames));
  const typeNames = training('precision', 'mixed_precision', 'dtype');
  const type = choiceGiven<DataType>(given, dataTypeWords, ...typeNames);
  const on = switchGiven(given, false, ...training(...checkpointNames), ...models(...checkpointNames));
  const model = modelIn(given, models);
  const settings = present({
    batch: numberGiven(
      given,
      1,
      ...training('per_device_train_batch_size', 'micro_batch_size', 'device_batch_size', 'batch_size'),
    ),
    sequence,
    gradientAccumulation: numberGiven(
      given,
      1,
      ...training('gradient_accumulation_steps', 'accumulate_grad_batches', 'grad_accum'),
    ),
    dataType: type,
    autocast: type && alsoSays(meansAutocast(String(given.find(...typeNames)?.value ?? '').toLowerCase()), type),
    checkpointing:
      on && alsoSays(on.value ? { mode: 'full' as const, segment: 1 } : { mode: 'none' as const, segment: 1 }, on),
    dropout: shareGiven(given, 0, ...models('dropout')),
    optimizer: choiceGiven<OptimizerName>(
      given,
      optimizerWords,
      'optimizer.name',
      'optimizer.type',
      'optim.name',
      'optimizer._target_',
    ),
  });
  return { ...(model !== undefined && { model }), settings, defaults: {}, notes: given.notes };
}

const sequenceNames = [
  'block_size',
  'seq_len',
  'seq_length',
  'max_seq_len',
  'max_seq_length',
  'sequence_length',
  'context_length',
  'max_length',
];
const checkpointNames = ['gradient_checkpointing', 'activation_checkpointing', 'grad_checkpointing', 'use_checkpoint'];

function modelIn(given: Given, models: (...names: readonly string[]) => string[]): SaidModel | undefined {
  const id = textGiven(
    given,
    ...models('model_name_or_path', 'pretrained_model_name_or_path', 'pretrained', 'hf_name'),
  );
  if (id !== undefined) return modelOfId(id);
  const size = (...names: readonly string[]) => numberGiven(given, 1, ...models(...names));
  const layers = size('n_layer', 'n_layers', 'num_layers', 'num_hidden_layers', 'depth');
  const hidden = size('n_embd', 'd_model', 'hidden_size', 'embed_dim', 'dim');
  const heads = size('n_head', 'n_heads', 'num_heads', 'num_attention_heads');
  if (layers === undefined || hidden === undefined || heads === undefined) return undefined;
  // nanoGPT's own three names; other projects' layers are not known from their sizes.
  const isNano = given.find(...models('n_embd')) !== undefined && given.find(...models('n_head')) !== undefined;
  const family = isNano ? 'gpt2' : 'transformer-of-project';
  return modelOfSizes(
    {
      name: derived('model of the project', 'its settings', layers.origin),
      family: derived(
        family,
        isNano ? 'the names n_layer, n_head and n_embd' : 'a model of the project',
        layers.origin,
      ),
      layers,
      hidden,
      heads,
      keyValueHeads: size('n_kv_heads', 'num_key_value_heads', 'n_kv_head'),
      feedForward: size('intermediate_size', 'ffn_hidden_size', 'd_ff', 'hidden_dim'),
      vocabulary: size('vocab_size') ?? { value: 50_257, origin: { kind: 'assumed', why: "GPT-2's vocabulary" } },
      maximumSequence: size('block_size', 'max_seq_len', 'max_position_embeddings') ??
        numberGiven(given, 1024, ...models(...sequenceNames), 'data_config.block_size') ?? {
          value: 1024,
          origin: { kind: 'assumed', why: 'no longest sequence was found' },
        },
      activation: { value: 'gelu', origin: { kind: 'assumed', why: 'the settings do not say it' } },
      tiedEmbeddings: switchGiven(given, true, ...models('tie_word_embeddings', 'weight_tying')) ?? {
        value: true,
        origin: { kind: 'assumed', why: 'the settings do not say it' },
      },
      bias: switchGiven(given, true, ...models('bias')) ?? {
        value: true,
        origin: { kind: 'assumed', why: 'the settings do not say it' },
      },
    },
    isNano ? ['layers are counted as those of nanoGPT, whose names the settings have'] : [],
  );
}
