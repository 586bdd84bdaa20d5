import type { LintContext } from '../lint/rule.ts';
import type { Expression, Statement } from '../python/ast.ts';
import { partsOf, statementAt, statementsOf } from '../python/walk.ts';
import type { Span } from '../text/span.ts';

/**
 * Whether `first` has certainly run whenever `second` runs: it stands before it in the same function, or both at module
 * level, and every branch and loop around it is around `second` too.
 */
export function runsBefore({ around }: LintContext, first: Span, second: Span): boolean {
  if (first.end > second.start) return false;
  const before = around(first);
  const after = around(second);
  if (before.function !== after.function || before.class !== after.class) return false;
  const passed = blocksAround(after.statements, second.start);
  return blocksAround(before.statements, first.start).every(({ statement, block }) =>
    passed.some((one) => one.statement === statement && one.block === block),
  );
}

/**
 * Whether two expressions certainly stand for one object: a name bound once for both, or the same attribute of one that no
 * statement between them assigns.
 */
export function isSameObject(context: LintContext, first: Expression, second: Expression): boolean {
  if (first.kind === 'name' && second.kind === 'name') {
    if (first.name !== second.name) return false;
    const before = context.names.bindingsOf(first);
    const after = context.names.bindingsOf(second);
    return before.length === 1 && after.length === 1 && before[0] === after[0];
  }
  if (first.kind !== 'attribute' || second.kind !== 'attribute') return false;
  if (first.attribute.name !== second.attribute.name || !isSameObject(context, first.object, second.object))
    return false;
  const { function: inside } = context.around(first);
  for (const statement of statementsOf(inside?.body ?? context.module.body)) {
    if (statement.start <= first.start || statement.start >= second.end || statement.kind !== 'assign') continue;
    if (statement.targets.some((target) => isSamePath(target, second))) return false;
  }
  return true;
}

/** `a.b.c` written twice, whatever the names stand for. */
export function isSamePath(first: Expression, second: Expression): boolean {
  if (first.kind === 'name' && second.kind === 'name') return first.name === second.name;
  if (first.kind !== 'attribute' || second.kind !== 'attribute') return false;
  return first.attribute.name === second.attribute.name && isSamePath(first.object, second.object);
}

interface Block {
  readonly statement: Statement;
  readonly block: number;
}

/** The blocks around a place, those of `with` left out: they run wherever the statement does. */
function blocksAround(statements: readonly Statement[], offset: number): readonly Block[] {
  return statements.flatMap((statement) => {
    if (statement.kind === 'with' || statement.kind === 'function' || statement.kind === 'class') return [];
    const block = partsOf(statement).blocks.findIndex((inner) => statementAt(inner, offset) !== undefined);
    return block < 0 ? [] : [{ statement, block }];
  });
}
