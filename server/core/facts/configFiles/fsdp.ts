import type { CheckpointingNow, Fact, OffloadName, ShardingName } from '../facts.ts';
import type { Given } from './given.ts';
import { alsoSays, derived, present, type SaidRun } from './said.ts';
import { choiceGiven, meaningOf, numberGiven, switchGiven } from './values.ts';
import { type FsdpStrategy, fsdpStrategies } from './words.ts';

/**
 * FSDP's plugin settings, each name behind one of `prefixes` (`fsdp_config.fsdp_`, or none in transformers' own file).
 * `on` is what says that FSDP is used at all.
 */
export function readFsdp(given: Given, prefixes: readonly string[], on: Fact<unknown> | undefined): SaidRun {
  const names = (...all: readonly string[]): string[] =>
    all.flatMap((name) => prefixes.map((prefix) => `${prefix}${name}`));
  const version = numberGiven(given, 1, ...names('version'));
  // Accelerate takes the strategies of FSDP1 under the name that FSDP2 has.
  const named =
    choiceGiven(given, fsdpStrategies, ...names('sharding_strategy')) ??
    meaningOf(given, fsdpStrategies, ...names('reshard_after_forward'));
  const reshards = named === undefined ? switchGiven(given, true, ...names('reshard_after_forward')) : undefined;
  const strategy = named ?? (reshards && alsoSays<FsdpStrategy>(reshards.value ? 'full' : 'kept', reshards));
  const offloaded = switchGiven(given, false, ...names('offload_params', 'cpu_offload'));
  const checkpoints = switchGiven(given, false, ...names('activation_checkpointing'));
  const settings = present({
    sharding: shardingOf(strategy, version, on),
    reshardAfterForward: strategy?.value === 'kept' ? alsoSays(false, strategy) : undefined,
    offload: offloaded?.value === true ? alsoSays<OffloadName>('parameters-and-optimizer', offloaded) : undefined,
    checkpointing: checkpoints?.value === true ? alsoSays(wrappedLayers, checkpoints) : undefined,
  });
  return {
    settings,
    defaults: {},
    notes: strategy?.value === 'hybrid' ? [...given.notes, inGroups] : given.notes,
  };
}

const wrappedLayers: CheckpointingNow = {
  mode: 'full',
  segment: 1,
  variant: 'non-reentrant',
  mechanism: 'fsdp activation_checkpointing',
};

const inGroups = 'FSDP shards inside each node and repeats that between nodes; all ranks are counted as one group';

function shardingOf(
  strategy: Fact<FsdpStrategy> | undefined,
  version: Fact<number> | undefined,
  on: Fact<unknown> | undefined,
): Fact<ShardingName> | undefined {
  const whole: ShardingName = version?.value === 2 ? 'fsdp2' : 'fsdp1';
  if (strategy === undefined) return version ? alsoSays(whole, version) : on && derived(whole, 'FSDP is on', on.origin);
  return alsoSays(strategy.value === 'ddp' ? strategy.value : whole, strategy);
}
