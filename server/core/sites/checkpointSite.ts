import { type GivenArguments, givenArguments, keywordNamed } from '../python/arguments.ts';
import type { Call, Expression, Module } from '../python/ast.ts';
import { constantOf } from '../python/constants.ts';
import type { Names, Target } from '../python/names.ts';
import { expressionsOf } from '../python/walk.ts';
import { overlaps } from '../text/span.ts';
import {
  type CheckpointFunction,
  checkpointFunctions,
  sequentialUseReentrantPosition,
} from '../torch/checkpointApi.ts';

/** One call that makes a checkpointed region, with everything rules ask about it. */
export interface CheckpointSite {
  readonly function: CheckpointFunction;
  readonly call: Call;
  readonly given: GivenArguments;
  readonly useReentrant: UseReentrant;
  /**
   * `checkpoint(use_reentrant=False)(function)` or `@checkpoint(…)`: no region yet, the call only configures one (torch ≥
   * 2.14).
   */
  readonly configuresOnly: boolean;
}

export type UseReentrant =
  /** Not given: torch warns and takes the reentrant variant. */
  | { readonly kind: 'absent' }
  /** `use_reentrant=None`: the same as not giving it. */
  | { readonly kind: 'none'; readonly value: Expression; readonly preset: boolean }
  | { readonly kind: 'known'; readonly reentrant: boolean; readonly value: Expression; readonly preset: boolean }
  /** Given, or possibly given through `**values`, but not known here. */
  | { readonly kind: 'unknown' };

/** Reentrant for certain: chosen, or by torch's default. */
export const isReentrant = (site: CheckpointSite): boolean =>
  isImplicit(site) || (site.useReentrant.kind === 'known' && site.useReentrant.reentrant);

export const isImplicit = (site: CheckpointSite): boolean =>
  site.useReentrant.kind === 'absent' || site.useReentrant.kind === 'none';

/** All sites of a module in source order. Calls in code the parser could not make sense of are left out. */
export function checkpointSites(module: Module, names: Names): CheckpointSite[] {
  const sites: CheckpointSite[] = [];
  if (!module.text.includes('checkpoint')) return sites;
  for (const expression of expressionsOf(module)) {
    if (expression.kind !== 'call' || module.unreliable.some((span) => overlaps(span, expression))) continue;
    const target = soleTarget(expression.callee, names);
    const name = target?.qualified === undefined ? undefined : checkpointFunctions.get(target.qualified);
    if (target !== undefined && name !== undefined) sites.push(siteOf(expression, name, target, names));
  }
  return sites.sort((a, b) => a.call.start - b.call.start);
}

/** The one thing a callee stands for. Where it may be torch's function or another library's, it is nobody's. */
function soleTarget(callee: Expression, names: Names): Target | undefined {
  const { targets, complete } = names.resolve(callee);
  return complete && targets.length === 1 ? targets[0] : undefined;
}

function siteOf(call: Call, name: CheckpointFunction, target: Target, names: Names): CheckpointSite {
  const given = givenArguments(target.preset, call.arguments);
  return {
    function: name,
    call,
    given,
    useReentrant: useReentrantOf(name, given, names),
    configuresOnly:
      given.positional.length === 0 && !given.openPositional && keywordNamed(given, 'function') === undefined,
  };
}

function useReentrantOf(name: CheckpointFunction, given: GivenArguments, names: Names): UseReentrant {
  const byPosition = name === 'checkpoint_sequential' ? given.positional[sequentialUseReentrantPosition] : undefined;
  const argument = keywordNamed(given, 'use_reentrant') ?? byPosition;
  if (argument === undefined) {
    const maybeGiven = given.openKeywords || (name === 'checkpoint_sequential' && given.openPositional);
    return { kind: maybeGiven ? 'unknown' : 'absent' };
  }
  const { value, preset } = argument;
  const constant = constantOf(value, names);
  if (constant === null) return { kind: 'none', value, preset };
  if (typeof constant === 'boolean') return { kind: 'known', reentrant: constant, value, preset };
  return { kind: 'unknown' };
}
