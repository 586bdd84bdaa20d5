import { type ConfigMapping, entryAt } from '../../config/tree.ts';
import type { CheckpointingNow, DataType, Fact } from '../facts.ts';
import { readDeepSpeed } from './deepspeed.ts';
import type { Given, GivenValue } from './given.ts';
import { isMegatron, readMegatron } from './megatron.ts';
import { alsoSays, derived, joined, present, type SaidModel, type SaidRun } from './said.ts';
import { choiceGiven, numberGiven, switchGiven, textGiven } from './values.ts';
import { dataTypeWords } from './words.ts';

/** GPT-NeoX's YAML: DeepSpeed's keys and Megatron's in one, with dashes or underscores. */
export const isGptNeox = (root: ConfigMapping): boolean =>
  either('pipe_parallel_size').some((key) => entryAt(root, key) !== undefined) &&
  either('model_parallel_size').some((key) => entryAt(root, key) !== undefined);

const either = (name: string): readonly string[] => [name, name.replaceAll('_', '-')];

export function readGptNeox(written: Given): SaidRun {
  const given: Given = { ...written, find: (...names) => written.find(...names.flatMap(either)) };
  const below = asMegatron(given);
  const { settings, defaults, notes } = readMegatron(below);
  const type = choiceGiven<DataType>(given, dataTypeWords, 'precision');
  const flash = attention(given);
  const model = isMegatron(given) ? modelOf(readMegatron(below).model, given) : undefined;
  const own: SaidRun = {
    ...(model !== undefined && { model }),
    settings: {
      ...settings,
      ...present({
        dataType: type,
        autocast: type && derived(false, `DeepSpeed turns the weights into ${type.value}`, type.origin),
        attention: flash,
        checkpointing: checkpointing(given),
      }),
    },
    defaults: {
      ...defaults,
      checkpointing: { value: none, origin: { kind: 'default', library: 'GPT-NeoX', what: 'checkpoint_activations' } },
    },
    notes,
  };
  return joined([own, readDeepSpeed(given)]);
}

const none: CheckpointingNow = { mode: 'none', segment: 1 };

function checkpointing(given: Given): Fact<CheckpointingNow> | undefined {
  const on = switchGiven(given, false, 'checkpoint_activations');
  if (on === undefined || !on.value) return on && alsoSays(none, on);
  const segment = numberGiven(given, 1, 'checkpoint_num_layers')?.value ?? 1;
  return alsoSays({ mode: 'full', segment, variant: 'reentrant', mechanism: 'checkpoint_activations' }, on);
}

/** `[[["flash"], 24]]` is a list of lists; one kind of attention in all layers is said by its only word. */
function attention(given: Given) {
  const found = given.find('attention_config');
  const listed = Array.isArray(found?.value) ? found.value.filter((one) => typeof one === 'string') : [];
  const words = [...new Set(listed)];
  const [word] = words;
  if (found === undefined || words.length !== 1) return undefined;
  const origin = { kind: 'literal', place: found.place } as const;
  if (word === 'flash') return { value: 'flash' as const, origin };
  return word === 'global' ? { value: 'eager' as const, origin } : undefined;
}

/** Names that differ from Megatron's own. */
const renamed: Readonly<Record<string, string>> = {
  micro_batch_size: 'train_micro_batch_size_per_gpu',
  pipeline_model_parallel_size: 'pipe_parallel_size',
  tensor_model_parallel_size: 'model_parallel_size',
  num_query_groups: 'num_kv_heads',
  normalization: 'norm',
  swiglu: 'activation',
  untie_embeddings_and_output_weights: 'no_weight_tying',
  add_bias_linear: 'use_bias_in_mlp',
  ffn_hidden_size: 'intermediate_size',
  zero_stage: 'zero_optimization.stage',
  optimizer: 'optimizer.type',
};

function asMegatron(given: Given): Given {
  return {
    ...given,
    find(...wanted) {
      for (const name of wanted) {
        const found = given.find(renamed[name] ?? name);
        if (found !== undefined) return inMegatronsWords(name, found, given);
      }
      return undefined;
    },
  };
}

function inMegatronsWords(name: string, found: GivenValue, given: Given): GivenValue {
  const { value } = found;
  if (name === 'swiglu') return { ...found, value: value === 'swiglu' };
  if (name === 'normalization') return { ...found, value: /rmsnorm/i.test(String(value)) ? 'RMSNorm' : 'LayerNorm' };
  if (name !== 'ffn_hidden_size' || typeof value !== 'number') return found;
  if (given.find('activation')?.value !== 'swiglu') return found;
  // A gated MLP has a third of the size that is given, in multiples of `mlp_multiple_of`.
  const multiple = numberGiven(given, 256, 'mlp_multiple_of')?.value ?? 256;
  const width = multiple * Math.ceil(Math.floor(value / 3) / multiple);
  return { ...found, value: width, from: `intermediate_size / 3 in multiples of ${multiple}` };
}

/** Rotary positions with attention and MLP side by side are GPT-NeoX's own family. */
function modelOf(said: SaidModel | undefined, given: Given): SaidModel | undefined {
  const model = said?.model;
  const rotary = textGiven(given, 'pos_emb');
  const parallel = switchGiven(given, false, 'gpt_j_residual');
  if (said === undefined || model === undefined || rotary?.value !== 'rotary' || parallel?.value !== true) return said;
  const name = derived('GPT-NeoX', 'a model block of GPT-NeoX', model.layers.origin);
  const family = derived('gpt-neox', 'rotary positions and a parallel residual', parallel.origin);
  return { ...said, name, model: { ...model, name, family }, notes: [] };
}
