import { overlaps } from '../text/span.ts';
import { type GivenArguments, givenArguments } from './arguments.ts';
import type { Call, Module } from './ast.ts';
import type { Names, Target } from './names.ts';
import { expressionsOf } from './walk.ts';

/** All calls of a file, found once and asked for by name. Calls in code the parser could not make sense of are left out. */
export interface CallIndex {
  readonly all: readonly Call[];
  /** Calls that can only mean one of these qualified names, `functools.partial` included. */
  to(...qualified: readonly string[]): readonly ResolvedCall[];
  /** Calls by the last name written, whatever it belongs to: `model.enable()` and `enable()` for `enable`. */
  named(name: string): readonly Call[];
  /** What the callee stands for, where it has exactly one meaning. */
  target(call: Call): Target | undefined;
}

export interface ResolvedCall {
  readonly call: Call;
  readonly qualified: string;
  readonly given: GivenArguments;
}

export function callIndex(module: Module, names: Names): CallIndex {
  const all: Call[] = [];
  const byLastName = new Map<string, Call[]>();
  for (const expression of expressionsOf(module)) {
    if (expression.kind !== 'call' || module.unreliable.some((span) => overlaps(span, expression))) continue;
    all.push(expression);
    const { callee } = expression;
    const name = callee.kind === 'name' ? callee.name : callee.kind === 'attribute' ? callee.attribute.name : undefined;
    if (name === undefined) continue;
    const same = byLastName.get(name);
    if (same === undefined) byLastName.set(name, [expression]);
    else same.push(expression);
  }
  all.sort((a, b) => a.start - b.start);
  let byQualified: Map<string, ResolvedCall[]> | undefined;

  const target = (call: Call): Target | undefined => {
    const { targets, complete } = names.resolve(call.callee);
    return complete && targets.length === 1 ? targets[0] : undefined;
  };

  return {
    all,
    target,
    named: (name) => byLastName.get(name) ?? [],
    to(...qualified) {
      byQualified ??= index();
      return qualified.flatMap((name) => byQualified?.get(name) ?? []).sort((a, b) => a.call.start - b.call.start);
    },
  };

  function index(): Map<string, ResolvedCall[]> {
    const map = new Map<string, ResolvedCall[]>();
    for (const call of all) {
      const only = target(call);
      if (only?.qualified === undefined) continue;
      const resolved = { call, qualified: only.qualified, given: givenArguments(only.preset, call.arguments) };
      const same = map.get(only.qualified);
      if (same === undefined) map.set(only.qualified, [resolved]);
      else same.push(resolved);
    }
    return map;
  }
}
