// Real VS Code with the packaged extension on a copy of the demo, and what a person does in it, for scripts that take pictures.
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { chromium } from 'playwright-core';
import { chromiumArguments, ensureChromium } from '../host/chromium.mjs';
import { startHost } from '../host/host.mjs';
import { webpOf } from './webp.mjs';

const root = path.dirname(path.dirname(path.dirname(fileURLToPath(import.meta.url))));

/** Builds and packs the extension first, unless the command line says `--packed`. */
export async function packUnlessPacked() {
  if (process.argv.includes('--packed')) return;
  await (await import('../build.mjs')).build();
  await (await import('../package.mjs')).packageExtension(root);
}

/** Opens the demo in VS Code with a theme, calls `takeAll` with its page and clears everything away. */
export async function withVsCode({ theme, window, scale = 1 }, takeAll) {
  const workspace = demoWorkspace();
  const settings = {
    'workbench.colorTheme': theme,
    'breadcrumbs.enabled': false,
    'editor.fontSize': 13,
    // Without it the bar names the host of the pictures, which is not what a reader runs.
    // biome-ignore lint/suspicious/noTemplateCurlyInString: VS Code fills these in itself.
    'window.title': '${activeEditorShort}${separator}${rootName}',
    'window.titleSeparator': ' · ',
  };
  const host = await startHost({ vsix: path.join(root, 'out', 'checkpoint-lens.vsix'), settings });
  const browser = await chromium.launch({ executablePath: await ensureChromium(), args: chromiumArguments });
  try {
    const page = await browser.newPage({ viewport: window, deviceScaleFactor: scale, reducedMotion: 'reduce' });
    page.setDefaultTimeout(60_000);
    await page.goto(host.address(workspace));
    await page.locator('.monaco-workbench').waitFor({ timeout: 90_000 });
    await page.locator('.explorer-folders-view .monaco-list-row').first().waitFor();
    await takeAll(page, workspace).catch(async (error) => {
      await page.screenshot({ path: path.join(os.tmpdir(), 'picture-failed.png') });
      throw error;
    });
  } finally {
    await browser.close();
    await host.stop();
    rmSync(path.dirname(workspace), { recursive: true, force: true });
  }
}

/** A copy of the demo, and a model in it whose loop is not checkpointed yet. */
function demoWorkspace() {
  const folder = path.join(mkdtempSync(path.join(os.tmpdir(), 'lens-pictures-')), 'demo');
  cpSync(path.join(root, 'test', 'corpus', 'demo'), folder, { recursive: true });
  const model = readFileSync(path.join(folder, 'model.py'), 'utf8');
  const loop = / {12}if self\.training:[\s\S]*?else:\n {16}x = block\(x, mask\)/;
  const plain = model
    .replace(loop, '            x = block(x, mask)')
    .replace('from torch.utils.checkpoint import checkpoint\n', '');
  writeFileSync(path.join(folder, 'gpt.py'), plain);
  return folder;
}

export async function open(page, name) {
  const row = page.locator('.explorer-folders-view .monaco-list-row', { hasText: name });
  if (!(await row.isVisible())) await page.keyboard.press('Control+Shift+E');
  await row.dblclick();
  await page.locator('.tabs-container .tab.active', { hasText: name }).waitFor();
}

/** Puts the caret two characters into `text` of the open file. */
export async function caretAt(page, file, text) {
  const before = readFileSync(file, 'utf8').split(text)[0].split('\n');
  await page.keyboard.press('Control+g');
  await page
    .locator('.quick-input-widget input')
    .first()
    .fill(`:${before.length}:${before.at(-1).length + 2}`);
  await page.keyboard.press('Enter');
  await page.locator('.quick-input-widget').waitFor({ state: 'hidden' });
}

export async function command(page, title) {
  await page.keyboard.press('F1');
  await page.locator('.quick-input-widget input').first().fill(`>${title}`);
  const name = title.split(': ').at(-1);
  const label = page.locator('.label-name', { hasText: new RegExp(`(^|: )${name}…?$`) });
  await page.locator('.quick-input-list .monaco-list-row').filter({ has: label }).first().click();
}

/** The document of the webview that was opened last. */
export const webview = (page) =>
  page.frameLocator('iframe.webview.ready >> nth=-1').frameLocator('iframe#active-frame');

export const inPanel = (page, name) => webview(page).locator(`[data-test="${name}"]`);

export async function chooseDevice(page, name) {
  await page.locator('.quick-input-widget input').first().fill(name);
  await page.locator('.quick-input-list .monaco-list-row', { hasText: name }).first().click();
  await inPanel(page, 'verdict').filter({ hasText: name }).waitFor();
}

export async function widenSideBar(page, toPixels) {
  const box = await page.locator('#workbench\\.parts\\.sidebar').boundingBox();
  await page.mouse.move(box.x + box.width, box.y + 300);
  await page.mouse.down();
  await page.mouse.move(box.x + toPixels, box.y + 300, { steps: 5 });
  await page.mouse.up();
  await page.mouse.move(box.x + toPixels + 300, box.y + 600);
}

/** `PICTURES_PNG` names a folder that also gets the picture as PNG. */
export async function take(page, file, { clip, quality }) {
  const png = await page.screenshot({ ...(clip && { clip }), caret: 'hide' });
  const webp = await webpOf(page.context().browser(), png, quality);
  writeFileSync(file, webp);
  console.log(`${path.basename(file)} ${webp.length} bytes`);
  if (process.env.PICTURES_PNG)
    writeFileSync(path.join(process.env.PICTURES_PNG, `${path.basename(file, '.webp')}.png`), png);
}
