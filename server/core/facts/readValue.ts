import type { Call, Expression, Subscript } from '../python/ast.ts';
import type { Constant } from '../python/constants.ts';
import type { Binding, BranchStep } from '../python/scope.ts';
import type { Span } from '../text/span.ts';
import { optionOfFunction } from './commandFunction.ts';
import { itemOf } from './fields.ts';
import { fieldValue } from './fieldValue.ts';
import { formattedText } from './formattedText.ts';
import { arithmetic, compare, computations, conversions } from './operators.ts';
import { type ReadValue, type Source, writtenAs } from './source.ts';
import { unpackedElement } from './unpacked.ts';

/**
 * The value of an expression as far as the file says it: literals, names, arithmetic, comparisons, attributes and items of
 * objects whose making is in the file. A name leads to the literal it was bound to. Undefined where anything is not known.
 */
export function readValue(source: Source, expression: Expression): ReadValue | undefined {
  switch (expression.kind) {
    case 'constant':
    case 'number':
      return expression.value === undefined ? undefined : literal(expression.value, expression);
    case 'string':
      return expression.value === undefined ? formattedText(source, expression) : literal(expression.value, expression);
    case 'named':
      return source.read(expression.value);
    case 'name': {
      const bindings = source.names.bindingsOf(expression);
      const [binding] = bindings;
      if (bindings.length !== 1) return oneOfBranches(source, bindings);
      if (binding?.to === 'value') return source.read(binding.value);
      if (binding?.to === 'parameter') {
        const given = source.argumentFromElsewhere(expression) ?? source.argumentFor(expression);
        if (given !== undefined) return source.read(given);
        return fieldValue(source, optionOfFunction(source, binding.parameter, binding.scope.node));
      }
      if (binding?.to === 'unknown') return unpackedValue(source, expression.name, binding.from);
      return binding?.to === 'import'
        ? (dataTypeNamed(source, expression) ?? outsideValue(source, expression))
        : undefined;
    }
    case 'unary':
      return unary(source, expression.operator, expression.operand, expression);
    case 'binary':
      return binary(source, expression.operator, expression.left, expression.right, expression);
    case 'comparison': {
      const [left, right] = expression.operands;
      const [operator] = expression.operators;
      if (expression.operands.length !== 2 || left === undefined || right === undefined) return undefined;
      const among = operator === 'in' || operator === 'not in' ? elementsOf(source, right) : undefined;
      if (among !== undefined)
        return combined(source, expression, [left, ...among], ([a, ...all]) =>
          a === undefined ? undefined : all.includes(a) === (operator === 'in'),
        );
      return combined(source, expression, [left, right], ([a, b]) => compare(operator ?? '', a, b));
    }
    case 'conditional': {
      const test = source.read(expression.test);
      if (test === undefined) return undefined;
      const taken = source.read(test.value ? expression.whenTrue : expression.whenFalse);
      return taken && { ...taken, supposing: taken.supposing ?? test.supposing, options: bothOptions(taken, test) };
    }
    case 'attribute':
      return (
        dataTypeNamed(source, expression) ??
        outsideValue(source, expression) ??
        memberValue(source, expression.object, expression.attribute.name)
      );
    case 'subscript':
      return itemValue(source, expression);
    case 'call':
      return callValue(source, expression);
    default:
      return undefined;
  }
}

const literal = (value: Constant, at: Span): ReadValue => ({
  value,
  at,
  from: undefined,
  supposing: undefined,
  options: [],
});

/** torch's data types are read as texts under their own names. */
const dataTypes = new Set(
  ['bfloat16', 'float16', 'half', 'float32', 'float', 'float64', 'double'].map((name) => `torch.${name}`),
);

function dataTypeNamed(source: Source, expression: Expression): ReadValue | undefined {
  const qualified = source.names.qualifiedName(expression);
  return qualified !== undefined && dataTypes.has(qualified) ? literal(qualified, expression) : undefined;
}

const bothOptions = (a: ReadValue, b: ReadValue): readonly string[] => [...a.options, ...b.options];

function combined(
  source: Source,
  whole: Expression,
  parts: readonly Expression[],
  compute: (values: readonly Constant[]) => Constant | undefined,
): ReadValue | undefined {
  const read: ReadValue[] = [];
  for (const part of parts) {
    const value = source.read(part);
    if (value === undefined) return undefined;
    read.push(value);
  }
  const value = compute(read.map((each) => each.value));
  if (value === undefined) return undefined;
  return {
    value,
    at: whole,
    from: writtenAs(source, whole),
    supposing: read.find((each) => each.supposing !== undefined)?.supposing,
    options: read.flatMap((each) => each.options),
  };
}

function unary(source: Source, operator: string, operand: Expression, whole: Expression): ReadValue | undefined {
  const computed = combined(source, whole, [operand], ([value]) => {
    if (operator === 'not') return !value;
    if (typeof value !== 'number') return undefined;
    return operator === '-' ? -value : operator === '+' ? value : undefined;
  });
  // `-1` is as literal as `1`.
  return computed !== undefined && operand.kind === 'number' ? { ...computed, from: undefined } : computed;
}

function binary(
  source: Source,
  operator: string,
  left: Expression,
  right: Expression,
  whole: Expression,
): ReadValue | undefined {
  if (operator !== 'or' && operator !== 'and')
    return combined(source, whole, [left, right], ([a, b]) => arithmetic(operator, a, b));
  const first = source.read(left);
  if (first === undefined) return undefined;
  const endsHere = operator === 'or' ? Boolean(first.value) : !first.value;
  if (endsHere) return first;
  const second = source.read(right);
  return second && { ...second, supposing: second.supposing ?? first.supposing, options: bothOptions(first, second) };
}

const memberValue = (source: Source, object: Expression, key: string): ReadValue | undefined =>
  fieldValue(source, source.fieldsOf(object, undefined, key)?.fields.get(key));

function itemValue(source: Source, whole: Subscript): ReadValue | undefined {
  const { object, indices } = whole;
  const [index] = indices;
  const key = index === undefined || indices.length !== 1 ? undefined : source.read(index);
  if (key === undefined || index === undefined) return undefined;
  if (typeof key.value === 'number') {
    const item = itemOf(source, whole);
    return item && source.read(item);
  }
  if (typeof key.value !== 'string') return undefined;
  const read = memberValue(source, object, key.value);
  if (read === undefined || index.kind === 'string') return read;
  // A table looked up by a setting (`{'bf16': torch.bfloat16}[dtype]`): the setting is what a person would change.
  return { ...read, at: key.at, from: key.from, supposing: key.supposing, options: bothOptions(read, key) };
}

/** An imported constant, from the file that binds it. */
function outsideValue(source: Source, name: Expression): ReadValue | undefined {
  const outside = source.outside(name);
  if (outside === undefined || !('value' in outside)) return undefined;
  const read = outside.source.read(outside.value);
  return read && source.handedOver(outside.source, read);
}

function unpackedValue(source: Source, name: string, from: number): ReadValue | undefined {
  const element = unpackedElement(source, name, from);
  const read = element?.source.read(element.value);
  return element && read && source.handedOver(element.source, read);
}

/** A name that several branches bind: the one branch that runs, where all their tests are known. */
function oneOfBranches(source: Source, bindings: readonly Binding[]): ReadValue | undefined {
  const running = bindings.filter(({ path }) => !path.some((step) => holdsIn(source, step) === false));
  const [first] = running;
  if (running.length === 0 || first?.to !== 'value' || running.length === bindings.length) return undefined;
  const isCertain = first.path.every((step) => holdsIn(source, step) === true);
  return isCertain || running.length === 1 ? source.read(first.value) : undefined;
}

const holdsIn = (source: Source, { statement, branch }: BranchStep): boolean | undefined =>
  statement.kind === 'if' ? source.holds({ statement, branch }) : undefined;

/** The parts of a written tuple, list or set. */
function elementsOf(source: Source, expression: Expression): readonly Expression[] | undefined {
  const roots = source.rootsOf(expression);
  const [root] = roots;
  if (roots.length !== 1 || (root?.kind !== 'tuple' && root?.kind !== 'list' && root?.kind !== 'set')) return undefined;
  return root.elements.some(({ kind }) => kind === 'starred') ? undefined : root.elements;
}

/** Questions about the machine that a training machine answers with yes. */
const gpuQuestions = new Set([
  'torch.cuda.is_available',
  'torch.cuda.is_bf16_supported',
  'transformers.utils.is_torch_bf16_gpu_available',
  'transformers.utils.import_utils.is_torch_bf16_gpu_available',
  'transformers.is_torch_bf16_gpu_available',
  'unsloth.is_bfloat16_supported',
  'unsloth.is_bf16_supported',
]);

function callValue(source: Source, call: Call): ReadValue | undefined {
  const { callee, arguments: given } = call;
  const qualified = source.names.qualifiedName(callee);
  if (qualified !== undefined && gpuQuestions.has(qualified))
    return { ...literal(true, call), supposing: `on a GPU with ${lastPart(qualified)}()` };
  const [first, second] = given.map((argument) => (argument.kind === 'positional' ? argument.value : undefined));
  const builtin = callee.kind === 'name' && source.names.bindingsOf(callee).length === 0 ? callee.name : undefined;
  if (builtin === 'getattr' && first !== undefined && second !== undefined) {
    const key = source.read(second);
    const name = typeof key?.value === 'string' ? key.value : '';
    if (source.names.qualifiedName(first) === 'torch' && dataTypes.has(`torch.${name}`) && key !== undefined)
      return { ...key, value: `torch.${name}` };
    return memberValue(source, first, name);
  }
  const computed = computedValue(source, call, builtin ?? qualified);
  if (computed !== undefined) return computed;
  if ((qualified === 'os.environ.get' || qualified === 'os.getenv') && first !== undefined && second !== undefined) {
    const variable = source.read(first)?.value;
    const read = source.read(second);
    return read && { ...read, supposing: `unless $${String(variable)} is set` };
  }
  if (callee.kind === 'attribute' && callee.attribute.name === 'get' && first !== undefined)
    return dictionaryValue(source, callee.object, first, second);
  return undefined;
}

/** Python's own functions over values that are known; the place of what is only converted stays the value's. */
function computedValue(source: Source, call: Call, name: string | undefined): ReadValue | undefined {
  const convert = name === undefined ? undefined : conversions[name];
  const compute = name === undefined ? undefined : computations[name];
  if (convert === undefined && compute === undefined) return undefined;
  const given = call.arguments.flatMap((argument) => (argument.kind === 'positional' ? [argument.value] : []));
  const [first] = given;
  if (given.length !== call.arguments.length || first === undefined) return undefined;
  if (convert !== undefined) {
    const read = given.length === 1 ? source.read(first) : undefined;
    const value = read && convert(read.value);
    return read && value !== undefined ? { ...read, value } : undefined;
  }
  if (name === 'len') {
    const elements = elementsOf(source, first);
    return elements && { ...literal(elements.length, call), from: writtenAs(source, call) };
  }
  return combined(source, call, given, (values) => compute?.(values));
}

/** `table.get(key, otherwise)`; what a table does not hold is known only where all of it is. */
function dictionaryValue(
  source: Source,
  object: Expression,
  key: Expression,
  otherwise: Expression | undefined,
): ReadValue | undefined {
  const name = source.read(key)?.value;
  const fields = source.fieldsOf(object);
  if (name === undefined || fields === undefined) return undefined;
  const found = fields.fields.get(String(name));
  if (found !== undefined) return fieldValue(source, found);
  return fields.open === undefined && otherwise !== undefined ? source.read(otherwise) : undefined;
}

const lastPart = (qualified: string): string => qualified.slice(qualified.lastIndexOf('.') + 1);
