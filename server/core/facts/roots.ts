import type { ClassDefinition, Expression } from '../python/ast.ts';
import type { Names } from '../python/names.ts';
import type { Binding } from '../python/scope.ts';
import { argumentOf } from './parameters.ts';
import type { CallHere, Change, Source } from './source.ts';
import { append } from './sourceWalk.ts';

/** Names that stand for names end here. */
const longestChain = 60;

/** What two names must share to be the same object: what they were bound to, else the binding itself. */
export const identityOf = (root: Expression, names: Names): unknown =>
  root.kind === 'name' ? (names.bindingsOf(root)[0] ?? root.name) : root;

/** Changes by the object they concern. */
export function groupedByObject(changes: readonly Change[], source: Source): ReadonlyMap<unknown, readonly Change[]> {
  const groups = new Map<unknown, Change[]>();
  for (const change of changes)
    for (const root of source.rootsOf(change.object)) append(groups, identityOf(root, source.names), change);
  return groups;
}

export type SelfMembers = ReadonlyMap<ClassDefinition, ReadonlyMap<string, readonly (Expression | undefined)[]>>;

/** What methods assign to `self.name`. */
export function membersBySelf(changes: readonly Change[], names: Names): SelfMembers {
  const members = new Map<ClassDefinition, Map<string, (Expression | undefined)[]>>();
  for (const { object, key, value } of changes) {
    if (object.kind !== 'name' || key === undefined) continue;
    const owner = names.classOfSelf(object);
    if (owner === undefined) continue;
    const own = members.get(owner) ?? new Map<string, (Expression | undefined)[]>();
    append(own, key, value);
    members.set(owner, own);
  }
  return members;
}

export interface Way {
  readonly names: Names;
  members(): SelfMembers;
  calls(): readonly CallHere[];
}

/** What a parameter is given, where that is decided. */
export function argumentFor(binding: Binding, nBindings: number, way: Way): Expression | undefined {
  if (binding.to !== 'parameter' || nBindings !== 1) return undefined;
  const { node, parent } = binding.scope;
  if (!('kind' in node) || node.kind !== 'function') return undefined;
  const around = parent?.node;
  const owningClass = around !== undefined && 'kind' in around && around.kind === 'class' ? around : undefined;
  return argumentOf(binding.parameter, node, owningClass, way.calls());
}

/** Every expression is looked at once, so that names bound many times over cannot multiply. */
export function rootsOf(expression: Expression, way: Way, seen: Set<Expression>): readonly Expression[] {
  const { names } = way;
  if (seen.has(expression) || seen.size > longestChain) return [];
  seen.add(expression);
  const follow = (values: readonly Expression[]): readonly Expression[] =>
    values.flatMap((value) => rootsOf(value, way, seen));
  if (expression.kind === 'name') {
    const bindings = names.bindingsOf(expression);
    const values = bindings.flatMap((binding) =>
      binding.to === 'value' ? [binding.value] : (argumentFor(binding, bindings.length, way) ?? []),
    );
    return values.length === 0 ? [expression] : follow(values);
  }
  if (expression.kind === 'attribute') {
    const owner = names.classOfSelf(expression.object);
    const values = owner && way.members().get(owner)?.get(expression.attribute.name);
    const [only] = values ?? [];
    return values?.length === 1 && only !== undefined ? follow([only]) : [expression];
  }
  if (expression.kind === 'conditional') return follow([expression.whenTrue, expression.whenFalse]);
  return [expression];
}
