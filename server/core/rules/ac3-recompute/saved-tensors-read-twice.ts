import type { Finding, Rule } from '../../lint/rule.ts';
import type { Attribute, Expression, FunctionDefinition, Statement } from '../../python/ast.ts';
import { childrenOf, partsOf } from '../../python/walk.ts';
import { autogradFunctions } from '../autogradFunctions.ts';

export const rule: Rule = {
  code: 'AC307',
  name: 'saved-tensors-read-twice',
  severity: 'warning',
  summary: 'a custom backward reads `ctx.saved_tensors` more than once',
  *check({ module, names }): Generator<Finding> {
    for (const { backward } of autogradFunctions(module, names)) {
      const context = backward?.parameters[0]?.name;
      if (backward === undefined || context === undefined) continue;
      const second = secondRead(backward, context);
      if (second === undefined) continue;
      yield {
        at: second,
        about: second,
        message: `${context}.saved_tensors is read a second time: inside a non-reentrant checkpoint this raises CheckpointError, Unpack is being triggered for a tensor that was already unpacked once`,
        fixes: [],
      };
    }
  },
};

/** The read that comes second on one way through the function. */
function secondRead(backward: FunctionDefinition, context: string): Attribute | undefined {
  let second: Attribute | undefined;
  walk(backward.body, 0);
  return second;

  /** The most reads on any way that goes on behind the block; undefined where none does. */
  function walk(block: readonly Statement[], before: number): number | undefined {
    let reads = before;
    for (const statement of block) {
      const { expressions, blocks } = partsOf(statement);
      for (const read of expressions.flatMap((one) => readsIn(one, context))) {
        reads++;
        if (reads === 2) second ??= read;
      }
      if (statement.kind === 'return' || isRaise(statement)) return undefined;
      if (statement.kind === 'function' || statement.kind === 'class' || blocks.length === 0) continue;
      const ways = blocks.map((inner) => walk(inner, reads));
      const through = ways.filter((way) => way !== undefined);
      const mayPass = statement.kind !== 'with' && !(statement.kind === 'if' && statement.orElse.length > 0);
      if (through.length === 0 && !mayPass) return undefined;
      reads = Math.max(mayPass ? reads : 0, ...through);
    }
    return reads;
  }
}

function readsIn(root: Expression, context: string): Attribute[] {
  const found: Attribute[] = [];
  const stack = [root];
  for (let expression = stack.pop(); expression !== undefined; expression = stack.pop()) {
    if (
      expression.kind === 'attribute' &&
      expression.attribute.name === 'saved_tensors' &&
      expression.object.kind === 'name' &&
      expression.object.name === context
    ) {
      found.push(expression);
    }
    if (expression.kind !== 'lambda') stack.push(...[...childrenOf(expression)].reverse());
  }
  return found;
}

const isRaise = (statement: Statement): boolean =>
  statement.kind === 'otherStatement' && statement.what === 'raise_statement';
