import type { Expression, Statement } from '../python/ast.ts';
import { oncePer } from '../python/oncePer.ts';
import { partsOf, statementsOf } from '../python/walk.ts';
import type { RegionBody } from '../sites/region.ts';

/** What a function gives back, in source order; undefined where it is a generator or where a `return` has no value. */
export const returnedBy = ({ callable }: RegionBody): readonly Expression[] | undefined => returned(callable);

const returned = oncePer((callable: RegionBody['callable']): readonly Expression[] | undefined => {
  if (callable.kind === 'lambda') return [callable.body];
  const values: Expression[] = [];
  for (const statement of ownStatements(callable.body)) {
    if (partsOf(statement).expressions.some(isYield)) return undefined;
    if (statement.kind !== 'return') continue;
    if (statement.value === undefined) return undefined;
    values.push(statement.value);
  }
  return values.length === 0 ? undefined : values;
});

const isYield = (expression: Expression): boolean =>
  expression.kind === 'otherExpression' && expression.what.startsWith('yield');

/** The statements of a function without those of functions and classes inside it. */
export function ownStatements(block: readonly Statement[]): readonly Statement[] {
  const nested = [...statementsOf(block)].filter((one) => one.kind === 'function' || one.kind === 'class');
  return [...statementsOf(block)].filter(
    (one) => !nested.some((outer) => outer !== one && outer.start <= one.start && one.end <= outer.end),
  );
}
