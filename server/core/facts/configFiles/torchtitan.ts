import type {
  CheckpointingNow,
  DataType,
  Fact,
  OptimizerImplementation,
  OptimizerName,
  ShardingName,
} from '../facts.ts';
import type { Given } from './given.ts';
import { knownByShortName, modelOfRegistry } from './models.ts';
import { alsoSays, byDefault, derived, present, type SaidModel, type SaidRun, type SaidSettings } from './said.ts';
import { choiceGiven, numberGiven, problemOf, switchGiven, textGiven, valueGiven } from './values.ts';
import { dataTypeWords, optimizerWords } from './words.ts';

/** torchtitan's settings, as TOML or as the nested calls of its Python registry. */
export function readTorchtitan(given: Given, model: SaidModel | undefined = modelOfFlavor(given)): SaidRun {
  const sequence = numberGiven(given, 2048, 'training.seq_len', 'training.max_context_length');
  const type = choiceGiven<DataType>(given, dataTypeWords, 'training.mixed_precision_param');
  const settings = present({
    batch: numberGiven(given, 1, 'training.local_batch_size', 'training.batch_size') ?? tokensAsBatch(given, sequence),
    sequence,
    dataType: type,
    ...precisionUnderFsdp(given, type),
    checkpointing: checkpointing(given),
    optimizer: choiceGiven<OptimizerName>(given, optimizerWords, 'optimizer.name'),
    optimizerImplementation: choiceGiven<OptimizerImplementation>(given, implementations, 'optimizer.implementation'),
    ...parallelism(given),
  });
  return {
    ...(model !== undefined && { model }),
    settings,
    defaults: {
      batch: byDefault(8, 'torchtitan', 'training.local_batch_size'),
      sequence: byDefault(2048, 'torchtitan', 'training.seq_len'),
      dataType: byDefault('bf16', 'torchtitan', 'training.mixed_precision_param'),
      optimizer: byDefault('adamw', 'torchtitan', 'optimizer.name'),
      optimizerImplementation: byDefault('fused', 'torchtitan', 'optimizer.implementation'),
      ...shardedByDefault(given),
    },
    notes: given.notes,
  };
}

const implementations = {
  'for-loop': 'for-loop',
  foreach: 'foreach',
  fused: 'fused',
  fused_opt_states_bf16: 'fused',
} as const;

/** Weights lie in shards of `training.dtype` and are gathered in `mixed_precision_param`; on one GPU autocast does it. */
function precisionUnderFsdp(given: Given, type: Fact<DataType> | undefined): SaidSettings {
  const casts = shardDegree(given)?.value === 1 ? 'autocast casts them on a single GPU' : undefined;
  return present({
    autocast: type && derived(casts !== undefined, casts ?? 'FSDP casts the weights themselves', type.origin),
    shardType: choiceGiven<DataType>(given, dataTypeWords, 'training.dtype'),
    reduceType: choiceGiven<DataType>(given, dataTypeWords, 'training.mixed_precision_reduce'),
  });
}

/** It shards over all ranks that are left unless it is told a number. */
function shardedByDefault(given: Given): SaidSettings {
  const degree = 'parallelism.data_parallel_shard_degree';
  return {
    ...(shardDegree(given) === undefined && { sharding: byDefault<ShardingName>('fsdp2', 'torchtitan', degree) }),
    ...(shardDegree(given)?.value === 1 && {
      autocast: derived(true, 'autocast casts the weights on a single GPU'),
    }),
    shardType: byDefault('fp32', 'torchtitan', 'training.dtype'),
    reduceType: byDefault('fp32', 'torchtitan', 'training.mixed_precision_reduce'),
  };
}

const shardDegree = (given: Given) =>
  given.find('parallelism.data_parallel_shard_degree', 'training.data_parallel_shard_degree');

function modelOfFlavor(given: Given): SaidModel | undefined {
  const name = textGiven(given, 'model.name', 'job.model');
  const flavor = textGiven(given, 'model.flavor');
  return name && titanModel(name, flavor);
}

/** `llama3` in the flavour `8B`. */
export function titanModel(name: Fact<string>, flavor: Fact<string> | undefined): SaidModel {
  const whole: Fact<string> = flavor === undefined ? name : alsoSays(`${name.value} ${flavor.value}`, flavor);
  const known = knownByShortName(whole.value);
  return known === undefined
    ? { name: whole, model: undefined, notes: [`the sizes of torchtitan's ${whole.value} are not in the registry`] }
    : modelOfRegistry(whole, known);
}

/** Newer settings count tokens of a micro-batch instead of sequences. */
function tokensAsBatch(given: Given, sequence: Fact<number> | undefined): Fact<number> | undefined {
  const tokens = valueGiven(given, undefined, ['training.num_tokens_per_microbatch_per_dp_rank'], (value) =>
    typeof value === 'number' && Number.isSafeInteger(value) && value > 0 ? value : undefined,
  );
  if (tokens === undefined || sequence === undefined) return undefined;
  return derived(
    Math.max(1, Math.round(tokens.value / sequence.value)),
    `${tokens.value} tokens / ${sequence.value}`,
    tokens.origin,
  );
}

/** `mode` is none, full or selective; a number as the option checkpoints every so many layers, `op` takes a policy. */
function checkpointing(given: Given): Fact<CheckpointingNow> | undefined {
  const common = { segment: 1, variant: 'non-reentrant', mechanism: 'checkpoint_wrapper' } as const;
  const built = given.find('activation_checkpoint._call_');
  const none = given.find('activation_checkpoint');
  if (none?.value === null)
    return { value: { mode: 'none', segment: 1 }, origin: { kind: 'literal', place: none.place } };
  if (typeof built?.value === 'string' && !/Config$|^ActivationCheckpoint/.test(built.value.replace(/\.Config$/, ''))) {
    const mode = /SelectiveAC/.test(built.value)
      ? ('policy-second' as const)
      : /FullAC/.test(built.value)
        ? ('full' as const)
        : undefined;
    if (mode !== undefined) return { value: { mode, ...common }, origin: { kind: 'literal', place: built.place } };
    given.notes.push(problemOf(given, built));
    return undefined;
  }
  const mode = textGiven(given, 'activation_checkpoint.mode');
  if (mode === undefined) return undefined;
  if (mode.value === 'none') return alsoSays({ mode: 'none', segment: 1 }, mode);
  if (mode.value === 'full') return alsoSays({ mode: 'full', ...common }, mode);
  const option = given.find('activation_checkpoint.selective_ac_option');
  if (mode.value === 'selective' && (option === undefined || option.value === 'op'))
    return alsoSays({ mode: 'policy-second', ...common }, mode);
  const every = Number(option?.value);
  if (mode.value === 'selective' && Number.isSafeInteger(every) && every > 0)
    return alsoSays({ mode: 'full', ...common, ...(every > 1 && { every }) }, mode);
  given.notes.push(`activation checkpointing in the mode ${mode.value} has no account`);
  return undefined;
}

function parallelism(given: Given): SaidSettings {
  const degree = (name: string) => {
    const names = [`parallelism.${name}`, `training.${name}`, `experimental.${name}`];
    // -1 stands for all ranks that are left over.
    return given.find(...names)?.value === -1 ? undefined : numberGiven(given, 1, ...names);
  };
  const shards = degree('data_parallel_shard_degree');
  const offload = switchGiven(given, false, 'training.enable_cpu_offload');
  const found = shardDegree(given);
  const isSharded = found !== undefined && found.value !== 1;
  return present({
    tensorParallel: degree('tensor_parallel_degree'),
    contextParallel: degree('context_parallel_degree'),
    pipelineParallel: degree('pipeline_parallel_degree'),
    expertParallel: degree('expert_parallel_degree'),
    dataParallel: shards,
    sharding: isSharded
      ? { value: 'fsdp2' satisfies ShardingName, origin: { kind: 'literal', place: found.place } }
      : undefined,
    offload: offload?.value === true ? alsoSays('parameters-and-optimizer' as const, offload) : undefined,
  });
}
