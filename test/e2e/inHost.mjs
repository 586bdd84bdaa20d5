// Runs the mocha suite of test/e2e/host inside VS Code's extension host: in desktop VS Code where it can be downloaded,
// else in VS Code's own server from npm. $CHECKPOINT_LENS_TEST_HOST=desktop|server leaves no choice.
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { chromiumArguments, ensureChromium } from '../../extension/host/chromium.mjs';
import { startHost } from '../../extension/host/host.mjs';
import { run } from '../../extension/host/run.mjs';
import { oneFailed, readResults } from '../runner/results.mjs';
import { notHere } from './desktop.mjs';

const secondsForSuite = 420;

/** The result of the suite, `{passed, failed, skipped, failures}`; one of the two hosts always runs, or it fails. */
export async function testInHost(root) {
  const workspace = copyOfDemo(root);
  const resultsFile = path.join(root, 'out', 'results', 'host.jsonl');
  rmSync(resultsFile, { force: true });
  try {
    const wanted = process.env.CHECKPOINT_LENS_TEST_HOST ?? '';
    if (wanted !== 'server') {
      const ended = await runDesktop(root, workspace, resultsFile);
      const why = whyNotHere(ended);
      if (why === undefined) return readResults(resultsFile, ended);
      if (wanted === 'desktop') return oneFailed(why);
      console.log(`    ${why}; running in VS Code's server from npm instead`);
    }
    return readResults(resultsFile, await runServer(root, workspace, resultsFile));
  } finally {
    rmSync(path.dirname(workspace), { recursive: true, force: true });
  }
}

/** Why desktop VS Code is not to be had on this machine; undefined where it ran. */
function whyNotHere({ code, output }) {
  if (code === notHere) return output.trim().split('\n').at(-1);
  return /^.*error while loading shared libraries.*$/m.exec(output)?.[0];
}

/** Tests write in the workspace, so they get a copy. */
export function copyOfDemo(root) {
  const workspace = path.join(mkdtempSync(path.join(os.tmpdir(), 'lens-demo-')), 'demo');
  cpSync(path.join(root, 'test', 'corpus', 'demo'), workspace, { recursive: true });
  return workspace;
}

const suiteOf = (root) => path.join(root, 'out', 'test', 'e2e', 'runMocha.cjs');

function runDesktop(root, workspace, resultsFile) {
  const script = path.join(root, 'test', 'e2e', 'desktop.mjs');
  const env = { ...process.env, E2E_RESULTS: resultsFile };
  return run(process.execPath, [script, root, suiteOf(root), workspace], { cwd: root, env, seconds: 600 });
}

async function runServer(root, workspace, resultsFile) {
  const { chromium } = await import('playwright-core');
  const executablePath = await ensureChromium();
  const host = await startHost({ withExtensionTests: true, env: { E2E_RESULTS: resultsFile } });
  const lines = [];
  let browser;
  try {
    browser = await chromium.launch({ executablePath, args: chromiumArguments });
    const page = await browser.newPage({ viewport: { width: 1280, height: 800 } });
    const ended = new Promise((resolve) => {
      // An automated VS Code calls these two on its window.
      page.exposeFunction('codeAutomationExit', resolve);
      page.exposeFunction('codeAutomationLog', (_kind, words) => lines.push(words.join(' ')));
      page.on('crash', () => resolve(1));
    });
    const payload = [
      ['extensionDevelopmentPath', host.remoteUri(root)],
      ['extensionTestsPath', host.remoteUri(suiteOf(root))],
    ];
    await page.goto(host.address(workspace, payload), { waitUntil: 'commit' });
    let timer;
    const tooLong = new Promise((resolve) => {
      timer = setTimeout(() => resolve(undefined), secondsForSuite * 1000);
    });
    const code = await Promise.race([ended, tooLong]);
    clearTimeout(timer);
    if (code === undefined) lines.push(host.log());
    return { code: code ?? 124, timedOut: code === undefined, output: lines.join('\n') };
  } finally {
    await browser?.close();
    await host.stop();
  }
}
