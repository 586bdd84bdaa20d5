// Installs the packaged .vsix in VS Code's server from npm, opens a copy of the demo workspace in Chromium and runs the
// tests of test/e2e/ui against it. Those only get the address and the paths: how VS Code was started is not theirs.
import { mkdirSync, rmSync } from 'node:fs';
import path from 'node:path';
import { ensureChromium } from '../../extension/host/chromium.mjs';
import { startHost } from '../../extension/host/host.mjs';
import { run } from '../../extension/host/run.mjs';
import { readResults } from '../runner/results.mjs';
import { copyOfDemo } from './inHost.mjs';

const secondsForSuite = 1400;

export async function testInBrowser(root) {
  const resultsFile = path.join(root, 'out', 'results', 'ui.jsonl');
  const shots = path.join(root, 'out', 'shots');
  for (const file of [resultsFile, shots]) rmSync(file, { recursive: true, force: true });
  mkdirSync(shots, { recursive: true });
  const chromium = await ensureChromium();
  const workspace = copyOfDemo(root);
  const host = await startHost({ vsix: path.join(root, 'out', 'checkpoint-lens.vsix') });
  try {
    const env = {
      ...process.env,
      E2E_ADDRESS: host.address(workspace),
      E2E_CHROMIUM: chromium,
      E2E_SHOTS: shots,
      E2E_WORKSPACE: workspace,
    };
    const args = [
      '--test',
      `--test-reporter=${path.join(root, 'test', 'runner', 'nodeReporter.mjs')}`,
      `--test-reporter-destination=${resultsFile}`,
      '--test-reporter=spec',
      '--test-reporter-destination=stdout',
      path.join(root, 'out', 'test', 'e2e', 'ui.mjs'),
    ];
    const ended = await run(process.execPath, args, { cwd: root, env, seconds: secondsForSuite });
    return readResults(resultsFile, ended);
  } finally {
    await host.stop();
    rmSync(path.dirname(workspace), { recursive: true, force: true });
  }
}
