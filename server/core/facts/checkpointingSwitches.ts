import type { Expression } from '../python/ast.ts';
import { memberFlag, switchGiven } from './checkpointingFlags.ts';
import {
  type CheckpointingReading,
  checkpointed,
  none,
  reading,
  underGuard,
  writtenAt,
} from './checkpointingReading.ts';
import { extraGiven, moreGiven, notesOf } from './checkpointingTrainer.ts';
import { variantOfTransformers } from './libraryVariant.ts';
import { type CallHere, lastName, originOf, type Source, writtenAs } from './source.ts';
import { conditionsAround, type Guard, guard } from './trainingGuard.ts';

/**
 * Calls that switch a whole model's checkpointing on or off: transformers', diffusers', timm's, peft's, unsloth's. Of those on one
 * object the last one counts; where several objects are switched, one that is on.
 */
export function checkpointingBySwitches(source: Source): CheckpointingReading | undefined {
  const states = new Map<string, Switched>();
  for (const here of source.calls) {
    const switched = switchedBy(source, here);
    if (switched === undefined || (switched.guarded.kind === 'off' && switched.read.fact.value.mode === 'none'))
      continue;
    const before = states.get(switched.of);
    // What may or may not run does not take the place of what does.
    if (before !== undefined && switched.guarded.kind !== 'on' && before.guarded.kind === 'on') continue;
    states.set(switched.of, switched);
  }
  const all = [...states.values()];
  const isOn = ({ read, guarded }: Switched): boolean => read.fact.value.mode !== 'none' && guarded.kind !== 'off';
  const chosen =
    all.find((each) => isOn(each) && each.guarded.kind === 'on') ??
    all.find(isOn) ??
    all.find(({ guarded }) => guarded.kind === 'off') ??
    all[0];
  if (chosen === undefined) return undefined;
  return underGuard(source, chosen.read, chosen.guarded, { what: `${chosen.name}()`, at: chosen.here.call });
}

interface Switched {
  readonly here: CallHere;
  readonly name: string;
  /** What it is called on. */
  readonly of: string;
  readonly read: CheckpointingReading;
  readonly guarded: Guard;
}

const switchNames =
  /^(gradient_checkpointing_(enable|disable)|(enable|disable)_gradient_checkpointing|set_grad_checkpointing)$/;

function switchedBy(source: Source, here: CallHere): Switched | undefined {
  const { call, qualified } = here;
  const name = lastName(call.callee);
  // A method of this name hands the question on to a part of its model.
  if (switchNames.test(here.around.function?.name.name ?? '')) return undefined;
  const read = byMethod(source, here, name) ?? byPeft(source, here, qualified) ?? byUnsloth(source, here, qualified);
  if (read === undefined) return undefined;
  const of = call.callee.kind === 'attribute' && switchNames.test(name) ? writtenAs(source, call.callee.object) : '';
  return { here, name, of, read: read.read, guarded: guardOf(source, here, read.by) };
}

function guardOf(source: Source, { around }: CallHere, by: string | undefined): Guard {
  const guarded = guard(source, conditionsAround(source, around), memberFlag(source));
  if (by === undefined || guarded.kind === 'off') return guarded;
  return { kind: 'unknown', words: guarded.kind === 'unknown' ? `${guarded.words} and ${by}` : by };
}

interface Asked {
  readonly read: CheckpointingReading;
  /** The value that it is switched by, where that is not known. */
  readonly by?: string;
}

function byMethod(source: Source, { call }: CallHere, name: string): Asked | undefined {
  if (!switchNames.test(name) || call.callee.kind !== 'attribute') return undefined;
  if (/disable/.test(name)) return { read: writtenAt(source, call, none) };
  const given = source.givenTo(call);
  if (name === 'gradient_checkpointing_enable') {
    const positional = call.arguments.flatMap((each) => (each.kind === 'positional' ? [each.value] : []));
    const options = given.fields.get('gradient_checkpointing_kwargs')?.value ?? positional[0];
    const byVersion = given.open === undefined ? variantOfTransformers(source.versions) : undefined;
    const more = moreGiven(source, options, byVersion);
    const value = checkpointed(name, { ...more.said, ...extraGiven(source, given) });
    return { read: reading(value, { kind: 'literal', place: source.placeOf(call) }, notesOf(source, more)) };
  }
  const asked =
    name === 'set_grad_checkpointing'
      ? (given.fields.get('enable')?.value ?? call.arguments.find(isPositional)?.value)
      : undefined;
  // `set_grad_checkpointing(args.grad_checkpointing)`
  return asked === undefined
    ? { read: writtenAt(source, call, checkpointed(name)) }
    : switched(source, asked, () => checkpointed(name));
}

/**
 * Preparing a quantised model switches checkpointing on unless it is told not to. It hands an empty dictionary on where no
 * options are given, so torch's reentrant variant runs, with transformers 5 too (seen with peft 0.19 and transformers 5.18).
 */
function byPeft(source: Source, { call }: CallHere, qualified: string | undefined): Asked | undefined {
  if (!/^peft\.(\w+\.)*prepare_model_for_(kbit|int8)_training$/.test(qualified ?? '')) return undefined;
  const { fields } = source.givenTo(call);
  const asked = fields.get('use_gradient_checkpointing')?.value ?? call.arguments.filter(isPositional)[1]?.value;
  const options = fields.get('gradient_checkpointing_kwargs')?.value ?? call.arguments.filter(isPositional)[2]?.value;
  const more = moreGiven(source, options, 'reentrant');
  const value = checkpointed('prepare_model_for_kbit_training', more.said);
  if (asked === undefined) {
    const what = 'prepare_model_for_kbit_training(use_gradient_checkpointing)';
    return { read: reading(value, { kind: 'default', library: 'peft', what }, more.notes) };
  }
  return switched(source, asked, () => value);
}

const isPositional = ({ kind }: { readonly kind: string }): boolean => kind === 'positional';

/** unsloth's own kind, its default, moves the inputs of regions to the host; `True` is the plain one. */
function byUnsloth(source: Source, { call }: CallHere, qualified: string | undefined): Asked | undefined {
  if (!/^unsloth\.\w+\.get_peft_model$/.test(qualified ?? '')) return undefined;
  const asked = source.givenTo(call).fields.get('use_gradient_checkpointing');
  const by = (value: unknown) => checkpointed('unsloth', { variant: 'reentrant', offloaded: value === 'unsloth' });
  if (asked?.value === undefined) {
    const what = 'get_peft_model(use_gradient_checkpointing)';
    return { read: reading(by('unsloth'), { kind: 'default', library: 'unsloth', what }) };
  }
  return switched(source, asked.value, by);
}

function switched(source: Source, asked: Expression, by: (value: unknown) => ReturnType<typeof checkpointed>): Asked {
  const read = switchGiven(source, asked);
  if (read === undefined)
    return {
      read: writtenAt(source, asked, by(true)),
      by: writtenAs(source, asked),
    };
  const value = read.value ? by(read.value) : none;
  return { read: reading(value, originOf(source, read), [], read.options) };
}
