import { keywordNamed, literalEntries } from '../python/arguments.ts';
import type { Call, Expression, For, Name, Statement } from '../python/ast.ts';
import { expressionsUnder, ownStatements, partsOf, statementsOf } from '../python/walk.ts';
import type { CheckpointSite } from '../sites/checkpointSite.ts';
import { contains } from '../text/span.ts';
import type { ApplyContext } from './place.ts';

/** `for block in self.blocks:` over a list of layers, with the one call in it that runs a layer. */
export interface LayerLoop {
  readonly loop: For;
  /** `self.blocks`. */
  readonly layers: Expression;
  readonly block: Name;
  /** `block(x, mask)`, or `checkpoint(block, x, mask)`. */
  readonly call: Call;
  /** The statement of the loop's body that the call stands in. */
  readonly statement: Statement;
  /** Where the call is checkpointed already. */
  readonly site: CheckpointSite | undefined;
}

/** The loops of a file that run through a `ModuleList` or `Sequential` for certain, and run each layer of it once. */
export function layerLoops(context: ApplyContext): LayerLoop[] {
  return [...statementsOf(context.module.body)].flatMap((loop) => {
    if (loop.kind !== 'for') return [];
    const [block, layers] = loopOver(context, loop);
    if (block === undefined || layers === undefined || !isLayerList(context, layers)) return [];
    const runs = runsOf(context, loop, block);
    const checkpointed = runs.filter(({ site }) => site !== undefined);
    // Run in two places it is a choice that the code makes: `checkpoint(block, x)` while training, `block(x)` otherwise.
    const run = runs.length === 2 ? checkpointed[0] : runs[0];
    const isOne = runs.length === 1 || (runs.length === 2 && checkpointed.length === 1);
    return isOne && run !== undefined ? [{ loop, layers, block, ...run }] : [];
  });
}

/** The loop's variable and what it runs through, behind `enumerate` too. */
function loopOver({ names }: ApplyContext, { target, iterable }: For): readonly [Name?, Expression?] {
  if (target.kind === 'name') return [target, iterable];
  const isEnumerate =
    iterable.kind === 'call' &&
    iterable.callee.kind === 'name' &&
    iterable.callee.name === 'enumerate' &&
    names.bindingsOf(iterable.callee).length === 0;
  if (target.kind !== 'tuple' || !isEnumerate) return [];
  const [, block, ...others] = target.elements;
  const [layers] = iterable.arguments;
  return block?.kind === 'name' && others.length === 0 && layers?.kind === 'positional' ? [block, layers.value] : [];
}

const containers: ReadonlySet<string> = new Set(['torch.nn.ModuleList', 'torch.nn.Sequential']);

/** An attribute that is made a list of layers and nothing else; a stretch of one; an entry of a `ModuleDict`. */
export function isLayerList(context: ApplyContext, layers: Expression): boolean {
  if (layers.kind === 'subscript') return isSlice(layers.indices) && isLayerList(context, layers.object);
  const made = madeFrom(context, layers);
  return made.length > 0 && made.every((value) => isCallOf(context, value, containers));
}

const isSlice = (indices: readonly Expression[]): boolean =>
  indices.length === 1 && indices[0]?.kind === 'otherExpression' && indices[0].what === 'slice';

/** Everything an attribute of `self`, or of a `ModuleDict` in one, is set to. */
function madeFrom(context: ApplyContext, expression: Expression): readonly Expression[] {
  if (expression.kind !== 'attribute') return [];
  const { object, attribute } = expression;
  const owner = context.names.classOfSelf(object);
  if (owner !== undefined) return context.names.memberValues(owner, attribute.name);
  return madeFrom(context, object).flatMap((dictionary) => {
    if (dictionary.kind !== 'call' || !isCallOf(context, dictionary, moduleDict)) return [];
    const [entries] = dictionary.arguments;
    const known = entries === undefined ? undefined : literalEntries(entries.value);
    return known?.flatMap(({ name, value }) => (name === attribute.name ? [value] : [])) ?? [];
  });
}

const moduleDict: ReadonlySet<string> = new Set(['torch.nn.ModuleDict']);

const isCallOf = ({ names }: ApplyContext, value: Expression, qualified: ReadonlySet<string>): boolean =>
  value.kind === 'call' && qualified.has(names.qualifiedName(value.callee) ?? '');

type Run = Pick<LayerLoop, 'call' | 'statement' | 'site'>;

/** Calls in a loop's own statements that run its layer, directly or through `checkpoint`. */
function runsOf({ names, sites }: ApplyContext, loop: For, block: Name): Run[] {
  const isBlock = (expression: Expression | undefined): boolean => {
    if (expression?.kind !== 'name' || expression.name !== block.name) return false;
    const [binding, ...others] = names.bindingsOf(expression);
    return binding !== undefined && others.length === 0 && loop.start <= binding.from && binding.from < loop.end;
  };
  const own = [...ownStatements(loop.body)];
  return own.flatMap((statement): Run[] => {
    if (partsOf(statement).blocks.length > 0 || statement.kind === 'function' || statement.kind === 'class') return [];
    return [...expressionsUnder([statement])].flatMap((call): Run[] => {
      if (call.kind !== 'call') return [];
      if (isBlock(call.callee)) return [{ call, statement, site: undefined }];
      const site = sites.find((one) => one.call === call);
      const runs = site && (keywordNamed(site.given, 'function') ?? site.given.positional[0]);
      return site !== undefined && isBlock(runs?.value) && contains(loop, call) ? [{ call, statement, site }] : [];
    });
  });
}
