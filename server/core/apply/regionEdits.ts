import { removeArguments } from '../lint/removeArguments.ts';
import { keywordNamed } from '../python/arguments.ts';
import type { Argument, Call, Expression } from '../python/ast.ts';
import type { CheckpointSite } from '../sites/checkpointSite.ts';
import type { TextEdit } from '../text/edit.ts';
import { checkpointKeywords } from '../torch/checkpointApi.ts';
import { addKeywords } from './addKeywords.ts';
import { dropUnused } from './dropUnused.ts';
import { importsAt } from './imports.ts';
import { type ApplyContext, type Change, cannot, change } from './place.ts';
import { policyKeyword, policyNeeds } from './policyCode.ts';
import { indentationOf, insertion, lineBreakOf, replacement, writtenIn } from './sourceLayout.ts';

export const checkpointFunction = 'torch.utils.checkpoint.checkpoint';
const noImport = 'there is no import in this file that torch’s functions could go beside, or their names are taken';

/** `block(x, mask)` becomes `checkpoint(block, x, mask, use_reentrant=False)`, with a `context_fn` where it is selective. */
export function wrapCall(context: ApplyContext, call: Call, isSelective: boolean): Change {
  const { module, versions } = context;
  const [first] = call.arguments;
  const callee = writtenIn(module, call.callee);
  if (first === undefined)
    return cannot(`${callee}() on line ${context.lineOf(call)} takes nothing that a checkpoint could keep`);
  const clash = call.arguments.find((one) => one.kind === 'keyword' && checkpointKeywords.has(one.name.name));
  if (clash?.kind === 'keyword')
    return cannot(`${callee} takes ${clash.name.name}, which checkpoint would take for itself`);
  const needs = isSelective ? policyNeeds(versions) : undefined;
  if (needs !== undefined) return cannot(needs);
  const imports = importsAt(context, call);
  const name = imports.nameOf(checkpointFunction);
  const policy = isSelective ? policyKeyword(context, imports) : undefined;
  if (name === undefined || (isSelective && policy === undefined)) return cannot(noImport);
  const keywords = addKeywords(module, call, ['use_reentrant=False', ...(policy === undefined ? [] : [policy])]);
  if (keywords === undefined) return cannot('no keyword can follow the arguments of this call');
  // An argument on a line of its own is followed by one of its kind.
  const indentation = indentationOf(module.text, first);
  const separator = indentation === undefined ? ' ' : `${lineBreakOf(module.text)}${indentation}`;
  return change(
    replacement(call.callee, name),
    insertion(first.start, `${callee},${separator}`),
    ...keywords,
    ...imports.edits(),
  );
}

/** `checkpoint(block, x, use_reentrant=False)` becomes `block(x)`, and an import that nobody uses any more goes too. */
export function unwrapCall(context: ApplyContext, site: CheckpointSite): Change {
  const { module } = context;
  const unwrapped = unwrap(context, site);
  if ('why' in unwrapped) return unwrapped;
  return change(...unwrapped.edits, ...dropUnused(module, [site.call.callee, ...unwrapped.options]));
}

/** The same where something else of the new code takes the checkpoint over: its import stays. */
export function handOverCall(context: ApplyContext, site: CheckpointSite): Change {
  const { module, lineOf } = context;
  const unwrapped = unwrap(context, site);
  if ('why' in unwrapped) return unwrapped;
  const lost = unwrapped.options.find((one) => one.kind === 'keyword' && !ofStrategy.has(one.name.name));
  if (lost?.kind === 'keyword')
    return cannot(`the checkpoint on line ${lineOf(site.call)} has ${lost.name.name}, which would be lost`);
  return change(...unwrapped.edits, ...dropUnused(module, unwrapped.options));
}

/** Options of a checkpoint that say which strategy it is of. */
const ofStrategy: ReadonlySet<string> = new Set(['use_reentrant', 'context_fn']);

interface Unwrapped {
  readonly edits: readonly TextEdit[];
  readonly options: readonly Argument[];
}

function unwrap(context: ApplyContext, site: CheckpointSite): Unwrapped | { readonly why: string } {
  const { module } = context;
  const { call } = site;
  const [first] = call.arguments;
  const where = `the checkpoint on line ${context.lineOf(call)}`;
  if (site.given.positional[0]?.preset !== false || first?.kind !== 'positional')
    return { why: `${where} gets its function elsewhere than first in the call` };
  if (site.given.openKeywords) return { why: `${where} takes options from a ** argument` };
  const options = call.arguments.filter(
    (argument) => argument.kind === 'keyword' && checkpointKeywords.has(argument.name.name),
  );
  return {
    edits: [
      replacement(call.callee, asCallee(module.text, first.value)),
      ...removeArguments(module, call, [first, ...options]),
    ],
    options,
  };
}

/** What is called has to bind tighter than a call: `lambda x: x` gets parentheses. */
function asCallee(text: string, expression: Expression): string {
  const written = text.slice(expression.start, expression.end);
  return /^(name|attribute|subscript|call)$/.test(expression.kind) ? written : `(${written})`;
}

/** Gives an unconditional checkpoint the policy, or takes its `context_fn` away; its variant becomes the non-reentrant one. */
export function setPolicy(context: ApplyContext, site: CheckpointSite, isSelective: boolean): Change {
  const { module, versions } = context;
  const { call, useReentrant } = site;
  const given = keywordNamed(site.given, 'context_fn');
  if (site.given.openKeywords)
    return cannot(`the checkpoint on line ${context.lineOf(call)} takes options from a ** argument`);
  if (given?.preset === true) return cannot('its context_fn is given ahead of this call by functools.partial');
  if (!isSelective) {
    if (given === undefined) return useReentrant.kind === 'absent' ? withKeywords(context, site, []) : change();
    return change(...removeArguments(module, call, [given.argument]), ...dropUnused(module, [given.argument]));
  }
  if (given !== undefined) return change();
  const needs = policyNeeds(versions);
  if (needs !== undefined) return cannot(needs);
  const imports = importsAt(context, call);
  const policy = policyKeyword(context, imports);
  return policy === undefined ? cannot(noImport) : withKeywords(context, site, [policy], imports.edits());
}

function withKeywords(
  { module }: ApplyContext,
  { call, useReentrant }: CheckpointSite,
  keywords: readonly string[],
  imports: readonly TextEdit[] = [],
): Change {
  if (useReentrant.kind === 'unknown') return cannot('its use_reentrant is not known here');
  const chosen = useReentrant.kind === 'absent' ? undefined : useReentrant;
  if (chosen?.preset === true) return cannot('its use_reentrant is given ahead of this call by functools.partial');
  const added = addKeywords(module, call, [...(chosen === undefined ? ['use_reentrant=False'] : []), ...keywords]);
  if (added === undefined) return cannot('no keyword can follow the arguments of this call');
  const isRight = chosen === undefined || (chosen.kind === 'known' && !chosen.reentrant);
  return change(...(isRight ? [] : [replacement(chosen.value, 'False')]), ...added, ...imports);
}
