import { overlaps } from '../text/span.ts';
import { type GivenArguments, givenArguments } from './arguments.ts';
import type { Call, Module, Statement } from './ast.ts';
import type { Names, Target } from './names.ts';
import { oncePer } from './oncePer.ts';
import { expressionsUnder } from './walk.ts';

/** All calls of a file, found once and asked for by name. Calls in code the parser could not make sense of are left out. */
export interface CallIndex {
  readonly all: readonly Call[];
  /** Calls that can only mean one of these qualified names, `functools.partial` included. */
  to(...qualified: readonly string[]): readonly ResolvedCall[];
  /** Calls by the last name written, whatever it belongs to: `model.enable()` and `enable()` for `enable`. */
  named(name: string): readonly Call[];
  /** Calls of which `isMeant` says so by what names stand for alone; `kind` tells one such question from another. */
  where(kind: symbol, isMeant: (call: Call) => boolean): readonly Call[];
  /** What the callee stands for, where it has exactly one meaning. */
  target(call: Call): Target | undefined;
}

export interface ResolvedCall {
  readonly call: Call;
  readonly qualified: string;
  readonly given: GivenArguments;
}

export function callIndex(module: Module, names: Names): CallIndex {
  const before = indexes.get(names);
  if (before !== undefined) return before;
  const { body } = module;
  const isReliable = (call: Call): boolean => !module.unreliable.some((span) => overlaps(span, call));
  const reliable = (calls: readonly Call[]): readonly Call[] =>
    module.unreliable.length === 0 ? calls : calls.filter(isReliable);
  const all = reliable(body.flatMap(callsWithin));
  let byName: ReadonlyMap<string, readonly Call[]> | undefined;
  let byTarget: ReadonlyMap<string, readonly ResolvedCall[]> | undefined;

  const target = (call: Call): Target | undefined => {
    const { targets, complete } = names.resolve(call.callee);
    return complete && targets.length === 1 ? targets[0] : undefined;
  };

  const index: CallIndex = {
    all,
    target,
    named(name) {
      byName ??= merged(body.map(namedWithin));
      return reliable(byName.get(name) ?? []);
    },
    where: (kind, isMeant) =>
      reliable(body.flatMap((one) => names.lasting(one, kind, () => callsWithin(one).filter(isMeant)))),
    to(...qualified) {
      byTarget ??= merged(body.map(targetsWithin));
      const found = qualified.flatMap((name) => byTarget?.get(name) ?? []).filter(({ call }) => isReliable(call));
      return found.sort((a, b) => a.call.start - b.call.start);
    },
  };
  indexes.set(names, index);
  return index;

  function targetsWithin(statement: Statement): ReadonlyMap<string, readonly ResolvedCall[]> {
    return names.lasting(statement, targetsKind, () => {
      const map = new Map<string, ResolvedCall[]>();
      for (const call of callsWithin(statement)) {
        const only = target(call);
        if (only?.qualified === undefined) continue;
        const given = givenArguments(only.preset, call.arguments);
        addTo(map, only.qualified, { call, qualified: only.qualified, given });
      }
      return map;
    });
  }
}

/** Several askers look at one version of a file. */
const indexes = new WeakMap<Names, CallIndex>();
const targetsKind = Symbol('calls by what they call');

const callsWithin = oncePer((statement: Statement): readonly Call[] =>
  [...expressionsUnder([statement])]
    .filter((one): one is Call => one.kind === 'call')
    .sort((a, b) => a.start - b.start),
);

const namedWithin = oncePer((statement: Statement): ReadonlyMap<string, readonly Call[]> => {
  const map = new Map<string, Call[]>();
  for (const call of callsWithin(statement)) {
    const { callee } = call;
    const name = callee.kind === 'name' ? callee.name : callee.kind === 'attribute' ? callee.attribute.name : undefined;
    if (name !== undefined) addTo(map, name, call);
  }
  return map;
});

function merged<T>(maps: readonly ReadonlyMap<string, readonly T[]>[]): ReadonlyMap<string, readonly T[]> {
  const all = new Map<string, T[]>();
  for (const map of maps) for (const [key, values] of map) for (const value of values) addTo(all, key, value);
  return all;
}

function addTo<T>(map: Map<string, T[]>, key: string, value: T): void {
  const same = map.get(key);
  if (same === undefined) map.set(key, [value]);
  else same.push(value);
}
