// Runs the mocha suite of test/e2e/host, and what is particular to the web, in VS Code's extension host in a web worker.
import { appendFileSync, mkdirSync, rmSync } from 'node:fs';
import path from 'node:path';
import { chromiumArguments, ensureChromium } from '../../extension/host/chromium.mjs';
import { readResults } from '../runner/results.mjs';
import { startWebHost } from './webHost.mjs';

const secondsForSuite = 600;

export async function testInWeb(root) {
  const { chromium } = await import('playwright-core');
  const executablePath = await ensureChromium();
  const resultsFile = path.join(root, 'out/results/web.jsonl');
  rmSync(resultsFile, { force: true });
  mkdirSync(path.join(root, 'out/shots'), { recursive: true });
  const demo = path.join(root, 'test/corpus/demo');
  const host = await startWebHost(root, demo, (line) => appendFileSync(resultsFile, `${line}\n`));
  const said = [];
  let browser;
  try {
    browser = await chromium.launch({ executablePath, args: chromiumArguments });
    const page = await browser.newPage({ viewport: { width: 1280, height: 800 } });
    const ended = new Promise((resolve) => {
      // An automated VS Code calls this on its window.
      page.exposeFunction('codeAutomationExit', resolve);
      page.on('crash', () => resolve(1));
    });
    page.on('console', (message) => said.push(`${message.type()}: ${message.text()}`));
    page.on('pageerror', (error) => said.push(`page error: ${error.stack}`));
    await page.goto(host.address, { waitUntil: 'commit' });
    let timer;
    const tooLong = new Promise((resolve) => {
      timer = setTimeout(() => resolve(undefined), secondsForSuite * 1000);
    });
    const code = await Promise.race([ended, tooLong]);
    clearTimeout(timer);
    await page.screenshot({ path: path.join(root, 'out/shots/web.png') });
    return readResults(resultsFile, { code: code ?? 124, timedOut: code === undefined, output: said.join('\n') });
  } finally {
    await browser?.close();
    await host.stop();
  }
}
