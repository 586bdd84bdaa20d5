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
