import { type GivenArguments, givenArguments, keywordNamed } from '../python/arguments.ts';
import type { Expression } from '../python/ast.ts';
import { type CheckpointFunction, checkpointFunctions, noopContextFn } from '../torch/checkpointApi.ts';
import type { CheckpointingNow, Fact } from './facts.ts';
import { type CallHere, lastName, originOf, type Source, withLost } from './source.ts';
import { type TrainerArguments, trainerProblem, trainerValue } from './trainer.ts';
import { guard } from './trainingGuard.ts';

export interface CheckpointingReading {
  readonly fact: Fact<CheckpointingNow>;
  readonly options: readonly string[];
  readonly notes: readonly string[];
}

const full: CheckpointingNow = { mode: 'full', segment: 1 };
const none: CheckpointingNow = { mode: 'none', segment: 1 };

/**
 * What the file does about checkpointing: calls that switch it on outright, then torch's own functions, then the trainer's
 * setting. `layers` turns a number of segments into a length.
 */
export function readCheckpointing(
  source: Source,
  trainer: TrainerArguments | undefined,
  layers: number | undefined,
): CheckpointingReading {
  const direct = switchedOn(source) ?? bySites(source, layers);
  const asked = trainer && ofTrainer(source, trainer);
  if (direct !== undefined) {
    const denied = asked?.fact.value.mode === 'none' && asked.fact.origin.kind === 'literal';
    const notes = denied
      ? ['the trainer says gradient_checkpointing=False, and the file switches it on elsewhere']
      : [];
    return { ...direct, notes: [...direct.notes, ...notes] };
  }
  const wrapped = peftDefault(source);
  // A trainer that is told not to checkpoint switches nothing off that was switched on before.
  if (asked !== undefined && (wrapped === undefined || asked.fact.value.mode !== 'none')) return asked;
  if (wrapped !== undefined && asked !== undefined && wrapped.fact.value.mode !== 'none')
    return { ...wrapped, fact: withLost(wrapped.fact, [asked.fact]) };
  if (wrapped !== undefined) return asked ?? wrapped;
  if (trainer === undefined)
    return certain({ value: none, origin: { kind: 'derived', from: 'no checkpoint call in this file' } });
  const problem = trainerProblem(source, trainer, 'gradient_checkpointing');
  if (problem !== undefined)
    return { fact: { value: none, origin: { kind: 'assumed', why: problem } }, options: [], notes: [problem] };
  const what = `${trainer.className}.gradient_checkpointing`;
  if (trainer.library === 'trl')
    return certain({ value: full, origin: { kind: 'default', library: 'trl', what: `${what} (since 0.20)` } });
  return certain({ value: none, origin: { kind: 'default', library: 'transformers', what } });
}

const certain = (fact: Fact<CheckpointingNow>, notes: readonly string[] = []): CheckpointingReading => ({
  fact,
  options: [],
  notes,
});

function ofTrainer(source: Source, trainer: TrainerArguments): CheckpointingReading | undefined {
  const read = trainerValue(source, trainer, 'gradient_checkpointing');
  if (typeof read?.value !== 'boolean') return undefined;
  return {
    fact: { value: read.value ? full : none, origin: originOf(source, read) },
    options: read.options,
    notes: [],
  };
}

/** Calls that checkpoint every layer of a model: transformers', timm's, diffusers', FSDP's, unsloth's. */
const switches =
  /^(gradient_checkpointing_enable|set_grad_checkpointing|enable_gradient_checkpointing|apply_activation_checkpointing)$/;

function switchedOn(source: Source): CheckpointingReading | undefined {
  for (const here of source.calls) {
    const name = lastName(here.call.callee);
    const given = here.call.arguments;
    const on =
      (switches.test(name) &&
        !(
          name === 'set_grad_checkpointing' &&
          given[0] !== undefined &&
          source.read(given[0].value)?.value === false
        )) ||
      asksUnsloth(source, here);
    if (!on) continue;
    const guarded = guard(source, here.around.conditions);
    if (guarded === 'off') continue;
    const place = source.placeOf(here.call);
    const written = `${name}() on line ${place.line}`;
    if (guarded === 'on') return certain({ value: full, origin: { kind: 'literal', place } });
    return certain({ value: full, origin: { kind: 'derived', from: `${written}, if ${guarded.words}`, place } }, [
      `checkpointing on line ${place.line} depends on ${guarded.words}; it is counted as on`,
    ]);
  }
  return undefined;
}

/** `use_gradient_checkpointing="unsloth"` or `True` when adapters are added. */
function asksUnsloth(source: Source, { call, qualified }: CallHere): boolean {
  if (!/^unsloth\.\w+\.get_peft_model$/.test(qualified ?? '')) return false;
  const asked = source.givenTo(call).fields.get('use_gradient_checkpointing');
  return asked === undefined || (asked.value !== undefined && Boolean(source.read(asked.value)?.value));
}

/** peft switches checkpointing on when it prepares a quantised model, unless it is told not to. */
function peftDefault(source: Source): CheckpointingReading | undefined {
  const here = source.calls.find(({ qualified }) =>
    /^peft\.(\w+\.)*prepare_model_for_(kbit|int8)_training$/.test(qualified ?? ''),
  );
  if (here === undefined) return undefined;
  if (guard(source, here.around.conditions) === 'off') return undefined;
  const asked = source.givenTo(here.call).fields.get('use_gradient_checkpointing');
  const read = asked?.value && source.read(asked.value);
  if (read !== undefined) {
    const value = read.value ? full : none;
    return { fact: { value, origin: originOf(source, read) }, options: read.options, notes: [] };
  }
  const what = 'prepare_model_for_kbit_training(use_gradient_checkpointing)';
  return certain({ value: full, origin: { kind: 'default', library: 'peft', what } });
}

function bySites(source: Source, layers: number | undefined): CheckpointingReading | undefined {
  const sites = source.calls.flatMap((here) => siteAt(here) ?? []);
  const inLoops = (site: Site): number => (site.here.around.loops.length === 0 ? 0 : 1);
  // A call in a loop over layers says more than one in a wrapper.
  const sorted = [...sites].sort((a, b) => inLoops(b) - inLoops(a));
  for (const site of sorted) {
    const guarded = guard(source, site.here.around.conditions);
    if (guarded === 'off') continue;
    const reading = ofSite(source, site, layers);
    if (guarded === 'on') return reading;
    const place = source.placeOf(site.here.call);
    const { line } = place;
    const from = `${site.function} on line ${line}, if ${guarded.words}`;
    const isLiteral = reading.fact.origin.kind === 'literal';
    return {
      ...reading,
      fact: isLiteral ? { ...reading.fact, origin: { kind: 'derived', from, place } } : reading.fact,
      notes: [...reading.notes, `checkpointing on line ${line} depends on ${guarded.words}; it is counted as on`],
    };
  }
  return undefined;
}

/** A call of one of torch's two functions. */
interface Site {
  readonly here: CallHere;
  readonly function: CheckpointFunction;
  readonly given: GivenArguments;
}

/** Without a positional argument the call only configures a later one. */
function siteAt(here: CallHere): Site | undefined {
  const { target, call } = here;
  const name = target?.qualified === undefined ? undefined : checkpointFunctions.get(target.qualified);
  if (target === undefined || name === undefined) return undefined;
  const given = givenArguments(target.preset, call.arguments);
  const runs = given.positional.length > 0 || given.openPositional || keywordNamed(given, 'function') !== undefined;
  return runs ? { here, function: name, given } : undefined;
}

function ofSite(source: Source, site: Site, layers: number | undefined): CheckpointingReading {
  const place = source.placeOf(site.here.call);
  if (site.function === 'checkpoint_sequential') return sequential(source, site, layers);
  const context = keywordNamed(site.given, 'context_fn');
  const isSelective =
    context !== undefined &&
    source.names.qualifiedName(context.value) !== noopContextFn &&
    !(context.value.kind === 'constant' && context.value.value === null);
  if (isSelective)
    return certain({
      value: { mode: 'selective', segment: 1 },
      origin: { kind: 'literal', place: source.placeOf(context.value) },
    });
  const loop = site.here.around.loops.at(-1);
  const step = loop === undefined ? undefined : loopStep(source, loop.iterable);
  if (step === undefined) return certain({ value: full, origin: { kind: 'literal', place } });
  const read = source.read(step);
  if (read !== undefined && typeof read.value === 'number' && Number.isInteger(read.value) && read.value >= 1)
    return {
      fact: { value: { mode: 'full', segment: read.value }, origin: originOf(source, read) },
      options: read.options,
      notes: [],
    };
  return certain({
    value: full,
    origin: { kind: 'assumed', why: `the segment length on line ${source.lineOf(step)} could not be read` },
  });
}

/** `range(0, layers, k)` walks over segments of `k` layers. */
function loopStep(source: Source, iterable: Expression): Expression | undefined {
  if (iterable.kind !== 'call' || iterable.callee.kind !== 'name' || iterable.callee.name !== 'range') return undefined;
  if (source.names.bindingsOf(iterable.callee).length > 0 || iterable.arguments.length !== 3) return undefined;
  return iterable.arguments[2]?.value;
}

/** `segments` pieces of equal length: `ceil(L / segments)` layers each. */
function sequential(source: Source, site: Site, layers: number | undefined): CheckpointingReading {
  const place = source.placeOf(site.here.call);
  const segments = keywordNamed(site.given, 'segments')?.value ?? site.given.positional[1]?.value;
  const read = segments && source.read(segments);
  if (read !== undefined && typeof read.value === 'number' && read.value >= 1 && layers !== undefined) {
    const segment = Math.ceil(layers / read.value);
    const from = `${layers} layers in ${read.value} segments`;
    return {
      fact: { value: { mode: 'full', segment }, origin: { kind: 'derived', from, place: source.placeOf(read.at) } },
      options: read.options,
      notes: [],
    };
  }
  const why = read === undefined ? 'the number of segments could not be read' : 'the number of layers is not known';
  const said = `checkpoint_sequential on line ${place.line}: ${why}`;
  return certain({ value: full, origin: { kind: 'assumed', why: said } }, [said]);
}
