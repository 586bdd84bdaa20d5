import type { Expression } from '../python/ast.ts';
import { wrappedByPolicy } from './checkpointingClasses.ts';
import { switchGiven } from './checkpointingFlags.ts';
import {
  type CheckpointingReading,
  checkpointed,
  none,
  reading,
  supposed,
  underGuard,
} from './checkpointingReading.ts';
import { wrappedByFsdp } from './checkpointingTrainer.ts';
import { ofWrapped } from './checkpointingWrappers.ts';
import { isSize } from './modelReading.ts';
import { type CallHere, type Fields, lastName, originOf, type Source } from './source.ts';
import { conditionsAround, guard } from './trainingGuard.ts';

/** What a library that trains is told to checkpoint: Lightning's and accelerate's FSDP, Megatron's recomputation. */
export function checkpointingOfLibraries(source: Source, layers: number | undefined): CheckpointingReading | undefined {
  const judged = source.calls.flatMap((here) => {
    const read = ofLightning(source, here, layers) ?? ofAccelerate(source, here) ?? ofMegatron(source, here);
    if (read === undefined) return [];
    const guarded = guard(source, conditionsAround(source, here.around));
    const at = { what: lastName(here.call.callee), at: here.call };
    return [{ isOff: guarded.kind === 'off', read: underGuard(source, read, guarded, at) }];
  });
  return (judged.find(({ isOff }) => !isOff) ?? judged[0])?.read;
}

function ofLightning(source: Source, { call, qualified }: CallHere, layers: number | undefined) {
  if (!/^(lightning|pytorch_lightning|lightning_fabric)\.(\w+\.)*FSDPStrategy$/.test(qualified ?? '')) return undefined;
  const { fields } = source.givenTo(call);
  const name = ['activation_checkpointing_policy', 'activation_checkpointing'].find((each) => fields.has(each));
  const policy = name === undefined ? undefined : fields.get(name)?.value;
  if (name === undefined || policy === undefined || source.read(policy)?.value === null) return undefined;
  const value = checkpointed(name, { variant: 'non-reentrant' });
  return ofWrapped(source, policy, value, wrappedByPolicy(source, policy), layers);
}

function ofAccelerate(source: Source, { call, qualified }: CallHere): CheckpointingReading | undefined {
  if (!/^accelerate\./.test(qualified ?? '')) return undefined;
  const { fields } = source.givenTo(call);
  const on = (name: string) => {
    const read = switchGiven(source, fields.get(name)?.value);
    return read?.value === true ? read : undefined;
  };
  if (/\.FullyShardedDataParallelPlugin$/.test(qualified ?? '')) {
    const read = on('activation_checkpointing');
    return read && reading(wrappedByFsdp, originOf(source, read), [], read.options);
  }
  if (!/\.MegatronLMPlugin$/.test(qualified ?? '')) return undefined;
  const read = on('recompute_activations');
  const value = checkpointed('recompute_activations', { mode: 'selective' });
  return read && reading(value, originOf(source, read), [], read.options);
}

/** `TransformerConfig(recompute_granularity="full", recompute_method="uniform", recompute_num_layers=4)` and its relatives. */
function ofMegatron(source: Source, { call }: CallHere): CheckpointingReading | undefined {
  const given = call.arguments.find((each) => each.kind === 'keyword' && each.name.name === 'recompute_granularity');
  if (given === undefined) return undefined;
  const fields = source.givenTo(call);
  const granularity = switchGiven(source, given.value);
  const mechanism = 'recompute_granularity';
  if (granularity === undefined)
    return supposed(none, `recompute_granularity on line ${source.lineOf(given)} could not be read`);
  const origin = originOf(source, granularity);
  if (granularity.value === 'selective') {
    const modules = fields.fields.get('recompute_modules')?.value;
    const isCore = modules === undefined || isOnlyCore(source, modules);
    const value = checkpointed(mechanism, { mode: 'selective', variant: 'reentrant' });
    return isCore
      ? reading(value, origin, [], granularity.options)
      : supposed(
          value,
          `recompute_modules on line ${source.lineOf(modules ?? given)} names more than core_attn; only the attention core is counted`,
        );
  }
  return granularity.value === 'full'
    ? wholeLayers(source, fields, origin, granularity.options)
    : reading(none, origin);
}

function wholeLayers(
  source: Source,
  { fields }: Fields,
  origin: CheckpointingReading['fact']['origin'],
  options: readonly string[],
): CheckpointingReading {
  const mechanism = 'recompute_granularity';
  const full = { variant: 'reentrant' } as const;
  const method = switchGiven(source, fields.get('recompute_method')?.value)?.value;
  const asked = fields.get('recompute_num_layers')?.value;
  const number = switchGiven(source, asked)?.value;
  if (asked !== undefined && number !== null && !isSize(number))
    return supposed(
      checkpointed(mechanism, full),
      `recompute_num_layers on line ${source.lineOf(asked)} could not be read`,
    );
  const count = isSize(number) ? number : 1;
  const value =
    method === 'block'
      ? checkpointed(mechanism, { ...full, ...(isSize(number) && { layers: number }) })
      : checkpointed(mechanism, { ...full, segment: count });
  return reading(value, origin, [], options);
}

function isOnlyCore(source: Source, modules: Expression): boolean {
  const [root] = source.rootsOf(modules);
  if (root === undefined || source.read(root)?.value === null) return root !== undefined;
  return root.kind === 'list' && root.elements.every((each) => source.read(each)?.value === 'core_attn');
}
