import { appendFileSync } from 'node:fs';
import path from 'node:path';
import Mocha from 'mocha';

/** What VS Code calls when it was started with `extensionTestsPath`; it exits with failure when this rejects. */
export async function run(): Promise<void> {
  const mocha = new Mocha({ ui: 'bdd', timeout: 60_000, slow: 2_000, color: false });
  mocha.addFile(path.join(__dirname, 'hostTests.cjs'));
  const failed = await new Promise<number>((resolve) => report(mocha.run(resolve)));
  if (failed > 0) throw new Error(`${failed} tests failed`);
}

/** Writes one JSON line for each test that ended, the format of `test/runner/results.mjs`. */
function report(runner: Mocha.Runner): void {
  const file = process.env.E2E_RESULTS;
  if (file === undefined) return;
  const write = (test: Mocha.Test, status: 'passed' | 'failed' | 'skipped', error?: string): void =>
    appendFileSync(
      file,
      `${JSON.stringify({ name: test.fullTitle(), status, seconds: (test.duration ?? 0) / 1000, error })}\n`,
    );
  runner.on('pass', (test) => write(test, 'passed'));
  runner.on('pending', (test) => write(test, 'skipped'));
  runner.on('fail', (test, error) => write(test, 'failed', error.stack ?? error.message));
}
