/** The few of Node's assertions that tests in the extension host use, for a host that has no Node. */
const assert = {
  ok(value: unknown, message = `${shown(value)} is not true`): asserts value {
    if (!value) throw new Error(message);
  },
  fail(message: string): never {
    throw new Error(message);
  },
  equal(actual: unknown, expected: unknown, message = 'not equal'): void {
    if (!Object.is(actual, expected)) throw new Error(`${message}: ${shown(actual)} is not ${shown(expected)}`);
  },
  notEqual(actual: unknown, expected: unknown, message = 'equal'): void {
    if (Object.is(actual, expected)) throw new Error(`${message}: ${shown(actual)}`);
  },
  deepEqual(actual: unknown, expected: unknown, message = 'not equal'): void {
    if (shown(actual) !== shown(expected)) throw new Error(`${message}: ${shown(actual)} is not ${shown(expected)}`);
  },
  match(actual: string, pattern: RegExp, message = 'no match'): void {
    if (!pattern.test(actual)) throw new Error(`${message}: ${pattern} is not in ${shown(actual)}`);
  },
  doesNotMatch(actual: string, pattern: RegExp, message = 'a match'): void {
    if (pattern.test(actual)) throw new Error(`${message}: ${pattern} is in ${shown(actual)}`);
  },
};

/** Plain data only, with its keys in the order they were written in. */
function shown(value: unknown): string {
  return JSON.stringify(value) ?? String(value);
}

// It stands in for a module of Node that has a default export.
// biome-ignore lint/style/noDefaultExport: see above
export default assert;
