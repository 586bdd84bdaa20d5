import type { Argument, Expression, Module, Parameter, Statement } from './ast.ts';
import { oncePer } from './oncePer.ts';

/** The direct parts of a statement: its own expressions in source order, and its blocks. */
export interface StatementParts {
  readonly expressions: readonly Expression[];
  readonly blocks: readonly (readonly Statement[])[];
}

/** Every rule walks statements again: taking each apart once saves most of a walk. */
export const partsOf: (statement: Statement) => StatementParts = oncePer(takeApart);

function takeApart(statement: Statement): StatementParts {
  switch (statement.kind) {
    case 'expression':
      return { expressions: [statement.value], blocks: [] };
    case 'assign':
      return { expressions: defined([...statement.targets, statement.annotation, statement.value]), blocks: [] };
    case 'augmentedAssign':
      return { expressions: [statement.target, statement.value], blocks: [] };
    case 'function':
      return {
        expressions: defined([
          ...statement.decorators,
          ...parameterExpressions(statement.parameters),
          statement.returns,
        ]),
        blocks: [statement.body],
      };
    case 'class':
      return {
        expressions: [
          ...statement.decorators,
          ...statement.bases,
          ...statement.keywords.map((keyword) => keyword.value),
        ],
        blocks: [statement.body],
      };
    case 'return':
      return { expressions: defined([statement.value]), blocks: [] };
    case 'if':
      return {
        expressions: statement.branches.map((branch) => branch.test),
        blocks: [...statement.branches.map((branch) => branch.body), statement.orElse],
      };
    case 'for':
      return { expressions: [statement.target, statement.iterable], blocks: [statement.body, statement.orElse] };
    case 'while':
      return { expressions: [statement.test], blocks: [statement.body, statement.orElse] };
    case 'with':
      return {
        expressions: statement.items.flatMap((item) => defined([item.value, item.target])),
        blocks: [statement.body],
      };
    case 'try':
      return {
        expressions: defined(statement.handlers.map((handler) => handler.type)),
        blocks: [
          statement.body,
          ...statement.handlers.map((handler) => handler.body),
          statement.orElse,
          statement.finallyBody,
        ],
      };
    case 'match':
      return {
        expressions: defined([statement.subject, ...statement.cases.map((one) => one.guard)]),
        blocks: statement.cases.map((one) => one.body),
      };
    case 'otherStatement':
      return { expressions: statement.expressions, blocks: [statement.body] };
    case 'import':
    case 'importFrom':
    case 'global':
      return { expressions: [], blocks: [] };
  }
}

/** The direct subexpressions, in source order. */
export function childrenOf(expression: Expression): readonly Expression[] {
  switch (expression.kind) {
    case 'attribute':
      return [expression.object];
    case 'subscript':
      return [expression.object, ...expression.indices];
    case 'call':
      return [expression.callee, ...expression.arguments.map(argumentValue)];
    case 'string':
      return expression.interpolations;
    case 'list':
    case 'tuple':
    case 'set':
      return expression.elements;
    case 'dictionary':
      return expression.entries.flatMap((entry) => defined([entry.key, entry.value]));
    case 'lambda':
      return [...defined(parameterExpressions(expression.parameters)), expression.body];
    case 'conditional':
      return [expression.whenTrue, expression.test, expression.whenFalse];
    case 'binary':
      return [expression.left, expression.right];
    case 'unary':
      return [expression.operand];
    case 'comparison':
      return expression.operands;
    case 'comprehension':
      return [
        ...expression.elements,
        ...expression.clauses.flatMap((clause) => [clause.target, clause.iterable, ...clause.conditions]),
      ];
    case 'starred':
    case 'named':
      return [expression.value];
    case 'otherExpression':
      return expression.children;
    case 'name':
    case 'number':
    case 'constant':
      return [];
  }
}

export const argumentValue = (argument: Argument): Expression => argument.value;

/** The statement of a block that holds `offset`; a block is sorted, so this is a binary search. */
export function statementAt(block: readonly Statement[], offset: number): Statement | undefined {
  let low = 0;
  let high = block.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((block[middle]?.end ?? 0) <= offset) low = middle + 1;
    else high = middle;
  }
  const statement = block[low];
  return statement !== undefined && statement.start <= offset ? statement : undefined;
}

/** Every expression of a module, outer before inner. */
export const expressionsOf = (module: Module): Generator<Expression> => expressionsUnder(module.body);

/** Every expression of a block. */
export function* expressionsUnder(block: readonly Statement[]): Generator<Expression> {
  for (const statement of statementsOf(block)) yield* expressionsBelow(partsOf(statement).expressions);
}

/** Expressions and all below them. The stack is explicit: generated code nests deeper than ours may. */
export function* expressionsBelow(roots: readonly Expression[]): Generator<Expression> {
  const stack = [...roots].reverse();
  for (let expression = stack.pop(); expression !== undefined; expression = stack.pop()) {
    yield expression;
    const children = childrenOf(expression);
    for (let index = children.length - 1; index >= 0; index--) {
      const child = children[index];
      if (child !== undefined) stack.push(child);
    }
  }
}

/** Every statement of a block, outer before inner, in source order. */
export function* statementsOf(block: readonly Statement[]): Generator<Statement> {
  for (const statement of block) {
    if (partsOf(statement).blocks.length === 0) yield statement;
    else yield* statementsUnder(statement);
  }
}

/** A statement and all below it. Rules walk whole modules again and again, and an edit changes few statements. */
const statementsUnder = oncePer((root: Statement): readonly Statement[] => {
  if (root.kind === 'class') return [root, ...statementsOf(root.body)];
  const found: Statement[] = [];
  const stack: Statement[] = [root];
  for (let statement = stack.pop(); statement !== undefined; statement = stack.pop()) {
    found.push(statement);
    const { blocks } = partsOf(statement);
    for (let index = blocks.length - 1; index >= 0; index--) {
      const block = blocks[index] ?? [];
      for (let position = block.length - 1; position >= 0; position--) {
        const inner = block[position];
        if (inner !== undefined) stack.push(inner);
      }
    }
  }
  return found;
});

/** Like `statementsOf`, but without the bodies of functions and classes inside: what runs when the block itself runs. */
export function* ownStatements(block: readonly Statement[]): Generator<Statement> {
  for (const statement of block) {
    yield statement;
    if (statement.kind === 'function' || statement.kind === 'class') continue;
    for (const inner of partsOf(statement).blocks) yield* ownStatements(inner);
  }
}

const parameterExpressions = (parameters: readonly Parameter[]): (Expression | undefined)[] =>
  parameters.flatMap((parameter) => [parameter.annotation, parameter.default]);

/** A list that grows reserves room for more; these lists are kept, so they are copied into as much as they need. */
const defined = <T>(values: readonly (T | undefined)[]): T[] => values.filter((value) => value !== undefined).slice();
