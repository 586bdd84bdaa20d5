import type { LintContext } from '../lint/rule.ts';
import type { Call, Expression, For, FunctionDefinition, Lambda, Name, Statement, While } from '../python/ast.ts';
import { type Enclosing, enclosing } from '../python/enclosing.ts';
import type { Names } from '../python/names.ts';
import { oncePer } from '../python/oncePer.ts';
import type { Scope } from '../python/scope.ts';
import { partsOf } from '../python/walk.ts';
import { expressionsIn } from '../sites/region.ts';
import { contains } from '../text/span.ts';
import { descendants, lastName, movedOn, namesBoundBy, namesIn, statementsHere } from './loopVariables.ts';

/** Names a function reads from the scope right around it, each with its first use; not those it only prints. */
export function capturedNames(closure: FunctionDefinition | Lambda, names: Names): readonly Captured[] {
  const found = new Map<string, Captured>();
  for (const expression of expressionsIn(closure)) {
    if (expression.kind !== 'name' || found.has(expression.name)) continue;
    const bindings = names.bindingsOf(expression);
    const scope = bindings[0]?.scope;
    if (scope === undefined) continue;
    // A class is not in sight from its methods: they capture nothing from right around them.
    if (scope.node === closure && scope.parent?.kind === 'class') return [];
    if (bindings.some((binding) => binding.scope !== scope)) continue;
    if (!scope.children.some((child) => child.node === closure) || printedIn(closure).has(expression)) continue;
    found.set(expression.name, { use: expression, scope });
  }
  return [...found.values()].sort((a, b) => a.use.start - b.use.start);
}

const printedIn = oncePer(
  (closure: FunctionDefinition | Lambda): ReadonlySet<Expression> =>
    new Set(expressionsIn(closure).flatMap((one) => (isPrinting(one) ? descendants(one) : []))),
);

export interface Captured {
  readonly use: Name;
  readonly scope: Scope;
}

/**
 * Those of the captured names that certainly have another value when backward runs: a loop around the call goes on to the
 * next one, or the lines behind the call bind them anew. Where backward may run before that, none.
 */
export function reboundBeforeBackward(
  { module }: LintContext,
  call: Call,
  captured: readonly Captured[],
): readonly Name[] {
  if (captured.length === 0) return [];
  const around = enclosing(module, call.start);
  const scopeNode = around.function ?? module;
  const statement = around.statements.at(-1);
  if (statement === undefined || hasYield(statement)) return [];
  const leaves = statement.kind === 'return';
  const loops = leaves ? [] : around.loops.filter((loop) => !leavesAfter(loop, call) && !runsBackward(loop.body));
  const moved = loops.map((loop) => movedOn(loop));
  return captured.flatMap(({ use, scope }) => {
    // A generator may be read one by one, with backward in between.
    if (scope.kind === 'comprehension') return isEager(scope) && contains(scope.span, call) ? [use] : [];
    if (scope.node !== scopeNode) return [];
    return moved.some((loop) => loop.has(use.name)) || isReboundBehind(around, call, use.name) ? [use] : [];
  });
}

const isEager = ({ node }: Scope): boolean =>
  'kind' in node && node.kind === 'comprehension' && node.form !== 'generator';

/** Whether the statements that certainly follow the call in its own function bind the name to something else. */
function isReboundBehind(around: Enclosing, call: Call, name: string): boolean {
  const own = around.statements.at(-1);
  const method = around.function;
  if (own === undefined || method === undefined || runsBackward(method.body)) return false;
  if (own.kind === 'assign' && own.targets.flatMap(namesBoundBy).includes(name)) return true;
  const blocks = around.statements.flatMap((statement) => partsOf(statement).blocks);
  return blocks
    .filter((block) => block.includes(own) && block.every((one) => contains(method, one)))
    .some((block) =>
      block
        .slice(block.indexOf(own) + 1)
        .some(
          (one) =>
            one.kind === 'assign' &&
            one.start >= call.end &&
            one.value !== undefined &&
            !keepsValue(one.value, name) &&
            one.targets.flatMap(namesBoundBy).includes(name),
        ),
    );
}

/** `x = x.contiguous()`: another tensor, perhaps, with the same values. */
const keepsValue = (value: Expression, name: string): boolean =>
  value.kind === 'name' || (value.kind === 'call' && namesIn([value]).every((read) => read === name));

/** A `break` or `return` right behind the call: the loop never goes on to the next value. */
function leavesAfter(loop: For | While, call: Call): boolean {
  return [loop.body, ...[...statementsHere(loop.body)].flatMap((one) => partsOf(one).blocks)].some((block) => {
    const index = block.findIndex((statement) => contains(statement, call));
    return (
      index >= 0 &&
      block
        .slice(index + 1)
        .some(
          (one) =>
            one.kind === 'return' ||
            (one.kind === 'otherStatement' && (one.what === 'break_statement' || one.what === 'raise_statement')),
        )
    );
  });
}

/** Backward inside the loop comes before the loop goes on; so may an optimizer's step that runs it. */
function runsBackward(block: readonly Statement[]): boolean {
  for (const statement of statementsHere(block)) {
    const found = partsOf(statement).expressions.flatMap(descendants);
    if (found.some((one) => one.kind === 'call' && backwardLike.test(lastName(one.callee)))) return true;
  }
  return false;
}

const backwardLike = /backward|^grad$|^step$|train_step|optimizer_step|gradcheck|vjp/i;

const hasYield = (statement: Statement): boolean =>
  partsOf(statement).expressions.some((root) =>
    descendants(root).some((one) => one.kind === 'otherExpression' && one.what === 'yield'),
  );

const isPrinting = (expression: Expression): boolean =>
  expression.kind === 'string' ||
  (expression.kind === 'call' &&
    /^(print|debug|info|warning|log|record_function|named_scope)$/.test(lastName(expression.callee)));
