import type { LintContext } from '../lint/rule.ts';
import type { Call, Comprehension, Expression } from '../python/ast.ts';
import { constantOf } from '../python/constants.ts';

/** Methods that change how many elements a list or a container of modules has. */
const resizing = ['append', 'extend', 'insert', 'pop', 'remove', 'clear', 'add_module', 'register_module'];

const longestChain = 8;

/**
 * How many elements a sequence has that is written out: a display, a comprehension over `range(…)`, `nn.Sequential(…)`, or a
 * name or attribute bound to one of these alone and never resized in this file.
 */
export function sequenceLength(expression: Expression, context: LintContext, depth = 0): number | undefined {
  if (depth > longestChain) return undefined;
  const { names } = context;
  switch (expression.kind) {
    case 'list':
    case 'tuple':
      return sum(
        expression.elements.map((one) => (one.kind === 'starred' ? sequenceLength(one.value, context, depth + 1) : 1)),
      );
    case 'comprehension':
      return comprehensionLength(expression, context);
    case 'call':
      return callLength(expression, context, depth);
    case 'name': {
      const bindings = names.bindingsOf(expression);
      const [binding] = bindings;
      if (bindings.length !== 1 || binding?.to !== 'value' || isResized(expression.name, context)) return undefined;
      return sequenceLength(binding.value, context, depth + 1);
    }
    case 'attribute': {
      const owner = names.classOfSelf(expression.object);
      const values = owner === undefined ? [] : names.memberValues(owner, expression.attribute.name);
      const [value] = values;
      if (values.length !== 1 || value === undefined || isResized(expression.attribute.name, context)) return undefined;
      return sequenceLength(value, context, depth + 1);
    }
    default:
      return undefined;
  }
}

function comprehensionLength({ form, clauses }: Comprehension, { names }: LintContext): number | undefined {
  const [clause] = clauses;
  if ((form !== 'list' && form !== 'generator') || clauses.length !== 1 || clause === undefined) return undefined;
  const { iterable, conditions } = clause;
  if (conditions.length > 0 || iterable.kind !== 'call' || iterable.callee.kind !== 'name') return undefined;
  if (iterable.callee.name !== 'range' || names.bindingsOf(iterable.callee).length > 0) return undefined;
  const bounds = iterable.arguments.map((one) =>
    one.kind === 'positional' ? constantOf(one.value, names) : undefined,
  );
  const [first, last] = bounds;
  if (bounds.length === 1 && typeof first === 'number') return Math.max(0, first);
  return bounds.length === 2 && typeof first === 'number' && typeof last === 'number'
    ? Math.max(0, last - first)
    : undefined;
}

function callLength(call: Call, context: LintContext, depth: number): number | undefined {
  const qualified = context.names.qualifiedName(call.callee);
  if (qualified === 'torch.nn.ModuleList') {
    const [only] = call.arguments;
    return only?.kind === 'positional' ? sequenceLength(only.value, context, depth + 1) : undefined;
  }
  if (qualified !== 'torch.nn.Sequential') return undefined;
  const [first, second] = call.arguments;
  // A sole argument may be an OrderedDict of modules.
  if (second === undefined && first?.kind === 'positional' && !isLibraryModule(first.value, context)) return undefined;
  return sum(
    call.arguments.map((one) =>
      one.kind === 'splat' ? sequenceLength(one.value, context, depth + 1) : one.kind === 'positional' ? 1 : undefined,
    ),
  );
}

const isLibraryModule = (expression: Expression, { names }: LintContext): boolean =>
  expression.kind === 'call' && (names.qualifiedName(expression.callee) ?? '').startsWith('torch.nn.');

const isResized = (name: string, { calls }: LintContext): boolean =>
  resizing.some((method) =>
    calls.named(method).some(({ callee }) => {
      const object = callee.kind === 'attribute' ? callee.object : undefined;
      return (
        (object?.kind === 'name' && object.name === name) ||
        (object?.kind === 'attribute' && object.attribute.name === name)
      );
    }),
  );

const sum = (parts: readonly (number | undefined)[]): number | undefined =>
  parts.reduce<number | undefined>(
    (total, part) => (total === undefined || part === undefined ? undefined : total + part),
    0,
  );
