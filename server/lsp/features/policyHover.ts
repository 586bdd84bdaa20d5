import type { Module } from '../../core/python/ast.ts';
import { enclosing } from '../../core/python/enclosing.ts';
import type { Names } from '../../core/python/names.ts';
import { expressionsBelow, partsOf } from '../../core/python/walk.ts';
import { policyClass } from '../../core/rules/selectivePolicies.ts';
import type { Span } from '../../core/text/span.ts';
import { policyMembers } from '../../core/torch/policyMembers.ts';

export interface PolicyHover {
  readonly at: Span;
  readonly markdown: string;
}

/** What torch does with an operation for which a policy answers with the member written at `offset`. */
export function policyHover(module: Module, names: Names, offset: number): PolicyHover | undefined {
  const statement = enclosing(module, offset).statements.at(-1);
  if (statement === undefined) return undefined;
  for (const expression of expressionsBelow(partsOf(statement).expressions)) {
    if (expression.kind !== 'attribute') continue;
    const { object, attribute } = expression;
    const does = policyMembers.get(attribute.name);
    if (does === undefined || offset < attribute.start || offset > attribute.end) continue;
    if (names.qualifiedName(object) !== policyClass) return undefined;
    return { at: attribute, markdown: `**${attribute.name}**: ${does}` };
  }
  return undefined;
}
