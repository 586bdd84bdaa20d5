import type { Expression, FunctionDefinition, Lambda } from '../python/ast.ts';
import { expressionsUnder } from '../python/walk.ts';
import { anyIn } from './checkpointingLoop.ts';
import { partNames } from './checkpointingRegion.ts';
import { isSize } from './modelReading.ts';
import { lastName, type ReadValue, type Source, writtenAs } from './source.ts';

/** Which modules a wrapper is put around. */
export type Wrapped =
  | { readonly kind: 'layers'; readonly every?: ReadValue; readonly share?: ReadValue }
  | { readonly kind: 'part'; readonly words: string }
  | { readonly kind: 'everything' }
  | { readonly kind: 'unknown'; readonly words: string };

/** `{Block}`, `[Block, Other]`, `Block`: classes by which layers are found. */
export function wrappedClasses(source: Source, given: Expression): Wrapped {
  const roots = source.rootsOf(given);
  const [root] = roots;
  const unknown: Wrapped = { kind: 'unknown', words: writtenAs(source, given) };
  if (root === undefined || roots.length !== 1) return unknown;
  const elements = root.kind === 'set' || root.kind === 'list' || root.kind === 'tuple' ? root.elements : [root];
  const names = elements.flatMap((each) => (each.kind === 'name' || each.kind === 'attribute' ? [lastName(each)] : []));
  if (names.length === 0 || names.length !== elements.length || names.some((name) => !/^[A-Z]/.test(name)))
    return unknown;
  const isPart = names.every((name) => partNames.test(name));
  return isPart ? { kind: 'part', words: names.join(' and ') } : { kind: 'layers' };
}

/** A policy of torch: `ModuleWrapPolicy({Block})`, `partial(transformer_auto_wrap_policy, transformer_layer_cls={Block})`. */
export function wrappedByPolicy(source: Source, policy: Expression): Wrapped {
  const roots = source.rootsOf(policy);
  const [root] = roots;
  if (roots.length === 1 && root?.kind === 'call') {
    const named = root.arguments.find((each) => each.kind === 'keyword' && classNames.test(each.name.name));
    const first = root.arguments.find((each) => each.kind === 'positional');
    const isWrapPolicy = lastName(root.callee) === 'ModuleWrapPolicy';
    const given = named?.value ?? (isWrapPolicy ? first?.value : undefined);
    if (given !== undefined) return wrappedClasses(source, given);
  }
  const written = wrappedClasses(source, policy);
  return written.kind === 'unknown' ? wrappedByCheck(source, policy) : written;
}

const classNames = /^(transformer_layer_cls|module_classes)$/;

/** `check_fn`: a test of the class, perhaps with a count that lets only some of the layers through. */
export function wrappedByCheck(source: Source, check: Expression): Wrapped {
  const words = writtenAs(source, check);
  const { targets } = source.names.resolve(check);
  const definition = targets.length === 1 ? targets[0]?.definition : undefined;
  if (definition === undefined || definition.kind === 'class') return { kind: 'unknown', words };
  const inside = insideOf(definition);
  const tests = inside.flatMap((each) =>
    each.kind === 'call' && each.callee.kind === 'name' && each.callee.name === 'isinstance' ? [each] : [],
  );
  const asked = tests.map((test) => test.arguments[1]?.value);
  const [classes] = asked;
  if (definition.kind === 'lambda' && definition.body.kind === 'constant' && definition.body.value === true)
    return { kind: 'everything' };
  if (classes === undefined || asked.length !== 1) return { kind: 'unknown', words };
  const wrapped = wrappedClasses(source, classes);
  if (wrapped.kind !== 'layers') return wrapped;
  return counted(source, inside) ?? (isOnlyTest(definition) ? wrapped : { kind: 'unknown', words });
}

const insideOf = (definition: FunctionDefinition | Lambda): readonly Expression[] =>
  definition.kind === 'lambda' ? [...within(definition.body)] : [...expressionsUnder(definition.body)];

function within(expression: Expression): readonly Expression[] {
  const found: Expression[] = [];
  anyIn(expression, (each) => {
    found.push(each);
    return false;
  });
  return found;
}

/** `count % n == 0` lets one in `n` through, `count * p >= cut` the share `p`. */
function counted(source: Source, inside: readonly Expression[]): Wrapped | undefined {
  for (const each of inside) {
    if (each.kind !== 'comparison') continue;
    const [left] = each.operands;
    if (left?.kind !== 'binary') continue;
    if (left.operator === '%' && each.operators[0] === '==') {
      const every = source.read(left.right);
      return every !== undefined && isSize(every.value)
        ? { kind: 'layers', every }
        : { kind: 'unknown', words: writtenAs(source, each) };
    }
    if (left.operator === '*' && /^>=?$/.test(each.operators[0] ?? '')) {
      const share = [left.left, left.right]
        .map((side) => source.read(side))
        .find((read) => typeof read?.value === 'number' && read.value > 0 && read.value <= 1);
      return share === undefined ? { kind: 'unknown', words: writtenAs(source, each) } : { kind: 'layers', share };
    }
  }
  return undefined;
}

/** Nothing but the test of the class decides. */
function isOnlyTest(definition: FunctionDefinition | Lambda): boolean {
  const isTest = (expression: Expression | undefined): boolean =>
    expression?.kind === 'call' && expression.callee.kind === 'name' && expression.callee.name === 'isinstance';
  if (definition.kind === 'lambda') return isTest(definition.body);
  return definition.body.every(
    (statement) =>
      statement.kind === 'expression' ||
      (statement.kind === 'return' && (isTest(statement.value) || statement.value?.kind === 'constant')) ||
      (statement.kind === 'if' &&
        statement.branches.every(({ test, body }) => isTest(test) && body.every(({ kind }) => kind === 'return'))),
  );
}
