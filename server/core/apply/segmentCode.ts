import type { Argument, Expression, Name, Statement } from '../python/ast.ts';
import { expressionsUnder, ownStatements, statementsOf } from '../python/walk.ts';
import type { TextEdit } from '../text/edit.ts';
import type { Span } from '../text/span.ts';
import { checkpointKeywords } from '../torch/checkpointApi.ts';
import { importsAt } from './imports.ts';
import type { LayerLoop } from './layerLoop.ts';
import { type ApplyContext, type Change, cannot, change } from './place.ts';
import { checkpointFunction, handOverCall } from './regionEdits.ts';
import {
  endOfLine,
  indentationOf,
  indentUnitOf,
  insertion,
  lineBreakOf,
  standsAlone,
  writtenIn,
} from './sourceLayout.ts';

/**
 * A loop over layers becomes a function that runs `k` of them, and a loop that checkpoints it for one segment after the
 * other. The layers' own loop stays as it was written, one level deeper; what checkpoints each of them goes.
 */
export function inSegments(context: ApplyContext, found: LayerLoop, length: number): Change {
  const { module, lineOf } = context;
  const { loop, layers, site } = found;
  const state = stateOf(found);
  if (state === undefined)
    return cannot(`segments need a loop of the form \`x = layer(x)\`, and the one on line ${lineOf(loop)} does more`);
  if (layers.kind === 'subscript' || loop.target.kind !== 'name' || loop.orElse.length > 0)
    return cannot(`segments need a loop over all layers, without numbers or an else, on line ${lineOf(loop)}`);
  const changed = changedLater(context, found, state);
  if (changed !== undefined)
    return cannot(
      `${changed} changes after it was read in the loop, and a segment would read it again in the backward pass`,
    );
  const { text } = module;
  const indentation = indentationOf(text, loop);
  if (indentation === undefined || !standsAlone(module, loop) || /["']/.test(writtenIn(module, loop)))
    return cannot(`the loop on line ${lineOf(loop)} shares its lines with other code`);
  const imports = importsAt(context, loop);
  const name = imports.nameOf(checkpointFunction);
  const free = freeNames(context, loop);
  if (name === undefined || free === undefined) return cannot('the names that segments need are taken in this file');
  const unit = indentUnitOf(text, loop, indentation);
  const lineBreak = lineBreakOf(text);
  const line = (level: number, code: string): string => `${indentation}${unit.repeat(level)}${code}${lineBreak}`;
  const all = writtenIn(module, layers);
  const { run, start } = free;
  // A layer that is checkpointed by itself would be run a third time.
  const plain = site === undefined ? change() : handOverCall(context, site);
  if ('why' in plain) return plain;
  const lineStart = loop.start - indentation.length;
  const end = endOfLine(text, loop.end);
  const after = [
    `${lineBreak}${line(1, `return ${state}`)}`,
    lineBreak,
    line(0, `for ${start} in range(0, len(${all}), ${length}):`),
    `${indentation}${unit}${state} = ${name}(${run}, ${start}, ${state}, use_reentrant=False)`,
  ].join('');
  return change(
    insertion(lineStart, line(0, `def ${run}(${start}, ${state}):`) + unit),
    ...deeper(text, { start: lineStart, end }, unit),
    ...plain.edits,
    insertion(layers.end, `[${start} : ${start} + ${length}]`),
    insertion(end, after),
    ...imports.edits(),
  );
}

/** What the layer itself is called with: of `checkpoint(layer, x, …)` what follows the layer, and none of its options. */
export const ofLayer = ({ call, site }: LayerLoop): readonly Argument[] =>
  site === undefined
    ? call.arguments
    : call.arguments.filter((one, at) => at > 0 && !(one.kind === 'keyword' && checkpointKeywords.has(one.name.name)));

/** `x` of a loop whose body is `x = layer(x, …)`, or that checkpointed, and nothing else. */
function stateOf(found: LayerLoop): string | undefined {
  const { loop, call, statement } = found;
  const [first] = ofLayer(found);
  if (loop.body.length !== 1 || loop.body[0] !== statement || statement.kind !== 'assign') return undefined;
  const [target, ...others] = statement.targets;
  if (target?.kind !== 'name' || others.length > 0 || statement.value !== call) return undefined;
  return first?.kind === 'positional' && first.value.kind === 'name' && first.value.name === target.name
    ? target.name
    : undefined;
}

/** A name the layers are called with that is bound again once the loop has begun. */
export function changedLater({ around }: ApplyContext, found: LayerLoop, state: string): string | undefined {
  const { loop, block } = found;
  const read = new Set<string>();
  const [, ...rest] = ofLayer(found);
  const parts: Statement[] = rest.map(({ value }) => ({
    kind: 'expression',
    value,
    start: value.start,
    end: value.end,
  }));
  for (const one of expressionsUnder(parts)) if (one.kind === 'name') read.add(one.name);
  read.delete(block.name);
  if (read.has(state)) return state;
  const inside = around(loop).function;
  const later = [...ownStatements(inside?.body ?? [])].filter(({ end }) => end > loop.start);
  return [...read].find((name) => later.some((statement) => binds(statement, name)));
}

function binds(statement: Statement, name: string): boolean {
  const isName = (target: Expression): boolean =>
    target.kind === 'name' ? target.name === name : 'elements' in target && target.elements.some(isName);
  switch (statement.kind) {
    case 'assign':
      return statement.targets.some(isName);
    case 'augmentedAssign':
    case 'for':
      return isName(statement.target);
    case 'with':
      return statement.items.some(({ target }) => target !== undefined && isName(target));
    case 'function':
    case 'class':
      return statement.name.name === name;
    default:
      return [...expressionsUnder([statement])].some((one) => one.kind === 'named' && one.name.name === name);
  }
}

/** Names for the function and its parameter that mean nothing else in the function around the loop. */
export function freeNames(
  { names, module }: ApplyContext,
  loop: Span,
): { readonly run: string; readonly start: string } | undefined {
  const isFree = (name: string): boolean => {
    const here: Name = { kind: 'name', name, start: loop.start, end: loop.start };
    return names.bindingsOf(here).length === 0 && ![...statementsOf(module.body)].some((one) => binds(one, name));
  };
  const run = ['run_segment', 'run_layers'].find(isFree);
  const start = ['start', 'first', 'first_layer'].find(isFree);
  return run === undefined || start === undefined ? undefined : { run, start };
}

/** One more level of indentation for every line of a stretch but the first, which gets it with what is put before it. */
function deeper(text: string, { start, end }: Span, unit: string): TextEdit[] {
  const edits: TextEdit[] = [];
  for (let at = endOfLine(text, start); at < end; at = endOfLine(text, at)) {
    at += text.startsWith('\r\n', at) ? 2 : 1;
    if (at < end && endOfLine(text, at) > at) edits.push(insertion(at, unit));
  }
  return edits;
}
