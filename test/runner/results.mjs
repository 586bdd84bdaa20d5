import { existsSync, readFileSync } from 'node:fs';

/** What one step of `npm test` came to. `failures` are what a person reads to repair it. */
export const noResults = () => ({ passed: 0, failed: 0, skipped: 0, failures: [] });

export const onePassed = () => ({ ...noResults(), passed: 1 });
export const oneFailed = (why) => ({ ...noResults(), failed: 1, failures: [why] });

/**
 * Reads the JSON lines a suite wrote, `{name, status, seconds, error}` each. A suite that ended badly without a failed test, or
 * that ran nothing, counts as one failure: silence is never success.
 */
export function readResults(file, { code, output, timedOut }) {
  const results = noResults();
  const lines = existsSync(file) ? readFileSync(file, 'utf8').split('\n') : [];
  for (const line of lines.filter((text) => text !== '')) {
    const { name, status, error } = JSON.parse(line);
    results[status] += 1;
    if (status === 'failed') results.failures.push(`${name}\n${error ?? ''}`);
  }
  const ran = results.passed + results.failed;
  if (timedOut) return withFailure(results, `ran out of time\n${lastLines(output)}`);
  if (code !== 0 && results.failed === 0)
    return withFailure(results, `ended with exit code ${code}\n${lastLines(output)}`);
  if (ran === 0) return withFailure(results, `ran no test\n${lastLines(output)}`);
  return results;
}

export const lastLines = (text, count = 60) => text.trimEnd().split('\n').slice(-count).join('\n');

/** The one line that sums up: `12 passed, 0 failed`, with `, 1 skipped` only where something was. */
export function summaryLine(steps) {
  const total = (key) => steps.reduce((sum, step) => sum + step[key], 0);
  const skipped = total('skipped');
  return `${total('passed')} passed, ${total('failed')} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`;
}

const withFailure = (results, why) => ({
  ...results,
  failed: results.failed + 1,
  failures: [...results.failures, why],
});
