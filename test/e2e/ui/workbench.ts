import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { Browser, FrameLocator, Locator, Page } from 'playwright-core';
import { chromium } from 'playwright-core';

/** Set by test/e2e/inBrowser.mjs. */
const environment = {
  address: required('E2E_ADDRESS'),
  chromium: required('E2E_CHROMIUM'),
  shots: required('E2E_SHOTS'),
  workspace: required('E2E_WORKSPACE'),
};

const windowSize = { width: 1360, height: 900 } as const;

export interface Workbench {
  readonly browser: Browser;
  readonly page: Page;
}

/** Opens VS Code on the demo workspace, as a person would who follows the address that `npm start` prints. */
export async function openWorkbench(): Promise<Workbench> {
  const browser = await chromium.launch({
    executablePath: environment.chromium,
    args: ['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking'],
  });
  const page = await browser.newPage({ viewport: windowSize });
  page.setDefaultTimeout(60_000);
  await page.goto(environment.address);
  await page.locator('.monaco-workbench').waitFor({ timeout: 90_000 });
  return { browser, page };
}

export async function openFile(page: Page, name: string): Promise<void> {
  await page.locator('.activitybar .action-item a[aria-label^="Explorer"]').waitFor();
  const row = page.locator('.explorer-folders-view .monaco-list-row', { hasText: name });
  if (!(await row.isVisible())) await page.keyboard.press('Control+Shift+E');
  await row.dblclick();
  await page.locator('.tabs-container .tab.active', { hasText: name }).waitFor();
}

/** Puts the caret there by keyboard: clicks on text are caught by cursor and hover overlays. Line and column from 1. */
export async function goTo(page: Page, line: number, column: number): Promise<void> {
  await page.keyboard.press('Control+g');
  await page.locator('.quick-input-widget input').first().fill(`:${line}:${column}`);
  await page.keyboard.press('Enter');
  await page.locator('.quick-input-widget').waitFor({ state: 'hidden' });
  await untilCaretIn(page, line, column);
}

export const untilCaretIn = (page: Page, line: number, column?: number): Promise<void> =>
  page
    .locator('#status\\.editor\\.selection', {
      hasText: column === undefined ? new RegExp(`Ln ${line}, `) : `Ln ${line}, Col ${column}`,
    })
    .waitFor();

export async function runCommand(page: Page, title: string): Promise<void> {
  await page.keyboard.press('F1');
  const input = page.locator('.quick-input-widget input').first();
  await input.fill(`>${title}`);
  await page.locator('.quick-input-list .monaco-list-row', { hasText: title }).first().click();
}

/** The menu that Ctrl+. opens at the caret, once it offers `title`. */
export async function quickFixMenu(page: Page, title: string): Promise<Locator> {
  const item = page.locator('.action-widget .monaco-list-row', { hasText: title });
  for (let attempt = 0; attempt < 8; attempt++) {
    await page.keyboard.press('Control+.');
    const isThere = await item.waitFor({ timeout: 4_000 }).then(
      () => true,
      () => false,
    );
    if (isThere) return item;
    // The first press is now and then lost: focus is still on its way back to the editor.
    await page.keyboard.press('Escape');
  }
  assert.fail(`the menu never offered "${title}"`);
}

/** Number of errors and warnings that the status bar counts, as its label says. */
export async function problemCounts(page: Page): Promise<string> {
  return (await page.locator('#status\\.problems').getAttribute('aria-label')) ?? '';
}

/** After a failure the rest only says what else is broken, so it need not be patient. */
export const losePatience = (page: Page): void => page.setDefaultTimeout(10_000);

export const squiggles = (page: Page): Locator =>
  page.locator('.monaco-editor .squiggly-warning, .monaco-editor .squiggly-error');

/** The memory panel's document, inside the two frames that VS Code puts around a webview. */
export const panel = (page: Page): FrameLocator =>
  page.frameLocator('iframe.webview.ready').frameLocator('iframe#active-frame');

export const inPanel = (page: Page, name: string): Locator => panel(page).locator(`[data-test="${name}"]`);

export async function openPanel(page: Page): Promise<void> {
  await page.locator('.activitybar .action-item a[aria-label^="Checkpoint Lens"]').click();
  await inPanel(page, 'model-name').waitFor();
}

/** Unfolds a section of the panel that starts folded. */
export async function openSection(page: Page, name: string): Promise<void> {
  const section = inPanel(page, `section-${name}`);
  if ((await section.getAttribute('open')) === null) await section.locator('summary').first().click();
}

/** Types one number after the other into a field; from each keystroke until everything is laid out again. */
export async function redrawMilliseconds(page: Page, field: string, times: number): Promise<readonly number[]> {
  return inPanel(page, field).evaluate(async (element, count) => {
    const input = element as HTMLInputElement;
    const taken: number[] = [];
    for (let at = 0; at < count; at++) {
      input.value = String(256 + 64 * at);
      const before = performance.now();
      input.dispatchEvent(new Event('input', { bubbles: true }));
      // Asking for a height makes the browser lay out.
      document.body.getBoundingClientRect();
      taken.push(performance.now() - before);
      await new Promise((resolve) => setTimeout(resolve, 30));
    }
    return taken;
  }, times);
}

/** Makes the side bar wide enough to read, by its edge, as one does. */
export async function widenSideBar(page: Page, toPixels: number): Promise<void> {
  const box = await page.locator('#workbench\\.parts\\.sidebar').boundingBox();
  assert.ok(box !== null, 'the side bar is hidden');
  await page.mouse.move(box.x + box.width, box.y + 300);
  await page.mouse.down();
  await page.mouse.move(box.x + toPixels, box.y + 300, { steps: 5 });
  await page.mouse.up();
  await page.mouse.move(box.x + toPixels + 300, box.y + 600);
}

/** Picks a colour theme by its name in VS Code's own list; `className` is what the workbench then carries. */
export async function useTheme(page: Page, theme: string, className: string): Promise<void> {
  await runCommand(page, 'Preferences: Color Theme');
  await page.locator('.quick-input-widget input[placeholder^="Select Color Theme"]').fill(theme);
  await page.locator('.quick-input-list .monaco-list-row.focused', { hasText: theme }).waitFor();
  await page.keyboard.press('Enter');
  await page.locator(`.monaco-workbench.${className}`).waitFor();
  await page.locator('.quick-input-widget').waitFor({ state: 'hidden' });
}

export const shot = async (page: Page, name: string): Promise<void> => {
  await page.screenshot({ path: path.join(environment.shots, `${name}.png`) });
};

/** The panel down to its last line, in a window that is high enough for it. */
export async function shotOfWholePanel(page: Page, name: string): Promise<void> {
  const measure = () =>
    panel(page)
      .locator('html')
      .evaluate(({ clientHeight, scrollHeight }) => ({ clientHeight, scrollHeight }));
  const { clientHeight, scrollHeight } = await measure();
  const needed = Math.min(scrollHeight, 4000);
  await page.setViewportSize({ ...windowSize, height: windowSize.height + needed - clientHeight });
  await until('a higher panel', async () => (await measure()).clientHeight >= needed);
  await shot(page, name);
  await page.setViewportSize(windowSize);
  await until('the usual panel', async () => (await measure()).clientHeight === clientHeight);
}

export const fileOnDisk = (name: string): string => readFileSync(path.join(environment.workspace, name), 'utf8');

export const pathOf = (name: string): string => path.join(environment.workspace, name);

/** Line and column, from 1, at which `text` begins. */
export function placeOf(source: string, text: string): { readonly line: number; readonly column: number } {
  const before = source.slice(0, source.indexOf(text)).split('\n');
  assert.ok(source.includes(text), `"${text}" is not there`);
  return { line: before.length, column: (before.at(-1) ?? '').length + 1 };
}

/** Polls until `look` gives true. */
export async function until(what: string, look: () => boolean | Promise<boolean>): Promise<void> {
  for (const giveUp = Date.now() + 40_000; !(await look()); await new Promise((done) => setTimeout(done, 50))) {
    assert.ok(Date.now() < giveUp, `waited in vain for ${what}`);
  }
}

function required(name: string): string {
  const value = process.env[name];
  assert.ok(value !== undefined, `$${name} is not set; these tests are started by npm test`);
  return value;
}
