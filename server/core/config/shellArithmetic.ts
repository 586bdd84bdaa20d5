/** A number of a script, and whether it hangs on something that whoever starts the script may give. */
export interface ShellNumber {
  readonly value: number;
  readonly isSupposed: boolean;
}

/**
 * The value of `$(( … ))` as far as `+ - * / % **` and brackets go, in whole numbers. Undefined where anything else stands
 * in it or a name has no number.
 */
export function shellArithmetic(
  expression: string,
  numberOf: (name: string) => ShellNumber | undefined,
): ShellNumber | undefined {
  if (expression.length > longestExpression) return undefined;
  const tokens = expression.match(/\d+|\$?\{?[A-Za-z_]\w*\}?|\*\*|\S/g) ?? [];
  let position = 0;
  let isSupposed = false;
  const value = sum();
  return value === undefined || position < tokens.length || !Number.isSafeInteger(value)
    ? undefined
    : { value, isSupposed };

  function sum(): number | undefined {
    return chain(product, ['+', '-']);
  }

  function product(): number | undefined {
    return chain(power, ['*', '/', '%']);
  }

  function chain(operand: () => number | undefined, operators: readonly string[]): number | undefined {
    let left = operand();
    while (left !== undefined && operators.includes(tokens[position] ?? '')) {
      const operator = tokens[position++];
      const right = operand();
      left = right === undefined ? undefined : applied(left, operator, right);
    }
    return left;
  }

  function power(): number | undefined {
    const base = atom();
    if (base === undefined || tokens[position] !== '**') return base;
    position++;
    const exponent = power();
    return exponent === undefined || exponent < 0 ? undefined : base ** exponent;
  }

  function atom(): number | undefined {
    const token = tokens[position++];
    if (token === undefined) return undefined;
    if (/^\d/.test(token)) return Number(token);
    if (token === '(') {
      const inner = sum();
      return tokens[position++] === ')' ? inner : undefined;
    }
    const name = /^(?:\$?([A-Za-z_]\w*)|\$\{([A-Za-z_]\w*)\})$/.exec(token);
    const found = name && numberOf(name[1] ?? name[2] ?? '');
    if (found?.isSupposed === true) isSupposed = true;
    return found?.value;
  }
}

/** Longer than any computation a person writes; brackets may nest as deep as it is long. */
const longestExpression = 300;

function applied(left: number, operator: string | undefined, right: number): number | undefined {
  if (operator === '+') return left + right;
  if (operator === '-') return left - right;
  if (operator === '*') return left * right;
  if (right === 0) return undefined;
  return operator === '/' ? Math.trunc(left / right) : left % right;
}
