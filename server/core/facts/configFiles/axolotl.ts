import type { Adapters, CheckpointingNow, DataType, Fact, OptimizerName, Quantisation } from '../facts.ts';
import { readFsdp } from './fsdp.ts';
import type { Given } from './given.ts';
import { adaptersGiven } from './loraSettings.ts';
import { modelOfId } from './models.ts';
import { alsoSays, byDefault, derived, joined, present, type SaidRun, type SaidSettings } from './said.ts';
import { choiceGiven, meaningOf, numberGiven, switchGiven, switchOf, textGiven } from './values.ts';
import { attentionWords, implementationWords, optimizerWords } from './words.ts';

/** axolotl's YAML. Weights are loaded in the data type of the training. */
export function readAxolotl(given: Given): SaidRun {
  const name = textGiven(given, 'base_model', 'base_model_config');
  const type = precision(given);
  const settings = present({
    batch: numberGiven(given, 1, 'micro_batch_size'),
    sequence: numberGiven(given, 2048, 'sequence_len'),
    gradientAccumulation: numberGiven(given, 1, 'gradient_accumulation_steps'),
    dataType: type,
    autocast: type && derived(false, `axolotl loads the weights in ${type.value}`, type.origin),
    attention: attention(given),
    checkpointing: checkpointing(given),
    optimizer: choiceGiven<OptimizerName>(given, optimizerWords, 'optimizer'),
    optimizerImplementation: meaningOf(given, implementationWords, 'optimizer'),
    tensorParallel: numberGiven(given, 1, 'tensor_parallel_size'),
    contextParallel: numberGiven(given, 1, 'context_parallel_size', 'sequence_parallel_degree'),
    ...adapters(given),
    fused: fused(given),
  });
  const own: SaidRun = {
    ...(name !== undefined && { model: modelOfId(name) }),
    settings,
    defaults: {
      batch: byDefault(1, 'axolotl', 'micro_batch_size'),
      sequence: byDefault(512, 'axolotl', 'sequence_len'),
    },
    notes: given.notes,
  };
  const place = given.section('fsdp_config') ?? given.find('fsdp')?.place;
  if (place === undefined) return own;
  const on: Fact<boolean> = { value: true, origin: { kind: 'literal', place } };
  return joined([own, readFsdp(given, ['fsdp_config.fsdp_', 'fsdp_config.', 'fsdp_'], on)]);
}

/** `auto` takes bf16 where the GPU has it. */
function precision(given: Given): Fact<DataType> | undefined {
  const bf16 = given.find('bf16', 'bfloat16');
  if (bf16?.value === 'auto')
    return { value: 'bf16', origin: { kind: 'derived', from: 'auto, on a GPU with bf16', place: bf16.place } };
  for (const [word, ...names] of [
    ['bf16', 'bf16', 'bfloat16'],
    ['fp16', 'fp16', 'float16'],
  ] as const) {
    const on = switchGiven(given, false, ...names);
    if (on?.value === true) return alsoSays<DataType>(word, on);
  }
  const off = switchGiven(given, false, 'bf16', 'fp16');
  return off && derived('fp32', 'neither bf16 nor fp16 is on', off.origin);
}

function attention(given: Given) {
  const named = choiceGiven(given, attentionWords, 'attn_implementation', 'attention');
  if (named !== undefined) return named;
  for (const [name, value] of [
    ['flash_attention', 'flash'],
    ['sdp_attention', 'sdpa'],
    ['eager_attention', 'eager'],
  ] as const) {
    const on = switchGiven(given, false, name);
    if (on?.value === true) return alsoSays(value, on);
  }
  return undefined;
}

/** `offload` and `unsloth` keep the inputs of regions in host memory. */
function checkpointing(given: Given): Fact<CheckpointingNow> | undefined {
  const found = given.find('gradient_checkpointing');
  const offloads = typeof found?.value === 'string' && /^(offload|unsloth|offload_disk)$/.test(found.value);
  const on = offloads ? true : switchOf(found?.value);
  if (found === undefined || on === undefined) {
    // Read once more for the note about a value that is none of these.
    switchGiven(given, false, 'gradient_checkpointing');
    return undefined;
  }
  const origin = { kind: 'literal', place: found.place } as const;
  if (!on) return { value: { mode: 'none', segment: 1 }, origin };
  const reentrant = switchGiven(given, true, 'gradient_checkpointing_kwargs.use_reentrant');
  const offloaded = offloads || switchGiven(given, false, 'activation_offloading')?.value === true;
  const value: CheckpointingNow = {
    mode: 'full',
    segment: 1,
    ...(reentrant !== undefined && { variant: reentrant.value ? 'reentrant' : 'non-reentrant' }),
    ...(offloaded && { offloaded }),
    mechanism: 'gradient_checkpointing',
  };
  return { value, origin };
}

function adapters(given: Given): SaidSettings {
  const kind = textGiven(given, 'adapter');
  const in4 = switchGiven(given, false, 'load_in_4bit');
  const in8 = switchGiven(given, false, 'load_in_8bit');
  const quantised =
    in4?.value === true
      ? alsoSays<Quantisation>('nf4', in4)
      : in8?.value === true
        ? alsoSays<Quantisation>('int8', in8)
        : undefined;
  const isLora = kind !== undefined && /^q?lora$/.test(kind.value);
  const all = switchGiven(given, false, 'lora_target_linear');
  const lora = isLora ? adaptersGiven(given, loraNames, kind) : undefined;
  return present({
    quantisation: quantised,
    adapters:
      lora &&
      (all?.value === true ? { ...lora, value: { ...lora.value, targets: 'all-linear' } satisfies Adapters } : lora),
  });
}

const loraNames = {
  rank: ['lora_r'],
  targets: ['lora_target_modules'],
  dropout: ['lora_dropout'],
  defaults: { rank: 8, targets: 'all-linear', dropout: 0, elementType: 'fp32' },
} as const;

function fused(given: Given) {
  const on = (name: string) => {
    const found = switchGiven(given, false, name);
    return found?.value === true ? found : undefined;
  };
  const norm = on('liger_rms_norm');
  const mlp = on('liger_glu_activation') ?? on('liger_swiglu');
  const loss = on('liger_fused_linear_cross_entropy') ?? on('cut_cross_entropy');
  const first = norm ?? mlp ?? loss;
  return (
    first &&
    alsoSays({ ...(norm && { norm: true }), ...(mlp && { mlp: true }), ...(loss && { loss: 'fused' as const }) }, first)
  );
}
