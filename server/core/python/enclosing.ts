import type { ClassDefinition, Expression, For, FunctionDefinition, Module, Statement, While, With } from './ast.ts';
import { partsOf, statementAt } from './walk.ts';

/** The statements around a place, outermost first, and what follows from them. */
export interface Enclosing {
  readonly statements: readonly Statement[];
  /** The innermost function, if the place is inside one. */
  readonly function: FunctionDefinition | undefined;
  /** The class whose body holds that function (or the place itself). */
  readonly class: ClassDefinition | undefined;
  /** Loops and `with` blocks inside the innermost function, outermost first. */
  readonly loops: readonly (For | While)[];
  readonly withs: readonly With[];
  /** Tests that must have come out so for the place to be reached, inside the innermost function. */
  readonly conditions: readonly Condition[];
}

export interface Condition {
  readonly test: Expression;
  /** False in the `else` branch and in later `elif` branches. */
  readonly holds: boolean;
}

export function enclosing(module: Module, offset: number): Enclosing {
  const statements: Statement[] = [];
  let block: readonly Statement[] | undefined = module.body;
  while (block !== undefined) {
    const statement = statementAt(block, offset);
    if (statement === undefined) break;
    statements.push(statement);
    block = partsOf(statement).blocks.find((inner) => isInside(inner, offset));
  }
  const lastFunction = statements.findLastIndex(
    (statement) => statement.kind === 'function' && isInside(statement.body, offset),
  );
  const lastClass = statements.findLastIndex(
    (statement) => statement.kind === 'class' && isInside(statement.body, offset),
  );
  const inner = statements.slice(lastFunction + 1);
  const method = statements[lastFunction];
  const owner = statements[lastClass];
  const isMember =
    lastClass >= 0 && !statements.slice(lastClass + 1, Math.max(lastFunction, lastClass + 1)).some(isFunction);
  return {
    statements,
    function: method?.kind === 'function' ? method : undefined,
    class: owner?.kind === 'class' && isMember ? owner : undefined,
    loops: inner.filter(
      (statement) => (statement.kind === 'for' || statement.kind === 'while') && isInside(statement.body, offset),
    ) as (For | While)[],
    withs: inner.filter((statement) => statement.kind === 'with' && isInside(statement.body, offset)) as With[],
    conditions: inner.flatMap((statement) => conditionsOf(statement, offset)),
  };
}

const isInside = (block: readonly Statement[], offset: number): boolean => statementAt(block, offset) !== undefined;

const isFunction = (statement: Statement): boolean => statement.kind === 'function';

function conditionsOf(statement: Statement, offset: number): Condition[] {
  if (statement.kind !== 'if') return [];
  const taken = statement.branches.findIndex((branch) => isInside(branch.body, offset));
  const passed = taken < 0 ? (isInside(statement.orElse, offset) ? statement.branches.length : 0) : taken;
  const failed = statement.branches.slice(0, passed).map(({ test }) => ({ test, holds: false }));
  const own = statement.branches[taken];
  return own === undefined ? failed : [...failed, { test: own.test, holds: true }];
}
