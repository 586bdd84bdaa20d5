import type { LintContext } from '../lint/rule.ts';
import type { Call, Expression, FunctionDefinition, Name, Statement } from '../python/ast.ts';
import type { Binding } from '../python/scope.ts';
import { childrenOf, partsOf, statementsOf } from '../python/walk.ts';

/** Functions that only show what they are given. */
const showing = /^(print|pprint|info|debug|warning|log|init_trackers|init|dumps?|repr|str|hasattr)$/;

type Parent = Expression | Statement;

/**
 * Whether every use of the values in `sources` (the namespaces a parser gives back) is an attribute of them, read in this
 * file. False as soon as one goes somewhere out of sight: into another file's function, an object, a dictionary.
 */
export function staysInSight(context: LintContext, sources: readonly Expression[]): boolean {
  const { names, calls, module } = context;
  const parents = parentsIn(module.body);
  const namesByText = new Map<string, Name[]>();
  for (const expression of parents.keys()) {
    if (expression.kind !== 'name') continue;
    const same = namesByText.get(expression.name);
    if (same === undefined) namesByText.set(expression.name, [expression]);
    else same.push(expression);
  }
  const seen = new Set<unknown>();
  const waiting: Expression[] = [...sources];
  for (let value = waiting.pop(); value !== undefined; value = waiting.pop()) {
    if (seen.has(value)) continue;
    seen.add(value);
    if (!follow(value)) return false;
  }
  return true;

  function follow(value: Expression): boolean {
    const parent = parents.get(value);
    switch (parent?.kind) {
      case 'attribute':
        return !parent.attribute.name.startsWith('__');
      case 'string':
      case 'expression':
        return true;
      case 'assign':
        return (
          parent.value !== value ||
          parent.targets.every((target) => target.kind === 'name' && followName(target, parent.end))
        );
      case 'return':
        return followReturn(value);
      case 'call':
        return parent.callee !== value && followArgument(parent, value);
      default:
        return false;
    }
  }

  function followName(target: Name, from: number): boolean {
    return followBinding(target.name, (binding) => binding.from === from);
  }

  /** All uses that may mean the binding. */
  function followBinding(name: string, isIt: (binding: Binding) => boolean): boolean {
    for (const use of namesByText.get(name) ?? []) {
      if (names.bindingsOf(use).some(isIt)) waiting.push(use);
    }
    return true;
  }

  function followReturn(value: Expression): boolean {
    const { function: inside, class: owner } = context.around(value);
    if (inside === undefined || owner !== undefined) return false;
    const uses = calls.all().filter(({ callee }) => isCallOf(callee, inside));
    waiting.push(...uses);
    return uses.length > 0;
  }

  function followArgument(call: Call, value: Expression): boolean {
    const { callee } = call;
    const last = callee.kind === 'name' ? callee.name : callee.kind === 'attribute' ? callee.attribute.name : '';
    if (showing.test(last)) return true;
    if (last === 'getattr' || last === 'setattr') return call.arguments[1]?.value.kind === 'string';
    if (last === 'vars' || last === 'deepcopy' || last === 'asdict') {
      const outer = parents.get(call);
      return outer?.kind === 'call' && outer.callee !== call && followArgument(outer, call);
    }
    const definition = names.resolve(callee).targets[0]?.definition;
    if (definition?.kind !== 'function' || !isCallOf(callee, definition)) return false;
    const index = call.arguments.findIndex((argument) => argument.value === value);
    const argument = call.arguments[index];
    if (argument === undefined || call.arguments.slice(0, index).some(({ kind }) => kind === 'splat')) return false;
    const parameter =
      argument.kind === 'keyword'
        ? definition.parameters.find(({ name }) => name === argument.name.name)
        : argument.kind === 'positional'
          ? definition.parameters[index]
          : undefined;
    if (parameter === undefined || parameter.form !== 'plain' || context.around(definition).class !== undefined)
      return false;
    return followBinding(parameter.name, (binding) => binding.to === 'parameter' && binding.parameter === parameter);
  }

  function isCallOf(callee: Expression, definition: FunctionDefinition): boolean {
    if (callee.kind !== 'name') return false;
    const { targets, complete } = names.resolve(callee);
    return complete && targets.length === 1 && targets[0]?.definition === definition;
  }
}

function parentsIn(body: readonly Statement[]): Map<Expression, Parent> {
  const parents = new Map<Expression, Parent>();
  for (const statement of statementsOf(body)) {
    const stack: [Expression, Parent][] = partsOf(statement).expressions.map((one) => [one, statement]);
    for (let top = stack.pop(); top !== undefined; top = stack.pop()) {
      parents.set(top[0], top[1]);
      for (const child of childrenOf(top[0])) stack.push([child, top[0]]);
    }
  }
  return parents;
}
