import type { LintContext } from '../lint/rule.ts';
import type { Call, ClassDefinition, Expression, FunctionDefinition, Lambda, Statement } from '../python/ast.ts';
import { childrenOf, partsOf } from '../python/walk.ts';
import { type CheckpointSite, isReentrant } from '../sites/checkpointSite.ts';
import { contains } from '../text/span.ts';
import { ownStatements } from './returnedValues.ts';

/** A reentrant region that a value was certainly computed through. */
export interface SiteBehind {
  readonly site: CheckpointSite;
  /** In the same function or class as the value; otherwise in another class of the file. */
  readonly isNear: boolean;
}

/** Functions that call functions end here. */
const longestChain = 6;

/**
 * The reentrant regions behind `value`, followed through the assignments of its function in source order and through calls of
 * the file's own functions, methods and modules. What is not followed counts as not behind it. With `from`, only regions that
 * one of these variables goes into: the way back to the others does not touch them.
 */
export function reentrantSitesBehind(
  value: Expression,
  context: LintContext,
  from?: readonly Expression[],
): readonly SiteBehind[] {
  const { names, module } = context;
  const reentrant = context.sites.filter((site) => isReentrant(site) && !site.configuresOnly);
  if (reentrant.length === 0) return [];
  const { function: inside, class: owner } = context.around(value);
  const behind = new Map<string, readonly SiteBehind[]>();
  const derived = new Set(from?.flatMap(variablesIn));
  if (from !== undefined && derived.size === 0) return [];
  follow(inside?.body ?? module.body, false);
  return unique(sitesIn(value));

  /** Carries what is known about names through a block, up to the value. */
  function follow(block: readonly Statement[], mayBeSkipped: boolean): void {
    for (const statement of block) {
      if (statement.start >= value.start) return;
      const { expressions, blocks } = partsOf(statement);
      if (statement.kind === 'assign' && statement.value !== undefined && !contains(statement, value)) {
        const found = sitesIn(statement.value);
        const targets = statement.targets.flatMap(variablesIn);
        for (const target of targets) {
          if (found.length > 0) behind.set(target, [...(mayBeSkipped ? (behind.get(target) ?? []) : []), ...found]);
          else if (!mayBeSkipped) behind.delete(target);
        }
        if (mentions(statement.value, derived)) for (const target of targets) derived.add(target);
      } else if (statement.kind === 'augmentedAssign') {
        for (const target of variablesIn(statement.target)) add(target, sitesIn(statement.value));
      } else if (statement.kind === 'expression') {
        for (const expression of expressions) collect(expression);
      }
      if (statement.kind === 'function' || statement.kind === 'class') continue;
      for (const inner of blocks) follow(inner, mayBeSkipped || statement.kind !== 'with');
    }
  }

  /** `losses.append(loss)`. */
  function collect(expression: Expression): void {
    if (expression.kind !== 'call' || expression.callee.kind !== 'attribute') return;
    const { object, attribute } = expression.callee;
    if (attribute.name !== 'append' && attribute.name !== 'extend') return;
    const found = expression.arguments.flatMap((argument) => sitesIn(argument.value));
    for (const target of variablesIn(object)) add(target, found);
  }

  function add(target: string, found: readonly SiteBehind[]): void {
    if (found.length > 0) behind.set(target, [...(behind.get(target) ?? []), ...found]);
  }

  function sitesIn(expression: Expression): readonly SiteBehind[] {
    const found: SiteBehind[] = [];
    const stack: Expression[] = [expression];
    for (let one = stack.pop(); one !== undefined; one = stack.pop()) {
      if (one.kind === 'lambda') continue;
      if (one.kind === 'name' || one.kind === 'attribute') found.push(...(behind.get(textOf(one)) ?? []));
      // What comes out of these has no graph behind it.
      if (one.kind === 'call' && one.callee.kind === 'attribute' && cutting.has(one.callee.attribute.name)) continue;
      if (one.kind === 'call') found.push(...sitesOfCall(one));
      stack.push(...childrenOf(one));
    }
    return found;
  }

  function sitesOfCall(call: Call): readonly SiteBehind[] {
    const own = reentrant.find((site) => site.call === call);
    if (own !== undefined) return isFed(own, derived) ? [{ site: own, isNear: true }] : [];
    const self = names.classOfSelf(call.callee);
    const made = self ?? instanceOf(call.callee);
    const called = made === undefined ? definedAs(call.callee) : methodNamed(made, 'forward');
    if (called === undefined) return [];
    const isNear = self !== undefined || made === undefined || made === owner;
    return sitesRunBy(called, parametersFed(call, called, derived), 0).map((site) => ({ site, isNear }));
  }

  function sitesRunBy(
    callable: FunctionDefinition | Lambda,
    fed: ReadonlySet<string>,
    depth: number,
  ): CheckpointSite[] {
    if (depth > longestChain || (from !== undefined && fed.size === 0)) return [];
    const inner = new Set(fed);
    // Twice, for what a loop carries from its end to its beginning.
    const statements = callable.kind === 'lambda' ? [] : ownStatements(callable.body);
    for (const statement of [...statements, ...statements]) {
      if (statement.kind !== 'assign' || statement.value === undefined || !mentions(statement.value, inner)) continue;
      for (const target of statement.targets.flatMap(variablesIn)) inner.add(target);
    }
    const found = reentrant.filter((site) => contains(callable, site.call) && isFed(site, inner));
    for (const call of context.calls.all()) {
      if (!contains(callable, call)) continue;
      const next = definedAs(call.callee);
      if (next !== undefined && next !== callable) {
        found.push(...sitesRunBy(next, parametersFed(call, next, inner), depth + 1));
      }
    }
    return found;
  }

  function isFed({ given }: CheckpointSite, variables: ReadonlySet<string>): boolean {
    return from === undefined || given.positional.slice(1).some((one) => mentions(one.value, variables));
  }

  /** Parameters a call binds to the variables; for `data.x`, passing `data` passes its attribute along. */
  function parametersFed(
    call: Call,
    { parameters }: FunctionDefinition | Lambda,
    variables: ReadonlySet<string>,
  ): ReadonlySet<string> {
    const positions = parameters[0]?.name === 'self' ? parameters.slice(1) : parameters;
    const fed = new Set<string>();
    for (const [index, argument] of call.arguments.entries()) {
      const parameter = argument.kind === 'keyword' ? argument.name.name : positions[index]?.name;
      if (parameter === undefined || argument.kind === 'splat') continue;
      if (mentions(argument.value, variables)) fed.add(parameter);
      if (argument.value.kind !== 'name') continue;
      const prefix = `${argument.value.name}.`;
      for (const one of variables) if (one.startsWith(prefix)) fed.add(`${parameter}.${one.slice(prefix.length)}`);
    }
    return fed;
  }

  function mentions(expression: Expression, variables: ReadonlySet<string>): boolean {
    if (variables.size === 0) return false;
    const stack: Expression[] = [expression];
    for (let one = stack.pop(); one !== undefined; one = stack.pop()) {
      if ((one.kind === 'name' || one.kind === 'attribute') && variables.has(textOf(one))) return true;
      stack.push(...childrenOf(one));
    }
    return false;
  }

  /** The function or method of this file that a callee is. */
  function definedAs(callee: Expression): FunctionDefinition | Lambda | undefined {
    const { targets, complete } = names.resolve(callee);
    const definition = targets[0]?.definition;
    return complete && targets.length === 1 && definition?.kind !== 'class' ? definition : undefined;
  }

  /** The class of this file that a name or attribute is the only kind of instance of. */
  function instanceOf(callee: Expression): ClassDefinition | undefined {
    const holder = callee.kind === 'attribute' ? names.classOfSelf(callee.object) : undefined;
    const values =
      callee.kind === 'name'
        ? names.bindingsOf(callee).map((binding) => (binding.to === 'value' ? binding.value : undefined))
        : callee.kind === 'attribute' && holder !== undefined
          ? names.memberValues(holder, callee.attribute.name)
          : [];
    const [made] = values;
    if (values.length !== 1 || made?.kind !== 'call') return undefined;
    const { targets, complete } = names.resolve(made.callee);
    const definition = targets[0]?.definition;
    return complete && targets.length === 1 && definition?.kind === 'class' ? definition : undefined;
  }

  function variablesIn(target: Expression): readonly string[] {
    if (target.kind === 'tuple' || target.kind === 'list') return target.elements.flatMap(variablesIn);
    if (target.kind === 'starred') return variablesIn(target.value);
    return target.kind === 'name' || target.kind === 'attribute' ? [textOf(target)] : [];
  }

  function textOf(expression: Expression): string {
    return module.text.slice(expression.start, expression.end);
  }
}

const cutting: ReadonlySet<string> = new Set(['detach', 'item', 'numpy', 'tolist']);

const methodNamed = (owner: ClassDefinition, name: string): FunctionDefinition | undefined =>
  owner.body.find((one): one is FunctionDefinition => one.kind === 'function' && one.name.name === name);

function unique(found: readonly SiteBehind[]): readonly SiteBehind[] {
  return found.filter((one, index) => found.findIndex(({ site }) => site === one.site) === index);
}
