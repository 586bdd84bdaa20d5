import type { Expression, For, Statement, While } from '../python/ast.ts';
import { childrenOf, partsOf } from '../python/walk.ts';

/** Names that differ from one round of a loop to the next: its targets, what is counted up, and all that hangs on those. */
export function movedOn(loop: For | While): ReadonlySet<string> {
  const moved = new Set<string>(loop.kind === 'for' ? namesBoundBy(loop.target) : []);
  const assigned: { readonly names: readonly string[]; readonly reads: readonly string[] }[] = [];
  for (const statement of statementsHere(loop.body)) {
    if (statement.kind === 'for') {
      assigned.push({ names: namesBoundBy(statement.target), reads: namesIn([statement.iterable]) });
      for (const name of namesBoundBy(statement.target)) moved.add(name);
    } else if (statement.kind === 'augmentedAssign') {
      for (const name of namesBoundBy(statement.target)) moved.add(name);
    } else if (statement.kind === 'assign' && statement.value !== undefined) {
      const bound = statement.targets.flatMap(namesBoundBy);
      const reads = namesIn([statement.value]);
      assigned.push({ names: bound, reads });
      for (const name of bound) if (reads.includes(name)) moved.add(name);
    }
  }
  for (let before = -1; before !== moved.size; ) {
    before = moved.size;
    for (const { names, reads } of assigned) {
      if (reads.some((name) => moved.has(name))) for (const name of names) moved.add(name);
    }
  }
  return moved;
}

/** The statements of a block that run with it: not those of functions and classes it defines. */
export function* statementsHere(block: readonly Statement[]): Generator<Statement> {
  for (const statement of block) {
    yield statement;
    if (statement.kind === 'function' || statement.kind === 'class') continue;
    for (const inner of partsOf(statement).blocks) yield* statementsHere(inner);
  }
}

/** Names an assignment to this target binds. */
export function namesBoundBy(target: Expression): string[] {
  if (target.kind === 'name') return [target.name];
  return target.kind === 'tuple' || target.kind === 'list' || target.kind === 'starred'
    ? childrenOf(target).flatMap(namesBoundBy)
    : [];
}

/** Names whose values an expression depends on; what it only asks a tensor's shape or type counts as the same each round. */
export function namesIn(expressions: readonly Expression[]): string[] {
  const found: string[] = [];
  const stack = [...expressions];
  for (let expression = stack.pop(); expression !== undefined; expression = stack.pop()) {
    if (expression.kind === 'name') found.push(expression.name);
    if (expression.kind === 'attribute' && asked.test(expression.attribute.name)) continue;
    if (expression.kind === 'call' && asked.test(lastName(expression.callee))) continue;
    stack.push(...childrenOf(expression));
  }
  return found;
}

const asked = /^(shape|size|dim|ndim|device|dtype|requires_grad|numel|len|type|isinstance|is_cuda)$/;

/** The name behind the last dot of what is called. */
export const lastName = (callee: Expression): string =>
  callee.kind === 'name' ? callee.name : callee.kind === 'attribute' ? callee.attribute.name : '';

export function descendants(root: Expression): Expression[] {
  const found: Expression[] = [];
  const stack = [root];
  for (let expression = stack.pop(); expression !== undefined; expression = stack.pop()) {
    found.push(expression);
    stack.push(...childrenOf(expression));
  }
  return found;
}
