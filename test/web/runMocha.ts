import 'mocha/mocha.js';
import * as vscode from 'vscode';

/**
 * Runs the tests that `load` defines, inside VS Code's extension host in a web worker. The build makes of this what VS Code
 * calls when its page was given `extensionTestsPath`; it exits with failure when this rejects.
 */
export async function runTests(load: () => Promise<unknown>): Promise<void> {
  mocha.setup({ ui: 'bdd', reporter: silent, timeout: 60_000 });
  await load();
  const sent: Promise<unknown>[] = [];
  const failed = await new Promise<number>((resolve) => {
    report(mocha.run(resolve), (line) => sent.push(fetch(resultsAddress(), { method: 'POST', body: line })));
  });
  await Promise.all(sent);
  if (failed > 0) throw new Error(`${failed} tests failed`);
}

/** Mocha's own for browsers draw on a page, and there is none. */
class silent extends Mocha.reporters.Base {}

/** Where the extension came from takes the results as well. */
function resultsAddress(): string {
  const extension = vscode.extensions.getExtension('checkpoint-lens.checkpoint-lens');
  if (extension === undefined) throw new Error('the extension is not there');
  return extension.extensionUri.with({ path: '/results' }).toString(true);
}

/** Tells one JSON line for each test that ended, the format of `test/runner/results.mjs`. */
function report(runner: Mocha.Runner, tell: (line: string) => void): void {
  const write = (test: Mocha.Test, status: 'passed' | 'failed' | 'skipped', error?: string): void =>
    tell(JSON.stringify({ name: test.fullTitle(), status, seconds: (test.duration ?? 0) / 1000, error }));
  runner.on('pass', (test) => write(test, 'passed'));
  runner.on('pending', (test) => write(test, 'skipped'));
  runner.on('fail', (test, error) => write(test, 'failed', error.stack ?? error.message));
}
