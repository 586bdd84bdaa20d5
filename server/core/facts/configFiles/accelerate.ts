import type { CheckpointingNow, ShardingName } from '../facts.ts';
import { offloadGiven } from './deepspeed.ts';
import { readFsdp } from './fsdp.ts';
import type { Given } from './given.ts';
import { alsoSays, derived, joined, present, type SaidRun, type SaidSettings } from './said.ts';
import { choiceGiven, numberGiven, switchGiven, textGiven } from './values.ts';
import { dataTypeWords, zeroStages } from './words.ts';

/** What `accelerate config` writes: how processes are spread and in which precision they compute, no model and no batch. */
export function readAccelerate(given: Given): SaidRun {
  const kind = textGiven(given, 'distributed_type');
  const word = kind?.value.toUpperCase() ?? '';
  const type = choiceGiven(given, dataTypeWords, 'mixed_precision');
  const recomputes = switchGiven(given, false, 'megatron_lm_config.megatron_lm_recompute_activations');
  const processes = numberGiven(given, 1, 'num_processes');
  const settings = present({
    dataType: type,
    autocast:
      type &&
      (word === 'DEEPSPEED'
        ? derived(false, `DeepSpeed turns the weights into ${type.value}`, type.origin)
        : alsoSays(type.value !== 'fp32', type)),
    ...parallelism(given),
    gradientAccumulation: numberGiven(
      given,
      1,
      'gradient_accumulation_steps',
      'deepspeed_config.gradient_accumulation_steps',
    ),
    ...(word === 'DEEPSPEED' && {
      sharding: choiceGiven<ShardingName>(given, zeroStages, 'deepspeed_config.zero_stage'),
      offload: offloadGiven(
        given,
        'deepspeed_config.offload_optimizer_device',
        'deepspeed_config.offload_param_device',
      ),
    }),
    ...(word.startsWith('MULTI_') && kind !== undefined && { sharding: alsoSays<ShardingName>('ddp', kind) }),
    ...(recomputes?.value === true && { checkpointing: alsoSays(attentionAgain, recomputes) }),
  });
  const plain: SaidRun = { settings, ...(processes && { processes }), defaults: {}, notes: given.notes };
  return word === 'FSDP' ? joined([plain, readFsdp(given, ['fsdp_config.fsdp_', 'fsdp_config.'], kind)]) : plain;
}

const attentionAgain: CheckpointingNow = { mode: 'selective', segment: 1, mechanism: 'recompute_activations' };

function parallelism(given: Given): SaidSettings {
  const degree = (plugin: string, ofMegatron: string) =>
    numberGiven(
      given,
      1,
      `parallelism_config.parallelism_config_${plugin}_size`,
      `parallelism_config.${plugin}_size`,
      `megatron_lm_config.megatron_lm_${ofMegatron}_degree`,
    );
  const spread = numberGiven(given, 1, 'parallelism_config.parallelism_config_sp_size', 'parallelism_config.sp_size');
  return present({
    tensorParallel: degree('tp', 'tp'),
    // DeepSpeed's sequence parallelism spreads the sequence too.
    contextParallel: spread !== undefined && spread.value > 1 ? spread : degree('cp', 'cp'),
    pipelineParallel: degree('pp', 'pp'),
  });
}
