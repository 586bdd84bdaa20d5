import type { Constant } from '../python/constants.ts';

/** Python's arithmetic, as far as a double holds it. */
export function arithmetic(
  operator: string,
  left: Constant | undefined,
  right: Constant | undefined,
): Constant | undefined {
  if (typeof left === 'string' && typeof right === 'string' && operator === '+') return left + right;
  if (typeof left !== 'number' || typeof right !== 'number') return undefined;
  const result = numbers[operator]?.(left, right);
  return result !== undefined && Number.isFinite(result) ? result : undefined;
}

const numbers: Readonly<Record<string, (left: number, right: number) => number>> = {
  '+': (left, right) => left + right,
  '-': (left, right) => left - right,
  '*': (left, right) => left * right,
  '/': (left, right) => left / right,
  '//': (left, right) => Math.floor(left / right),
  '%': (left, right) => left - right * Math.floor(left / right),
  '**': (left, right) => left ** right,
  '<<': (left, right) => left * 2 ** right,
};

/** Python's comparisons. */
export function compare(
  operator: string,
  left: Constant | undefined,
  right: Constant | undefined,
): boolean | undefined {
  if (left === undefined || right === undefined) return undefined;
  switch (operator) {
    case '==':
    case 'is':
      return left === right;
    case '!=':
    case 'is not':
      return left !== right;
    case 'in':
      return typeof left === 'string' && typeof right === 'string' ? right.includes(left) : undefined;
    case 'not in':
      return typeof left === 'string' && typeof right === 'string' ? !right.includes(left) : undefined;
  }
  if (typeof left !== 'number' || typeof right !== 'number') return undefined;
  switch (operator) {
    case '<':
      return left < right;
    case '<=':
      return left <= right;
    case '>':
      return left > right;
    case '>=':
      return left >= right;
    default:
      return undefined;
  }
}

type Computed = Constant | undefined;

/** `int("8")` and its like: the same value in another type. */
export const conversions: Readonly<Record<string, (value: Constant) => Computed>> = {
  int: (value) => {
    const number = typeof value === 'string' && /^\s*-?\d+\s*$/.test(value) ? Number(value) : value;
    return typeof number === 'number' ? Math.trunc(number) : undefined;
  },
  float: (value) => {
    const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
    return typeof number === 'number' && Number.isFinite(number) ? number : undefined;
  },
  // Python writes floating-point numbers in its own way.
  str: (value) => (typeof value === 'string' ? value : undefined),
  bool: (value) => Boolean(value),
};

/** Functions of numbers; `len` takes what is no number and is worked out where lists are known. */
export const computations: Readonly<Record<string, (values: readonly Constant[]) => Computed>> = {
  min: (values) => ofNumbers(values, (numbers) => Math.min(...numbers)),
  max: (values) => ofNumbers(values, (numbers) => Math.max(...numbers)),
  abs: (values) => ofNumbers(values, ([number]) => Math.abs(number ?? 0)),
  len: () => undefined,
  'math.ceil': (values) => ofNumbers(values, ([number]) => Math.ceil(number ?? 0)),
  'math.floor': (values) => ofNumbers(values, ([number]) => Math.floor(number ?? 0)),
  'math.sqrt': (values) => ofNumbers(values, ([number]) => Math.sqrt(number ?? 0)),
};

function ofNumbers(values: readonly Constant[], compute: (numbers: readonly number[]) => number): Computed {
  const numbers = values.filter((value) => typeof value === 'number');
  const result = numbers.length === values.length && numbers.length > 0 ? compute(numbers) : Number.NaN;
  return Number.isFinite(result) ? result : undefined;
}
