import assert from 'node:assert/strict';
import path from 'node:path';
import { type Browser, chromium, type Locator, type Page } from 'playwright-core';
import type { FromPanel, ToPanel } from '../../../webview/protocol.ts';

/** The packaged panel in an empty page, with the test in the extension's place: what no extension would send can be sent. */
export interface PanelAlone {
  readonly browser: Browser;
  readonly page: Page;
  readonly part: (name: string) => Locator;
  readonly send: (message: ToPanel | object) => Promise<void>;
  /** What the panel has said so far. */
  readonly said: () => Promise<readonly FromPanel[]>;
}

export async function openPanelAlone(): Promise<PanelAlone> {
  const executablePath = process.env.E2E_CHROMIUM;
  assert.ok(executablePath !== undefined, '$E2E_CHROMIUM is not set; these tests are started by npm test');
  const browser = await chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-gpu'] });
  const page = await browser.newPage({ viewport: { width: 300, height: 900 } });
  await page.setContent(
    '<!doctype html><html lang="en"><title>Memory</title><style>body { margin: 0; }</style><body></body></html>',
  );
  await page.evaluate(() => {
    const said: unknown[] = [];
    let kept: unknown;
    Object.assign(window, {
      said,
      acquireVsCodeApi: () => ({
        postMessage: (message: unknown) => said.push(message),
        getState: () => kept,
        setState: (state: unknown) => {
          kept = state;
        },
      }),
    });
  });
  await page.addScriptTag({ path: path.join('dist', 'panel.js'), type: 'module' });
  return {
    browser,
    page,
    part: (name) => page.locator(`[data-test="${name}"]`),
    send: (message) =>
      page.evaluate((data) => {
        window.dispatchEvent(new MessageEvent('message', { data }));
      }, message as unknown),
    said: () => page.evaluate(() => (window as unknown as { readonly said: FromPanel[] }).said),
  };
}
