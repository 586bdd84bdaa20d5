import type { Expression } from './ast.ts';
import type { Names } from './names.ts';

export type Constant = string | number | boolean | null;

/** Names that stand for names end here; only a cycle is longer. */
const longestChain = 16;

/**
 * The value of an expression that is a constant as written: literals, names bound to one constant, and arithmetic on
 * them. Undefined where anything is not known.
 */
export function constantOf(expression: Expression, names: Names, depth = 0): Constant | undefined {
  if (depth > longestChain) return undefined;
  const inner = (part: Expression): Constant | undefined => constantOf(part, names, depth + 1);
  switch (expression.kind) {
    case 'constant':
    case 'number':
    case 'string':
      return expression.value;
    case 'name': {
      const bindings = names.bindingsOf(expression);
      const [binding] = bindings;
      return bindings.length === 1 && binding?.to === 'value' ? inner(binding.value) : undefined;
    }
    case 'unary': {
      const operand = inner(expression.operand);
      if (expression.operator === 'not') return operand === undefined ? undefined : !isTruthy(operand);
      if (typeof operand !== 'number') return undefined;
      return expression.operator === '-' ? -operand : expression.operator === '+' ? operand : undefined;
    }
    case 'binary':
      return arithmetic(expression.operator, inner(expression.left), inner(expression.right));
    case 'conditional': {
      const test = inner(expression.test);
      return test === undefined ? undefined : inner(isTruthy(test) ? expression.whenTrue : expression.whenFalse);
    }
    default:
      return undefined;
  }
}

const isTruthy = (value: Constant): boolean => Boolean(value);

function arithmetic(operator: string, left: Constant | undefined, right: Constant | undefined): Constant | undefined {
  if (operator === 'or') return left === undefined ? undefined : isTruthy(left) ? left : right;
  if (operator === 'and') return left === undefined ? undefined : isTruthy(left) ? right : left;
  if (typeof left === 'string' && typeof right === 'string' && operator === '+') return left + right;
  if (typeof left !== 'number' || typeof right !== 'number') return undefined;
  switch (operator) {
    case '+':
      return left + right;
    case '-':
      return left - right;
    case '*':
      return left * right;
    case '/':
      return right === 0 ? undefined : left / right;
    case '//':
      return right === 0 ? undefined : Math.floor(left / right);
    case '%':
      return right === 0 ? undefined : left - right * Math.floor(left / right);
    case '**':
      return finite(left ** right);
    case '<<':
      return right >= 0 && right < 53 ? finite(left * 2 ** right) : undefined;
    default:
      return undefined;
  }
}

const finite = (value: number): number | undefined => (Number.isFinite(value) ? value : undefined);
