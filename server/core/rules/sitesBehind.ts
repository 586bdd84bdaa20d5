import type { LintContext } from '../lint/rule.ts';
import type { Call, ClassDefinition, Expression, FunctionDefinition, Lambda, Statement } from '../python/ast.ts';
import { childrenOf, partsOf } from '../python/walk.ts';
import { type CheckpointSite, isReentrant } from '../sites/checkpointSite.ts';
import { contains, type Span } from '../text/span.ts';

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
 * the file's own functions, methods and modules. What is not followed counts as not behind it.
 */
export function reentrantSitesBehind(value: Expression, context: LintContext): readonly SiteBehind[] {
  const { names, module } = context;
  const reentrant = context.sites.filter((site) => isReentrant(site) && !site.configuresOnly);
  if (reentrant.length === 0) return [];
  const { function: inside, class: owner } = context.around(value);
  const behind = new Map<string, readonly SiteBehind[]>();
  follow(inside?.body ?? module.body, false);
  return unique(sitesIn(value));

  /** Carries what is known about names through a block, up to the value. */
  function follow(block: readonly Statement[], mayBeSkipped: boolean): void {
    for (const statement of block) {
      if (statement.start >= value.start) return;
      const { expressions, blocks } = partsOf(statement);
      if (statement.kind === 'assign' && statement.value !== undefined && !contains(statement, value)) {
        const found = sitesIn(statement.value);
        for (const target of statement.targets.flatMap(namesIn)) {
          if (found.length > 0) behind.set(target, [...(mayBeSkipped ? (behind.get(target) ?? []) : []), ...found]);
          else if (!mayBeSkipped) behind.delete(target);
        }
      } else if (statement.kind === 'augmentedAssign') {
        for (const target of namesIn(statement.target)) {
          behind.set(target, [...(behind.get(target) ?? []), ...sitesIn(statement.value)]);
        }
      } else if (statement.kind === 'expression') {
        for (const expression of expressions) collected(expression);
      }
      if (statement.kind === 'function' || statement.kind === 'class') continue;
      const isBranch = statement.kind !== 'with';
      for (const inner of blocks) follow(inner, mayBeSkipped || isBranch);
    }
  }

  /** `losses.append(loss)`. */
  function collected(expression: Expression): void {
    if (expression.kind !== 'call' || expression.callee.kind !== 'attribute') return;
    const { object, attribute } = expression.callee;
    if (attribute.name !== 'append' && attribute.name !== 'extend') return;
    const found = expression.arguments.flatMap((argument) => sitesIn(argument.value));
    for (const target of namesIn(object)) behind.set(target, [...(behind.get(target) ?? []), ...found]);
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
    if (own !== undefined) return [{ site: own, isNear: true }];
    const self = names.classOfSelf(call.callee);
    const made = self ?? instanceOf(call.callee);
    const called = made === undefined ? definedAs(call.callee) : methodNamed(made, 'forward');
    const isNear = self !== undefined || made === undefined || made === owner;
    return called === undefined ? [] : sitesRunBy(called, 0, new Set()).map((site) => ({ site, isNear }));
  }

  function sitesRunBy(callable: FunctionDefinition | Lambda, depth: number, seen: Set<unknown>): CheckpointSite[] {
    if (depth > longestChain || seen.has(callable)) return [];
    seen.add(callable);
    const found = reentrant.filter(({ call }) => contains(callable, call));
    for (const call of context.calls.all) {
      if (!contains(callable, call)) continue;
      const next = definedAs(call.callee);
      if (next !== undefined) found.push(...sitesRunBy(next, depth + 1, seen));
    }
    return found;
  }

  /** The function or method of this file that a callee is. */
  function definedAs(callee: Expression): FunctionDefinition | Lambda | undefined {
    const { targets, complete } = names.resolve(callee);
    const definition = targets[0]?.definition;
    return complete && targets.length === 1 && definition?.kind !== 'class' ? definition : undefined;
  }

  /** The class of this file that a name or attribute is the only kind of instance of. */
  function instanceOf(callee: Expression): ClassDefinition | undefined {
    const values =
      callee.kind === 'name'
        ? names.bindingsOf(callee).map((binding) => (binding.to === 'value' ? binding.value : undefined))
        : membersBehind(callee);
    const [made] = values;
    if (values.length !== 1 || made?.kind !== 'call') return undefined;
    const { targets, complete } = names.resolve(made.callee);
    const definition = targets[0]?.definition;
    return complete && targets.length === 1 && definition?.kind === 'class' ? definition : undefined;
  }

  function membersBehind(callee: Expression): readonly Expression[] {
    const holder = callee.kind === 'attribute' ? names.classOfSelf(callee.object) : undefined;
    return holder === undefined || callee.kind !== 'attribute' ? [] : names.memberValues(holder, callee.attribute.name);
  }

  function textOf(span: Span): string {
    return module.text.slice(span.start, span.end);
  }

  function namesIn(target: Expression): readonly string[] {
    if (target.kind === 'tuple' || target.kind === 'list') return target.elements.flatMap(namesIn);
    if (target.kind === 'starred') return namesIn(target.value);
    return target.kind === 'name' || target.kind === 'attribute' ? [textOf(target)] : [];
  }
}

const cutting: ReadonlySet<string> = new Set(['detach', 'item', 'numpy', 'tolist']);

const methodNamed = (owner: ClassDefinition, name: string): FunctionDefinition | undefined =>
  owner.body.find((one): one is FunctionDefinition => one.kind === 'function' && one.name.name === name);

function unique(found: readonly SiteBehind[]): readonly SiteBehind[] {
  return found.filter((one, index) => found.findIndex(({ site }) => site === one.site) === index);
}
