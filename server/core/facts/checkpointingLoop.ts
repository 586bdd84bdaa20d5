import type { Expression, For, Statement, While } from '../python/ast.ts';
import { childrenOf, statementsOf } from '../python/walk.ts';
import { type Condition, lastName, type Source, writtenAs } from './source.ts';

/** The names a loop gives the number of a layer and the layer itself. */
export interface LoopNames {
  readonly index: string | undefined;
  /** Several where the loop takes a layer apart: `for attention, mlp in self.layers`. */
  readonly layers: readonly string[];
  readonly isTakenApart: boolean;
}

export function loopNames({ target, iterable }: For): LoopNames {
  const called = iterable.kind === 'call' ? lastName(iterable.callee) : undefined;
  const names = target.kind === 'tuple' || target.kind === 'list' ? target.elements.flatMap(namesIn) : namesIn(target);
  if (called === 'range') return { index: names[0], layers: [], isTakenApart: false };
  if (called === 'enumerate') {
    const inner = target.kind === 'tuple' ? target.elements[1] : undefined;
    return {
      index: names[0],
      layers: names.slice(1),
      isTakenApart: inner?.kind === 'tuple' && isPlain(argumentOf(iterable)),
    };
  }
  const isNamed = /name|id|key/i.test(names[0] ?? '');
  const isTakenApart = target.kind === 'tuple' && isPlain(iterable) && !isNamed;
  return { index: undefined, layers: names, isTakenApart };
}

/** `self.layers`, and not `zip(self.layers, caches)`, whose elements are no parts of a layer. */
const isPlain = (iterable: Expression | undefined): boolean =>
  iterable?.kind === 'name' || iterable?.kind === 'attribute';

const argumentOf = (iterable: Expression): Expression | undefined =>
  iterable.kind === 'call' ? iterable.arguments[0]?.value : undefined;

export function namesIn(target: Expression): readonly string[] {
  if (target.kind === 'name') return [target.name];
  return target.kind === 'tuple' || target.kind === 'list' ? target.elements.flatMap(namesIn) : [];
}

/** Whether something is called as layers are, or as how many there are. */
export const namesLayers = (source: Source, expression: Expression): boolean =>
  /layer|block|depth|stage|module|\bh\b/i.test(writtenAs(source, expression));

/** `range(0, layers, k)` walks over segments of `k` layers, and so does `while i < layers: …; i += k`. */
export function stepOf(
  source: Source,
  loop: For | undefined,
  conditions: readonly Condition[],
): Expression | undefined {
  const around = conditions.findLast(({ statement }) => statement.kind === 'while')?.statement;
  if (around?.kind === 'while' && (loop === undefined || loop.start < around.start)) return whileStep(around);
  const iterable = loop?.iterable;
  if (iterable?.kind !== 'call' || iterable.callee.kind !== 'name' || iterable.callee.name !== 'range')
    return undefined;
  if (source.names.bindingsOf(iterable.callee).length > 0 || iterable.arguments.length !== 3) return undefined;
  return iterable.arguments[2]?.value;
}

function whileStep({ test, body }: While): Expression | undefined {
  const counted = test.kind === 'comparison' ? test.operands[0] : undefined;
  if (counted?.kind !== 'name') return undefined;
  const steps = [...statementsOf(body)].flatMap((statement: Statement) =>
    statement.kind === 'augmentedAssign' &&
    /^\+=?$/.test(statement.operator) &&
    statement.target.kind === 'name' &&
    statement.target.name === counted.name
      ? [statement.value]
      : [],
  );
  return steps.length === 1 ? steps[0] : undefined;
}

/** Whether an expression or a part of it is what `is` asks for. */
export function anyIn(expression: Expression, is: (each: Expression) => boolean): boolean {
  const stack = [expression];
  for (let each = stack.pop(); each !== undefined; each = stack.pop()) {
    if (is(each)) return true;
    stack.push(...childrenOf(each));
  }
  return false;
}
