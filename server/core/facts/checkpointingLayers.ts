import type { Expression } from '../python/ast.ts';
import { anyIn } from './checkpointingLoop.ts';
import { type CheckpointingReading, checkpointed, reading, supposed } from './checkpointingReading.ts';
import { isSize } from './modelReading.ts';
import { type Condition, derivedAt, lastName, originOf, type ReadValue, type Source, writtenAs } from './source.ts';
import { conjuncts } from './trainingGuard.ts';

/** Which of the layers a loop walks over are checkpointed. */
export type Picked =
  | { readonly kind: 'all' }
  | { readonly kind: 'every' | 'first' | 'from'; readonly count: ReadValue }
  | { readonly kind: 'some'; readonly at: Expression };

/** Whether a test asks for the number of a layer, of which `index` is the loop's own name. */
export const asksForLayer =
  (index: string | undefined) =>
  (test: Expression): boolean =>
    !(test.kind === 'binary' && (test.operator === 'and' || test.operator === 'or')) && picks(test, index);

/** Whether a tensor of the layer's needs gradients picks no layers. */
const picks = (test: Expression, index: string | undefined): boolean =>
  !(test.kind === 'attribute' && !layerNames.test(test.attribute.name)) && mentionsLayer(test, index);

export function pickedLayers(source: Source, conditions: readonly Condition[], index: string | undefined): Picked {
  const tests = conditions.flatMap(({ statement, branch }) =>
    statement.kind !== 'if'
      ? []
      : statement.branches.slice(0, branch + 1).flatMap(({ test }, position) => {
          const isWanted = position === branch;
          const parts = isWanted ? conjuncts(test) : [test];
          return parts.filter((part) => picks(part, index)).map((part) => ({ part, isWanted }));
        }),
  );
  const [first] = tests;
  if (first === undefined) return { kind: 'all' };
  const picked = tests.length === 1 ? pickedBy(source, first.part, first.isWanted, index) : undefined;
  return picked ?? { kind: 'some', at: first.part };
}

/** The number of a layer: the loop's own name, or what layers call it. */
function isLayer(expression: Expression, index: string | undefined): boolean {
  if (expression.kind === 'name') return expression.name === index || layerNames.test(expression.name);
  if (expression.kind === 'call' && lastName(expression.callee) === 'int' && expression.arguments[0] !== undefined)
    return isLayer(expression.arguments[0].value, index);
  if (expression.kind === 'attribute') return layerNames.test(expression.attribute.name);
  if (expression.kind === 'binary' && /^[+-]$/.test(expression.operator))
    return isLayer(expression.left, index) && expression.right.kind === 'number';
  return false;
}

const layerNames = /^(layer|block)_?(idx|id|index|number|num|i)$/;

const mentionsLayer = (expression: Expression, index: string | undefined): boolean =>
  anyIn(expression, (each) => isLayer(each, index));

function pickedBy(source: Source, test: Expression, isWanted: boolean, index: string | undefined): Picked | undefined {
  if (test.kind === 'unary' && test.operator === 'not') return pickedBy(source, test.operand, !isWanted, index);
  const cycle = cycleOf(test, index);
  if (cycle !== undefined) return everyCycle(source, cycle, false, isWanted);
  if (test.kind !== 'comparison' || test.operands.length !== 2) return undefined;
  const [left, right] = test.operands;
  const [operator] = test.operators;
  if (left === undefined || right === undefined || operator === undefined) return undefined;
  const counted = cycleOf(left, index);
  if (counted !== undefined && (operator === '==' || operator === '!=') && source.read(right) !== undefined)
    return everyCycle(source, counted, operator === '==', isWanted);
  if (isLayer(right, index)) return boundBy(source, left, flipped[operator], isWanted);
  return isLayer(left, index) ? boundBy(source, right, operator, isWanted) : undefined;
}

/** `n` of `i % n`. */
const cycleOf = (expression: Expression, index: string | undefined): Expression | undefined =>
  expression.kind === 'binary' && expression.operator === '%' && isLayer(expression.left, index)
    ? expression.right
    : undefined;

/** One in `n` where the remainder is one value; all but one in `n` is one in `n` only for two. */
function everyCycle(source: Source, cycle: Expression, isEqual: boolean, isWanted: boolean): Picked | undefined {
  const count = source.read(cycle);
  if (count === undefined || !isSize(count.value)) return undefined;
  return isEqual === isWanted || count.value === 2 ? { kind: 'every', count } : undefined;
}

const flipped: Readonly<Record<string, string>> = { '<': '>', '>': '<', '<=': '>=', '>=': '<=' };
const opposite: Readonly<Record<string, string>> = { '<': '>=', '>': '<=', '<=': '>', '>=': '<' };

function boundBy(
  source: Source,
  bound: Expression,
  operator: string | undefined,
  isWanted: boolean,
): Picked | undefined {
  const meant = operator === undefined || isWanted ? operator : opposite[operator];
  const read = source.read(bound);
  if (meant === undefined || read === undefined || typeof read.value !== 'number') return undefined;
  const isFirst = meant === '<' || meant === '<=';
  const includes = meant === '<=' || meant === '>';
  if (!isFirst && meant !== '>' && meant !== '>=') return undefined;
  const value = includes ? read.value + 1 : read.value;
  const count = includes ? { ...read, value, from: `${writtenAs(source, bound)} + 1` } : read;
  return Number.isInteger(value) && value >= 0 ? { kind: isFirst ? 'first' : 'from', count } : undefined;
}

/** What a picked part of the layers makes of checkpointing them; `layers` is how many the model has. */
export function withPicked(
  source: Source,
  whole: CheckpointingReading,
  picked: Picked,
  layers: number | undefined,
): CheckpointingReading {
  if (picked.kind === 'all') return whole;
  const { value } = whole.fact;
  const mechanism = value.mechanism ?? 'checkpoint';
  if (picked.kind === 'some') {
    const line = source.lineOf(picked.at);
    const why = `which layers line ${line} checkpoints (${writtenAs(source, picked.at)}) could not be read; all are counted`;
    return supposed(value, why);
  }
  const { count } = picked;
  const number = Number(count.value);
  if (picked.kind === 'from') {
    if (layers === undefined)
      return supposed(value, `the layers before ${number} are not checkpointed, and how many there are is not known`);
    const from = `layers from ${number} on, of ${layers}`;
    const left = Math.max(0, layers - number);
    return reading(
      checkpointed(mechanism, { ...value, layers: left }),
      derivedAt(source, count.at, from),
      whole.notes,
      count.options,
    );
  }
  const more = picked.kind === 'every' ? { every: number } : { layers: number };
  return reading(checkpointed(mechanism, { ...value, ...more }), originOf(source, count), whole.notes, [
    ...whole.options,
    ...count.options,
  ]);
}
