import { configClass } from '../../families/configClass.ts';
import type { Adapters, CheckpointingNow, DataType, Fact, OptimizerName } from '../facts.ts';
import type { Given } from './given.ts';
import { knownByShortName, modelOfClass, modelOfRegistry } from './models.ts';
import { alsoSays, derived, present, type SaidModel, type SaidRun, type SaidSettings } from './said.ts';
import { choiceGiven, numberGiven, shareGiven, switchGiven, textGiven } from './values.ts';
import { dataTypeWords, optimizerWords } from './words.ts';

/** torchtune's YAML. The model is a builder function of its library, weights are made in `dtype`. */
export function readTorchtune(given: Given): SaidRun {
  const component = textGiven(given, 'model._component_');
  const builder = component?.value.slice(component.value.lastIndexOf('.') + 1) ?? '';
  const type = choiceGiven<DataType>(given, dataTypeWords, 'dtype');
  const settings = present({
    batch: numberGiven(given, 1, 'batch_size'),
    sequence: numberGiven(given, 2048, 'tokenizer.max_seq_len', 'max_seq_len', 'dataset.max_seq_len'),
    gradientAccumulation: numberGiven(given, 1, 'gradient_accumulation_steps'),
    dataType: type,
    autocast: type && derived(false, `torchtune makes the weights in ${type.value}`, type.origin),
    checkpointing: checkpointing(given),
    optimizer: choiceGiven<OptimizerName>(given, optimizerWords, 'optimizer._component_'),
    optimizerImplementation: switchedOn(given, 'optimizer.fused', 'fused' as const),
    tensorParallel: numberGiven(given, 1, 'tensor_parallel_dim'),
    contextParallel: numberGiven(given, 1, 'context_parallel_dim'),
    dataParallel: numberGiven(given, 1, 'data_parallel_shard_dim'),
    offload: switchedOn(given, 'fsdp_cpu_offload', 'parameters-and-optimizer' as const),
    fused: fusedLoss(given),
    ...(component !== undefined && adapters(given, builder, component)),
  });
  return {
    ...(component !== undefined && { model: modelOf(given, component, builder) }),
    settings,
    defaults: {},
    notes: given.notes,
  };
}

function modelOf(given: Given, component: Fact<string>, builder: string): SaidModel {
  const name = alsoSays(builder, component);
  const known = knownByShortName(builder.replace(/^q?(lora|dora)_/, ''));
  if (known !== undefined) return modelOfRegistry(name, known);
  const config = configClass('LlamaConfig');
  const sizes = Object.entries(ownSizes).flatMap(([argument, key]) => {
    const fact = numberGiven(given, 1, `model.${key}`);
    return fact === undefined ? [] : [[argument, fact] as const];
  });
  const isWhole = ['vocab_size', 'hidden_size', 'num_hidden_layers', 'num_attention_heads'].every((needed) =>
    sizes.some(([argument]) => argument === needed),
  );
  return isWhole && config !== undefined && /^(lora_)?llama/.test(builder)
    ? modelOfClass(name, config, new Map(sizes), component.origin)
    : { name, model: undefined, notes: [`the sizes of torchtune's ${builder} are not in the registry`] };
}

/** torchtune's names of sizes, by those of transformers. */
const ownSizes = {
  vocab_size: 'vocab_size',
  hidden_size: 'embed_dim',
  num_hidden_layers: 'num_layers',
  num_attention_heads: 'num_heads',
  num_key_value_heads: 'num_kv_heads',
  intermediate_size: 'intermediate_dim',
  max_position_embeddings: 'max_seq_len',
};

function switchedOn<T>(given: Given, name: string, meaning: T): Fact<T> | undefined {
  const on = switchGiven(given, false, name);
  return on?.value === true ? alsoSays(meaning, on) : undefined;
}

function checkpointing(given: Given): Fact<CheckpointingNow> | undefined {
  const on = switchGiven(given, false, 'enable_activation_checkpointing');
  if (on === undefined) return undefined;
  if (!on.value) return alsoSays({ mode: 'none', segment: 1 }, on);
  const offloaded = switchGiven(given, false, 'enable_activation_offloading')?.value === true;
  const option = given.find('ac_option')?.value;
  const selective = textGiven(given, 'ac_mode')?.value === 'selective';
  const common = { segment: 1, variant: 'non-reentrant' as const, ...(offloaded && { offloaded }) };
  const mechanism = 'enable_activation_checkpointing';
  if (selective && option === 'op') return alsoSays({ mode: 'policy-second', ...common, mechanism }, on);
  const every = selective && Number(option) > 1 ? { every: Number(option) } : {};
  return alsoSays({ mode: 'full', ...common, ...every, mechanism }, on);
}

function fusedLoss(given: Given) {
  const loss = textGiven(given, 'loss._component_');
  return loss !== undefined && /LinearCrossEntropy|Chunked/.test(loss.value)
    ? alsoSays({ loss: 'chunked' as const }, loss)
    : undefined;
}

function adapters(given: Given, builder: string, component: Fact<string>): SaidSettings {
  const isQuantised = builder.startsWith('qlora_') || switchGiven(given, false, 'model.quantize_base')?.value === true;
  if (!/^q?(lora|dora)_/.test(builder)) return {};
  const rank = numberGiven(given, 8, 'model.lora_rank');
  const value: Adapters = {
    rank: rank?.value ?? 8,
    targets: targets(given),
    dropout: shareGiven(given, 0, 'model.lora_dropout')?.value ?? 0,
    elementType: choiceGiven(given, dataTypeWords, 'dtype')?.value ?? 'fp32',
  };
  return present({
    adapters: { value, origin: (rank ?? component).origin },
    quantisation: isQuantised ? alsoSays('nf4' as const, component) : undefined,
  });
}

/** By the names that transformers has for these layers. */
function targets(given: Given): readonly string[] {
  const listed = given.find('model.lora_attn_modules')?.value;
  const attention = Array.isArray(listed) ? listed.map(String) : ['q_proj', 'v_proj'];
  const mlp = switchGiven(given, false, 'model.apply_lora_to_mlp')?.value === true;
  const head = switchGiven(given, false, 'model.apply_lora_to_output')?.value === true;
  return [
    ...attention.map((name) => (name === 'output_proj' ? 'o_proj' : name)),
    ...(mlp ? ['gate_proj', 'up_proj', 'down_proj'] : []),
    ...(head ? ['lm_head'] : []),
  ];
}
