import { type GivenArguments, keywordNamed } from '../python/arguments.ts';
import type { Attribute, Call, Expression, Statement } from '../python/ast.ts';
import type { CallIndex } from '../python/calls.ts';
import { constantOf } from '../python/constants.ts';
import type { Names } from '../python/names.ts';
import { oncePer } from '../python/oncePer.ts';
import { statementsOf } from '../python/walk.ts';
import {
  type CheckpointFunction,
  checkpointFunctions,
  sequentialUseReentrantPosition,
} from '../torch/checkpointApi.ts';
import { misspeltOption } from '../torch/misspeltOption.ts';
import type { SourceFile } from '../workspace/workspace.ts';

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
  /** Given, or possibly given through `**values`, but not known here; or meant by a misspelt keyword. */
  | { readonly kind: 'unknown' };

/** Reentrant for certain: chosen, or by torch's default. */
export const isReentrant = (site: CheckpointSite): boolean =>
  isImplicit(site) || (site.useReentrant.kind === 'known' && site.useReentrant.reentrant);

export const isImplicit = (site: CheckpointSite): boolean =>
  site.useReentrant.kind === 'absent' || site.useReentrant.kind === 'none';

/** All sites of a file in source order. */
export function checkpointSites(file: SourceFile, calls: CallIndex): CheckpointSite[] {
  if (!file.text.includes('checkpoint')) return [];
  // Where the callee may be torch's function or another library's, it is nobody's.
  const sites = calls.to(...checkpointFunctions.keys()).flatMap(({ call, qualified, given }) => {
    const name = checkpointFunctions.get(qualified);
    if (name === undefined) return [];
    const site = file.names.lasting(call, siteKind, () => {
      // What is given ahead comes with the name it is called by.
      file.names.resolve(call.callee);
      return siteOf(call, name, given, file.names);
    });
    return [site];
  });
  if (sites.length === 0) return sites;
  const replaced = replacedFunctions(file);
  return sites.filter((site) => !replaced.has(site.function));
}

const siteKind = Symbol('checkpoint site');

/** `torch.utils.checkpoint.checkpoint = …`: from then on the name is whatever the file put there. */
function replacedFunctions({ module, names }: SourceFile): ReadonlySet<CheckpointFunction> {
  const replaced = new Set<CheckpointFunction>();
  for (const { object, attribute } of module.body.flatMap(functionsSetIn)) {
    for (const { qualified } of names.resolve(object).targets) {
      const name = checkpointFunctions.get(`${qualified}.${attribute.name}`);
      if (name !== undefined) replaced.add(name);
    }
  }
  return replaced;
}

const functionNames: ReadonlySet<string> = new Set(checkpointFunctions.values());

/** Attributes named like torch's functions that a statement at the top, or one inside it, sets. */
const functionsSetIn = oncePer((statement: Statement): readonly Attribute[] =>
  [...statementsOf([statement])]
    .flatMap((one) => (one.kind === 'assign' && one.value !== undefined ? one.targets : []))
    .filter((target) => target.kind === 'attribute')
    .filter(({ attribute }) => functionNames.has(attribute.name)),
);

function siteOf(call: Call, name: CheckpointFunction, given: GivenArguments, names: Names): CheckpointSite {
  return {
    function: name,
    call,
    given,
    useReentrant: useReentrantOf(name, given, names),
    configuresOnly:
      name === 'checkpoint' &&
      given.positional.length === 0 &&
      !given.openPositional &&
      keywordNamed(given, 'function') === undefined,
  };
}

function useReentrantOf(name: CheckpointFunction, given: GivenArguments, names: Names): UseReentrant {
  const byPosition = name === 'checkpoint_sequential' ? given.positional[sequentialUseReentrantPosition] : undefined;
  const argument = keywordNamed(given, 'use_reentrant') ?? byPosition;
  if (argument === undefined) {
    const maybeGiven =
      given.openKeywords ||
      (name === 'checkpoint_sequential' && given.openPositional) ||
      given.keywords.some((keyword) => misspeltOption(keyword.name) === 'use_reentrant');
    return { kind: maybeGiven ? 'unknown' : 'absent' };
  }
  const { value, preset } = argument;
  const constant = constantOf(value, names);
  if (constant === null) return { kind: 'none', value, preset };
  if (typeof constant === 'boolean') return { kind: 'known', reentrant: constant, value, preset };
  return { kind: 'unknown' };
}
