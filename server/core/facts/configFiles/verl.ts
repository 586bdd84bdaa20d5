import type { CheckpointingNow, Fact, OffloadName, ShardingName } from '../facts.ts';
import type { Given } from './given.ts';
import { adaptersGiven } from './loraSettings.ts';
import { modelOfId } from './models.ts';
import { alsoSays, byDefault, derived, present, type SaidRun, type SaidSettings } from './said.ts';
import { choiceGiven, meaningOf, numberGiven, switchGiven, textGiven } from './values.ts';

const root = 'actor_rollout_ref';

export const isVerl = (given: Given): boolean => given.names('').some((name) => name.startsWith(`${root}.`));

/** The flags of verl's supervised trainer. */
export const isVerlTuning = (program: string | undefined): boolean =>
  program !== undefined && /^verl\.trainer\.(fsdp_)?sft_trainer/.test(program);

/** verl's settings, which are Hydra's overrides on a command line. The actor is what is trained. */
export function readVerl(given: Given): SaidRun {
  const name = textGiven(given, `${root}.model.path`);
  const on = switchGiven(given, false, `${root}.model.enable_gradient_checkpointing`);
  const settings = present({
    batch: numberGiven(given, 1, `${root}.actor.ppo_micro_batch_size_per_gpu`, `${root}.actor.ppo_micro_batch_size`),
    sequence: sequence(given),
    checkpointing: megatronCheckpointing(given) ?? (on && alsoSays(on.value ? full : none, on)),
    sharding: meaningOf<ShardingName>(given, { fsdp: 'fsdp1', fsdp2: 'fsdp2' }, `${root}.actor.strategy`),
    tensorParallel: numberGiven(given, 1, `${root}.actor.megatron.tensor_model_parallel_size`),
    pipelineParallel: numberGiven(given, 1, `${root}.actor.megatron.pipeline_model_parallel_size`),
    contextParallel: numberGiven(given, 1, `${root}.actor.ulysses_sequence_parallel_size`),
    offload: offload(given),
  });
  const dynamic = switchGiven(given, false, `${root}.actor.use_dynamic_bsz`)?.value === true;
  const notes = dynamic ? ['use_dynamic_bsz packs sequences up to a number of tokens; the micro-batch varies'] : [];
  return {
    ...(name !== undefined && { model: modelOfId(name) }),
    settings,
    ...processes(given),
    defaults: libraryDefaults,
    notes: [...given.notes, ...notes],
  };
}

/** Of the supervised trainer, whose names are shorter. */
export function readVerlTuning(given: Given): SaidRun {
  const name = textGiven(given, 'model.partial_pretrain', 'model.path');
  const on = switchGiven(given, true, 'model.enable_gradient_checkpointing');
  const rank = numberGiven(given, 0, 'model.lora_rank');
  const settings = present({
    batch: numberGiven(given, 1, 'data.micro_batch_size_per_gpu', 'data.micro_batch_size'),
    sequence: numberGiven(given, 1024, 'data.max_length'),
    checkpointing: on && alsoSays(on.value ? full : none, on),
    sharding: choiceGiven<ShardingName>(given, { fsdp: 'fsdp1', fsdp2: 'fsdp2' }, 'model.strategy'),
    contextParallel: numberGiven(given, 1, 'ulysses_sequence_parallel_size'),
    adapters: rank !== undefined && rank.value > 0 ? adaptersGiven(given, loraNames, rank) : undefined,
  });
  return {
    ...(name !== undefined && { model: modelOfId(name) }),
    settings,
    ...processes(given),
    defaults: libraryDefaults,
    notes: given.notes,
  };
}

const loraNames = {
  rank: ['model.lora_rank'],
  targets: ['model.target_modules'],
  dropout: [],
  saysAll: true,
  defaults: { rank: 0, targets: 'all-linear', dropout: 0, elementType: 'fp32' },
} as const;

function processes(given: Given): Pick<SaidRun, 'processes'> {
  const perNode = numberGiven(given, 1, 'trainer.n_gpus_per_node');
  const nodes = numberGiven(given, 1, 'trainer.nnodes');
  if (perNode === undefined || perNode.origin.kind === 'assumed' || nodes?.origin.kind === 'assumed') return {};
  if (nodes === undefined || nodes.value === 1) return { processes: perNode };
  const words = `${perNode.value} * ${nodes.value} processes`;
  return { processes: derived(perNode.value * nodes.value, words, perNode.origin) };
}

/** FSDP casts the weights to bf16, and every layer is checkpointed unless that is switched off. */
const libraryDefaults: SaidSettings = {
  dataType: byDefault('bf16', 'verl', 'mixed_precision'),
  checkpointing: byDefault<CheckpointingNow>(
    { mode: 'full', segment: 1, mechanism: 'enable_gradient_checkpointing' },
    'verl',
    'model.enable_gradient_checkpointing',
  ),
};

const full: CheckpointingNow = { mode: 'full', segment: 1, mechanism: 'enable_gradient_checkpointing' };
const none: CheckpointingNow = { mode: 'none', segment: 1 };

function sequence(given: Given): Fact<number> | undefined {
  const prompt = numberGiven(given, 1, 'data.max_prompt_length');
  const response = numberGiven(given, 1, 'data.max_response_length');
  if (prompt === undefined || response === undefined) return undefined;
  return derived(prompt.value + response.value, `prompt ${prompt.value} + response ${response.value}`, prompt.origin);
}

function megatronCheckpointing(given: Given): Fact<CheckpointingNow> | undefined {
  const at = `${root}.actor.megatron.override_transformer_config`;
  const granularity = textGiven(given, `${at}.recompute_granularity`);
  const layers = numberGiven(given, 1, `${at}.recompute_num_layers`);
  const mechanism = 'recompute_granularity';
  if (granularity?.value === 'selective') return alsoSays({ mode: 'selective', segment: 1, mechanism }, granularity);
  return granularity?.value === 'full'
    ? alsoSays({ mode: 'full', segment: layers?.value ?? 1, mechanism }, granularity)
    : undefined;
}

function offload(given: Given): Fact<OffloadName> | undefined {
  const parameters = switchGiven(given, false, `${root}.actor.fsdp_config.param_offload`);
  const optimizer = switchGiven(given, false, `${root}.actor.fsdp_config.optimizer_offload`);
  if (parameters?.value === true) return alsoSays('parameters-and-optimizer', parameters);
  return optimizer?.value === true ? alsoSays('optimizer', optimizer) : undefined;
}
