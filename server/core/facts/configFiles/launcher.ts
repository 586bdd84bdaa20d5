import type { Fact, OffloadName, ShardingName } from '../facts.ts';
import { offloadGiven } from './deepspeed.ts';
import { readFsdp } from './fsdp.ts';
import type { Given } from './given.ts';
import { alsoSays, derived, joined, present, type SaidRun } from './said.ts';
import { choiceGiven, numberGiven, switchGiven } from './values.ts';
import { dataTypeWords, zeroStages } from './words.ts';

/** What stands before the program: how many processes there are, and what `accelerate launch` itself is told. */
export function readLauncher(launcher: Given): SaidRun {
  const given: Given = { ...launcher, notes: [] };
  const counted = processes(given);
  if (given.find('config_file', 'mixed_precision', 'use_deepspeed', 'use_fsdp') === undefined) return counted;
  const type = choiceGiven(given, dataTypeWords, 'mixed_precision');
  const isDeepSpeed = usesDeepSpeed(given);
  const own: SaidRun = {
    settings: present({
      dataType: type,
      autocast: type && alsoSays(type.value !== 'fp32', type),
      gradientAccumulation: numberGiven(given, 1, 'gradient_accumulation_steps'),
      sharding: isDeepSpeed ? choiceGiven<ShardingName>(given, zeroStages, 'zero_stage') : undefined,
      offload: isDeepSpeed ? offloaded(given) : undefined,
    }),
    defaults: {},
    notes: [],
  };
  const fsdp = switchGiven(given, false, 'use_fsdp');
  return joined([own, ...(fsdp?.value === true ? [readFsdp(given, ['fsdp_'], fsdp)] : []), counted]);
}

/** `accelerate launch --use_deepspeed`. */
export const usesDeepSpeed = (launcher: Given): boolean =>
  switchGiven({ ...launcher, notes: [] }, false, 'use_deepspeed')?.value === true;

const offloaded = (given: Given): Fact<OffloadName> | undefined =>
  offloadGiven(given, 'offload_optimizer_device', 'offload_param_device');

/** `--nproc_per_node 4 --nnodes 2`, `--num_processes 8`, `--num_gpus 8`. */
function processes(given: Given): SaidRun {
  const perNode = numberGiven(given, 0, 'nproc_per_node', 'num_gpus', 'gpus_per_node', 'NPROC_PER_NODE');
  const nodes = numberGiven(given, 0, 'nnodes', 'num_nodes', 'NNODES');
  // `srun` starts every process itself where nothing below it does.
  const all = numberGiven(given, 0, 'num_processes', ...(perNode === undefined ? ['ntasks'] : []));
  const unknown = [perNode, nodes, all].some((fact) => fact?.origin.kind === 'assumed');
  const count =
    all ??
    (perNode &&
      (nodes === undefined || nodes.value === 1
        ? perNode
        : derived(perNode.value * nodes.value, `${perNode.value} * ${nodes.value} processes`, perNode.origin)));
  if (unknown || count === undefined) return { settings: {}, defaults: {}, notes: [] };
  return {
    settings: {},
    processes: count,
    defaults: present({
      sharding: derived('ddp', 'processes share the data where nothing shards the model', count.origin),
    }),
    notes: [],
  };
}
