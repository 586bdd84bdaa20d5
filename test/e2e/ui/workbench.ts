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

const windowSize: WindowSize = { width: 1360, height: 900 };

export interface WindowSize {
  readonly width: number;
  readonly height: number;
}

export interface Workbench {
  readonly browser: Browser;
  readonly page: Page;
}

/** Opens VS Code on the demo workspace, as a person would who follows the address that `npm start` prints. */
export async function openWorkbench(size = windowSize, address = environment.address): Promise<Workbench> {
  const browser = await chromium.launch({
    executablePath: environment.chromium,
    args: ['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking'],
  });
  try {
    const page = await browser.newPage({ viewport: size, reducedMotion: 'reduce' });
    page.setDefaultTimeout(60_000);
    await page.goto(address);
    for (let attempt = 0; attempt < 5; attempt++) {
      await page.locator('.monaco-workbench').waitFor({ timeout: 90_000 });
      if (await comes(page.locator('.explorer-folders-view .monaco-list-row').first(), 20_000))
        return { browser, page };
      // On a busy machine VS Code now and then opens a `.code-workspace` without the folders it names.
      await page.reload();
    }
    assert.fail(`${address} never showed a file`);
  } catch (error) {
    // An open browser would keep the whole run from ending.
    await browser.close();
    throw error;
  }
}

/** Whether it is there within so many milliseconds. */
const comes = (what: Locator, timeout: number): Promise<boolean> =>
  what.waitFor({ timeout }).then(
    () => true,
    () => false,
  );

/** The address that opens a `.code-workspace` file instead of the demo. */
export function addressOfWorkspace(file: string): string {
  const address = new URL(environment.address);
  address.search = `?workspace=${file}`;
  return address.href;
}

export async function openFile(page: Page, name: string): Promise<void> {
  await page.locator('.activitybar .action-item a[aria-label^="Explorer"]').waitFor();
  const row = page.locator('.explorer-folders-view .monaco-list-row', { hasText: name });
  if (!(await row.isVisible())) await page.keyboard.press('Control+Shift+E');
  await row.dblclick();
  await page.locator('.tabs-container .tab.active', { hasText: name }).waitFor();
}

/** Opens a file from anywhere in the workspace, by the list that Ctrl+P shows. */
export async function openByName(page: Page, name: string): Promise<void> {
  const input = await quickInput(page, 'Control+p');
  await input.fill(name);
  await page.locator('.quick-input-list .monaco-list-row', { hasText: name }).first().click();
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
  const input = await quickInput(page, 'F1');
  await input.fill(`>${title}`);
  // The whole name: another command's may begin with it.
  const label = page.locator('.label-name', { hasText: new RegExp(`(^|: )${title}$`) });
  await page.locator('.quick-input-list .monaco-list-row').filter({ has: label }).first().click();
}

/** The input that a key opens. A press is now and then lost: focus is still on its way from what was closed before. */
export async function quickInput(page: Page, key: string): Promise<Locator> {
  const input = page.locator('.quick-input-widget input').first();
  for (let attempt = 0; attempt < 8; attempt++) {
    await page.keyboard.press(key);
    if (await comes(input, 4_000)) return input;
  }
  assert.fail(`${key} never opened an input`);
}

/** The menu that Ctrl+. opens at the caret, once it offers `title`. */
export async function quickFixMenu(page: Page, title: string): Promise<Locator> {
  const item = page.locator('.action-widget .monaco-list-row', { hasText: title });
  for (let attempt = 0; attempt < 8; attempt++) {
    await page.keyboard.press('Control+.');
    if (await comes(item, 4_000)) return item;
    // The first press is now and then lost: focus is still on its way back to the editor.
    await page.keyboard.press('Escape');
  }
  assert.fail(`the menu never offered "${title}"`);
}

/** What the hover at the caret says, once it has `text` in it. It is gone again when something moves the editor's lines. */
export async function hoverText(page: Page, text: string): Promise<string> {
  const hover = page.locator('.monaco-hover:visible', { hasText: text }).first();
  for (let attempt = 0; attempt < 8; attempt++) {
    await page.keyboard.press('Control+k');
    await page.keyboard.press('Control+i');
    const said = await hover.textContent({ timeout: 6_000 }).catch(() => null);
    if (said !== null) return said;
    await page.keyboard.press('Escape');
  }
  assert.fail(`no hover said "${text}"`);
}

/** Number of errors and warnings that the status bar counts, as its label says. */
export async function problemCounts(page: Page): Promise<string> {
  return (await page.locator('#status\\.problems').getAttribute('aria-label')) ?? '';
}

/** The entry of the status bar that says what a training step takes. */
export const peakStatus = (page: Page): Locator =>
  page.locator('[id="checkpoint-lens.checkpoint-lens.checkpointLens.peak"]');

/** After a failure the rest only says what else is broken, so it need not be patient. */
export const losePatience = (page: Page): void => page.setDefaultTimeout(10_000);

export const squiggles = (page: Page): Locator =>
  page.locator('.monaco-editor .squiggly-warning, .monaco-editor .squiggly-error');

export type PanelPlace = 'side bar' | 'editor';

/** The outer one of the two frames that VS Code puts around a webview. */
const outerFrames: Readonly<Record<PanelPlace, string>> = {
  'side bar': 'iframe.webview.ready[src*="purpose=webviewView"]',
  editor: 'iframe.webview.ready:not([src*="purpose=webviewView"])',
};

/** The document of the memory panel, or of whatever webview stands in the editor. */
export const panel = (page: Page, place: PanelPlace = 'side bar'): FrameLocator =>
  page.frameLocator(outerFrames[place]).frameLocator('iframe#active-frame');

/** Where the webview stands in the window. */
export async function boxOf(page: Page, place: PanelPlace): Promise<Box> {
  const box = await page.locator(outerFrames[place]).boundingBox();
  assert.ok(box !== null, `there is nothing in the ${place}`);
  return box;
}

export interface Box extends WindowSize {
  readonly x: number;
  readonly y: number;
}

export const inPanel = (page: Page, name: string, place: PanelPlace = 'side bar'): Locator =>
  panel(page, place).locator(`[data-test="${name}"]`);

export async function openPanel(page: Page): Promise<void> {
  await page.locator('.activitybar .action-item a[aria-label^="Checkpoint Lens"]').click();
  await inPanel(page, 'model-name').waitFor();
}

/** Picks the device that numbers are compared with, by the panel's own button. */
export async function chooseDevice(page: Page, typed: string, shown: string): Promise<void> {
  await inPanel(page, 'choose-device').click();
  await page.locator('.quick-input-widget input').first().fill(typed);
  await page.locator('.quick-input-list .monaco-list-row', { hasText: shown }).first().waitFor();
  await page.keyboard.press('Enter');
  await inPanel(page, 'verdict').filter({ hasText: shown }).waitFor();
}

export const scrollToTop = (page: Page, place: PanelPlace): Promise<void> =>
  panel(page, place)
    .locator('html')
    .evaluate((root) => root.scrollTo(0, 0));

/** Unfolds everything that folds, and waits until nothing more is on its way. */
export async function openAllSections(page: Page, place: PanelPlace): Promise<void> {
  const closed = panel(page, place).locator('details.section:not([open]) > summary');
  while ((await closed.count()) > 0) await closed.first().click();
  await panel(page, place)
    .locator('[aria-busy="true"], [data-test="advice-pending"]')
    .first()
    .waitFor({ state: 'detached' });
}

/** Unfolds a section of the panel that starts folded. */
export async function openSection(page: Page, name: string): Promise<void> {
  const section = inPanel(page, `section-${name}`);
  if ((await section.getAttribute('open')) === null) await section.locator('summary').first().click();
}

/** Opens the panel: from the click until its first numbers are there, and of that what the panel's own document took. */
export async function openMilliseconds(page: Page): Promise<{ readonly all: number; readonly own: number }> {
  const before = performance.now();
  await openPanel(page);
  const all = performance.now() - before;
  const own = await panel(page)
    .locator('body')
    .evaluate(async () => {
      for (;;) {
        const [paint] = performance.getEntriesByName('first-contentful-paint');
        if (paint !== undefined) return paint.startTime;
        await new Promise((resolve) => setTimeout(resolve, 20));
      }
    });
  return { all, own };
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
