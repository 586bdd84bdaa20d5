import type { Expression } from '../python/ast.ts';
import { readFsdp } from './configFiles/fsdp.ts';
import { alsoSays, joined, present, type SaidRun, saysNothing } from './configFiles/said.ts';
import { deepSpeedOf } from './deepspeed.ts';
import { deviceMesh } from './deviceMesh.ts';
import type { Fact, OffloadName, ShardingName } from './facts.ts';
import { fieldValue } from './fieldValue.ts';
import { givenInFields } from './givenFields.ts';
import { type CallHere, factOf, type Source } from './source.ts';
import { isAside } from './standing.ts';
import { type TrainerArguments, trainerValue } from './trainer.ts';

/** How data parallelism spreads the run, and over how many ranks, where the code says so. */
export function readSharding(source: Source, trainer: TrainerArguments | undefined): SaidRun {
  return joined([deepSpeedOf(source, trainer), fsdpOfTrainer(source, trainer), wrapped(source), deviceMesh(source)]);
}

/** `fsdp="full_shard auto_wrap"` and `fsdp_config={…}` of the trainer's arguments. */
function fsdpOfTrainer(source: Source, trainer: TrainerArguments | undefined): SaidRun {
  const asked = trainer && trainerValue(source, trainer, 'fsdp');
  if (trainer === undefined || asked === undefined || !asked.value) return saysNothing;
  const words = String(asked.value).split(/\s+/);
  const on = factOf(source, asked, true);
  const config = trainer.fields.fields.get('fsdp_config')?.value;
  const path = config && source.read(config)?.value;
  const root = typeof path === 'string' ? source.config(path) : config;
  const fields = (root && source.fieldsOf(root)) ?? { fields: new Map(), open: undefined };
  const said = readFsdp(givenInFields(source, fields, 'fsdp_config'), ['', 'fsdp_'], on);
  const isTwo = said.settings.sharding?.value === 'fsdp2';
  const strategy: ShardingName = words.includes('no_shard') ? 'ddp' : isTwo ? 'fsdp2' : 'fsdp1';
  const offload = words.includes('offload')
    ? factOf<OffloadName>(source, asked, 'parameters-and-optimizer')
    : undefined;
  return {
    ...said,
    settings: {
      ...said.settings,
      sharding: factOf(source, asked, strategy),
      ...(words.includes('shard_grad_op') && { reshardAfterForward: factOf(source, asked, false) }),
      ...(offload !== undefined && { offload }),
    },
  };
}

/** The wrapper around the model: DDP, FSDP, `fully_shard`. */
function wrapped(source: Source): SaidRun {
  const found = source.calls.flatMap((here) => (isAside(source, here) ? [] : (ofWrapper(source, here) ?? [])));
  const [first] = found;
  if (first === undefined) return saysNothing;
  const names = new Set(found.map(({ settings }) => settings.sharding?.value));
  if (names.size <= 1) return first;
  const places = found.map(({ settings }) => {
    const { value, origin } = settings.sharding ?? {};
    return `${value} on line ${origin !== undefined && 'place' in origin ? origin.place?.line : '?'}`;
  });
  return { ...saysNothing, notes: [`which wrapper shards the model is not known: ${[...new Set(places)].join(', ')}`] };
}

function ofWrapper(source: Source, { call, qualified }: CallHere): SaidRun | undefined {
  if (qualified === undefined) return undefined;
  const own = qualified.slice(qualified.lastIndexOf('.') + 1);
  const at = (value: ShardingName): Fact<ShardingName> => ({
    value,
    origin: { kind: 'literal', place: source.placeOf(call.callee) },
  });
  if (own === 'DistributedDataParallel' && /^(torch|apex)\./.test(qualified))
    return { ...saysNothing, settings: { sharding: at('ddp') } };
  if (own === 'fully_shard' && qualified.startsWith('torch.')) {
    const reshard = fieldValue(source, source.givenTo(call).fields.get('reshard_after_forward'));
    const reshardAfterForward = reshard?.value === false ? factOf(source, reshard, false) : undefined;
    return { ...saysNothing, settings: present({ sharding: at('fsdp2'), reshardAfterForward }) };
  }
  if (own === 'FullyShardedDataParallelPlugin' && qualified.startsWith('accelerate.'))
    return readFsdp(givenInFields(source, source.givenTo(call), own), ['', 'fsdp_'], alsoSays(true, at('fsdp1')));
  if (own !== 'FullyShardedDataParallel' || !/^(torch|fairscale)\./.test(qualified)) return undefined;
  const { fields } = source.givenTo(call);
  const strategy = fields.get('sharding_strategy')?.value;
  const named = strategy && strategyNamed(source, strategy);
  const sharding = strategy === undefined ? at('fsdp1') : named && alsoSays(strategies[named.value] ?? 'fsdp1', named);
  const notes = sharding === undefined ? [`sharding_strategy on line ${source.lineOf(call)} could not be read`] : [];
  const offload = fields.get('cpu_offload')?.value;
  const asked = offload && source.fieldsOf(offload)?.fields.get('offload_params');
  const read = fieldValue(source, asked);
  return {
    ...saysNothing,
    settings: present({
      sharding,
      reshardAfterForward: named && keepsGathered.has(named.value) ? alsoSays(false, named) : undefined,
      offload: read?.value === true ? factOf<OffloadName>(source, read, 'parameters-and-optimizer') : undefined,
    }),
    notes,
  };
}

const strategies: Readonly<Record<string, ShardingName>> = {
  FULL_SHARD: 'fsdp1',
  HYBRID_SHARD: 'fsdp1',
  SHARD_GRAD_OP: 'fsdp1',
  _HYBRID_SHARD_ZERO2: 'fsdp1',
  NO_SHARD: 'ddp',
};

/** These gather a layer in forward and give it up in backward only. */
const keepsGathered = new Set(['SHARD_GRAD_OP', '_HYBRID_SHARD_ZERO2']);

/** `ShardingStrategy.FULL_SHARD`, written there or bound to a name or an object's field. */
function strategyNamed(source: Source, strategy: Expression): Fact<string> | undefined {
  for (let current: Expression | undefined = strategy, step = 0; current !== undefined && step < 8; step++) {
    const owner: Source = source.ownerOf(current);
    const roots: readonly Expression[] = owner.rootsOf(current);
    const [root] = roots;
    if (roots.length !== 1 || root?.kind !== 'attribute') return undefined;
    const { name } = root.attribute;
    if (Object.hasOwn(strategies, name) && /ShardingStrategy\.\w+$/.test(owner.names.qualifiedName(root) ?? ''))
      return { value: name, origin: { kind: 'literal', place: source.placeOf(root) } };
    current = owner.fieldsOf(root.object)?.fields.get(root.attribute.name)?.value;
  }
  return undefined;
}
