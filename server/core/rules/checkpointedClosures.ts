import type { LintContext } from '../lint/rule.ts';
import { keywordNamed } from '../python/arguments.ts';
import type { Call, Expression, FunctionDefinition, Lambda, Name } from '../python/ast.ts';
import { type CheckpointSite, isReentrant } from '../sites/checkpointSite.ts';
import { wrapperSites } from '../sites/wrapperSite.ts';
import { capturedNames, reboundBeforeBackward } from './capturedNames.ts';

/** A lambda or local function that backward runs again, and that reads something else then. */
export interface CheckpointedClosure {
  readonly call: Call;
  readonly closure: FunctionDefinition | Lambda;
  /** Reentrant for certain, by choice or by default. */
  readonly isReentrant: boolean;
  /** What it reads that certainly has another value by then. */
  readonly late: readonly Name[];
}

/**
 * Functions given to `checkpoint`, or to a function of the workspace that hands them on to it, where they are certain. What
 * `partial` or a factory binds is bound early.
 */
export function* checkpointedClosures(context: LintContext): Generator<CheckpointedClosure> {
  const { calls, file, workspace } = context;
  for (const site of context.sitesWhere(readsTooLate, (one) => closureAt(one, context) !== undefined)) {
    const found = closureAt(site, context);
    if (found !== undefined) yield { call: site.call, isReentrant: isReentrant(site), ...found };
  }
  // Looking a callee up may open another file; most calls are given no function.
  const given = calls.where(givenClosure, (call) => call.arguments.some(({ value }) => isClosure(value, context)));
  for (const { call, function: value, inner } of wrapperSites(file, calls, workspace, given)) {
    const closure = value === undefined || inner.function !== 'checkpoint' ? undefined : closureOf(value, context);
    const found = closure && readLate(closure, call, context);
    if (found !== undefined) yield { call, isReentrant: isReentrant(inner), ...found };
  }
}

type FoundClosure = Pick<CheckpointedClosure, 'closure' | 'late'>;

const readsTooLate = Symbol('region whose function reads names too late');

function closureAt(site: CheckpointSite, context: LintContext): FoundClosure | undefined {
  const given = keywordNamed(site.given, 'function') ?? site.given.positional[0];
  if (site.function !== 'checkpoint' || given === undefined || given.preset) return undefined;
  const closure = closureOf(given.value, context);
  return closure && readLate(closure, site.call, context);
}

function readLate(closure: FunctionDefinition | Lambda, call: Call, context: LintContext): FoundClosure | undefined {
  const late = reboundBeforeBackward(context, call, capturedNames(closure, context.names));
  return late.length === 0 ? undefined : { closure, late };
}

const givenClosure = Symbol('given a closure');

function closureOf(value: Expression, { names }: LintContext): FunctionDefinition | Lambda | undefined {
  const { targets, complete } = names.resolve(value);
  const definition = targets[0]?.definition;
  return complete && targets.length === 1 && definition?.kind !== 'class' ? definition : undefined;
}

/** Written here: what a name stands for in another file is no closure over this one's variables. */
const isClosure = (value: Expression, { names }: LintContext): boolean =>
  value.kind === 'lambda' ||
  (value.kind === 'name' &&
    names
      .bindingsOf(value)
      .some((one) => one.to === 'definition' || (one.to === 'value' && one.value.kind === 'lambda')));
