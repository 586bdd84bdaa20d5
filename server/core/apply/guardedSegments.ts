import type { Call, Expression, For, If, Statement } from '../python/ast.ts';
import { expressionsUnder } from '../python/walk.ts';
import { contains } from '../text/span.ts';
import { importsAt } from './imports.ts';
import type { LayerLoop } from './layerLoop.ts';
import { type ApplyContext, type Change, cannot, change } from './place.ts';
import { checkpointFunction, handOverCall } from './regionEdits.ts';
import { changedLater, freeNames, ofLayer } from './segmentCode.ts';
import { indentationOf, indentUnitOf, lineBreakOf, replacement, standsAlone, writtenIn } from './sourceLayout.ts';

/**
 * `if training: x = checkpoint(layer, x)`, `else: x = layer(x)`, chosen anew for every layer, becomes one choice between a loop
 * over segments and the plain loop. The condition stays as it was written, and decides what it decided.
 */
export function inGuardedSegments(context: ApplyContext, found: LayerLoop, length: number): Change {
  const { module, lineOf } = context;
  const { text } = module;
  const { loop, layers, site, call } = found;
  const guard = guardOf(context, found);
  if (guard === undefined || site === undefined)
    return cannot(
      `line ${lineOf(call)} checkpoints only under a condition, and segments there have to be written by hand`,
    );
  if (layers.kind === 'subscript' || loop.target.kind !== 'name')
    return cannot(`segments need a loop over all layers, without numbers, on line ${lineOf(loop)}`);
  const changed = changedLater(context, found, guard.state);
  if (changed !== undefined)
    return cannot(
      `${changed} changes after it was read in the loop, and a segment would read it again in the backward pass`,
    );
  if (module.comments.some((one) => contains(loop, one)))
    return cannot(`the loop on line ${lineOf(loop)} has comments that would be lost`);
  const indentation = indentationOf(text, loop);
  if (indentation === undefined || !standsAlone(module, loop) || /["'\\]/.test(writtenIn(module, loop)))
    return cannot(`the loop on line ${lineOf(loop)} shares its lines with other code`);
  const handedOver = handOverCall(context, site);
  if ('why' in handedOver) return handedOver;
  const imports = importsAt(context, loop);
  const [name, free] = [imports.nameOf(checkpointFunction), freeNames(context, loop)];
  if (name === undefined || free === undefined) return cannot('the names that segments need are taken in this file');
  const unit = indentUnitOf(text, loop, indentation);
  const lineBreak = lineBreakOf(text);
  const { run, start } = free;
  const [all, block, state] = [writtenIn(module, layers), writtenIn(module, loop.target), guard.state];
  const plain = writtenIn(module, guard.plain);
  const lines: readonly (readonly [level: number, code: string])[] = [
    [0, `if ${moved(writtenIn(module, guard.test), lineBreak, `${indentation}${unit}`, indentation)}:`],
    [1, `def ${run}(${start}, ${state}):`],
    [2, `for ${block} in ${all}[${start} : ${start} + ${length}]:`],
    [3, moved(plain, lineBreak, indentation, `${indentation}${unit}`)],
    [2, `return ${state}`],
    [0, ''],
    [1, `for ${start} in range(0, len(${all}), ${length}):`],
    [2, `${state} = ${name}(${run}, ${start}, ${state}, use_reentrant=False)`],
    [0, 'else:'],
    [1, `for ${block} in ${all}:`],
    [2, plain],
  ];
  const written = lines.map(([level, code]) => (code === '' ? '' : `${indentation}${unit.repeat(level)}${code}`));
  return change(
    replacement(loop, written.join(lineBreak).slice(indentation.length)),
    // Inside the loop everything is written anew; what is left are imports that only the old call needed.
    ...handedOver.edits.filter(({ span }) => !contains(loop, span)),
    ...imports.edits(),
  );
}

/** What a loop chooses between, layer by layer. */
interface Guard {
  readonly test: Expression;
  /** `x`, which goes from layer to layer. */
  readonly state: string;
  /** `x = layer(x)`, without a checkpoint. */
  readonly plain: Statement;
}

/** The choice, where it comes out the same for every layer and both of its sides run the layer with the same arguments. */
function guardOf(context: ApplyContext, found: LayerLoop): Guard | undefined {
  const { module } = context;
  const { loop, block, statement } = found;
  const guard = onlyChoice(loop);
  const [branch] = guard?.branches ?? [];
  const [plain, ...more] = guard?.orElse ?? [];
  if (branch === undefined || plain === undefined || more.length > 0) return undefined;
  if (branch.body.length !== 1 || branch.body[0] !== statement) return undefined;
  const [checked, run] = [assigned(statement), assigned(plain)];
  if (checked === undefined || run === undefined || checked.state !== run.state || checked.call !== found.call)
    return undefined;
  const { callee, arguments: given } = run.call;
  const [first] = given;
  const isLayer = callee.kind === 'name' && callee.name === block.name;
  const isState = first?.kind === 'positional' && first.value.kind === 'name' && first.value.name === run.state;
  const same = (one: typeof given): string => one.map((each) => writtenIn(module, each)).join(', ');
  if (!isLayer || !isState || same(given) !== same(ofLayer(found))) return undefined;
  return isSameForAll(context, branch.test, [block.name, run.state])
    ? { test: branch.test, state: run.state, plain }
    : undefined;
}

function onlyChoice({ body, orElse }: For): If | undefined {
  const [only, ...others] = body;
  return only?.kind === 'if' && only.branches.length === 1 && others.length === 0 && orElse.length === 0
    ? only
    : undefined;
}

function assigned(statement: Statement): { readonly state: string; readonly call: Call } | undefined {
  if (statement.kind !== 'assign' || statement.value?.kind !== 'call') return undefined;
  const [target, ...others] = statement.targets;
  return target?.kind === 'name' && others.length === 0 ? { state: target.name, call: statement.value } : undefined;
}

/** Nothing that the loop binds is asked, and nothing is called that could answer another time differently. */
function isSameForAll({ names }: ApplyContext, test: Expression, bound: readonly string[]): boolean {
  const parts = [...expressionsUnder([{ kind: 'expression', value: test, start: test.start, end: test.end }])];
  return parts.every((part) => {
    if (part.kind === 'name') return !bound.includes(part.name);
    if (part.kind === 'call') return names.qualifiedName(part.callee) === 'torch.is_grad_enabled';
    return part.kind !== 'named' && part.kind !== 'otherExpression';
  });
}

/** The lines after the first, which stand where code around them decides. */
const moved = (code: string, lineBreak: string, from: string, to: string): string =>
  code.replaceAll(`${lineBreak}${from}`, `${lineBreak}${to}`);
