// Takes the pictures of the walkthrough from real VS Code with the packaged extension.
//   node extension/walkthrough/pictures.mjs            builds and packs first
//   node extension/walkthrough/pictures.mjs --packed   takes out/checkpoint-lens.vsix as it is
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { chromium } from 'playwright-core';
import { chromiumArguments, ensureChromium } from '../host/chromium.mjs';
import { startHost } from '../host/host.mjs';

const root = path.dirname(path.dirname(path.dirname(fileURLToPath(import.meta.url))));
const here = path.dirname(fileURLToPath(import.meta.url));
const window = { width: 1120, height: 700 };
/** What a picture shows of it: VS Code's walkthrough has room for little more, and the package for few bytes. */
const picture = { width: 620, height: 340 };

if (!process.argv.includes('--packed')) {
  await (await import('../build.mjs')).build();
  await (await import('../package.mjs')).packageExtension(root);
}
const workspace = demoWorkspace();
const settings = { 'workbench.colorTheme': 'Default Dark Modern', 'breadcrumbs.enabled': false, 'editor.fontSize': 13 };
const host = await startHost({ vsix: path.join(root, 'out', 'checkpoint-lens.vsix'), settings });
const browser = await chromium.launch({ executablePath: await ensureChromium(), args: chromiumArguments });
try {
  const page = await browser.newPage({ viewport: window });
  page.setDefaultTimeout(60_000);
  await page.goto(host.address(workspace));
  await page.locator('.monaco-workbench').waitFor({ timeout: 90_000 });
  await takeAll(page).catch(async (error) => {
    await take(page, 'failed');
    throw error;
  });
} finally {
  await browser.close();
  await host.stop();
  rmSync(path.dirname(workspace), { recursive: true, force: true });
}

async function takeAll(page) {
  await page.locator('.explorer-folders-view .monaco-list-row').first().waitFor();
  await open(page, 'train.py');
  await page.locator('#status\\.problems[aria-label*="Warnings: 2"]').waitFor();
  await caretAt(page, 'train.py', 'checkpoint(partial');
  await page.locator('.squiggly-warning').first().waitFor();
  await page.keyboard.press('Control+b');
  await hoverFirstFinding(page);
  await take(page, 'findings', { x: 40, y: 35 });
  await page.mouse.move(900, 120);
  await page.keyboard.press('Escape');

  await command(page, 'Checkpoint Lens: Open Memory Panel');
  await inPanel(page, 'model-name').first().waitFor();
  await widenSideBar(page, 430);
  await command(page, 'Checkpoint Lens: Choose Training Device');
  await page.locator('.quick-input-list .monaco-list-row', { hasText: 'A100' }).first().waitFor();
  await take(page, 'device', { x: 180, y: 20 });
  await page.locator('.quick-input-list .monaco-list-row', { hasText: 'A100' }).first().click();
  await page.waitForTimeout(2000);
  await take(page, 'panel', { x: 45, y: 35 });

  await open(page, 'gpt.py');
  await page.keyboard.press('Control+b');
  await caretAt(page, 'gpt.py', 'x = block(x, mask)');
  await command(page, 'Checkpoint Lens: Put Strategy into Code');
  await page.locator('.quick-input-list .monaco-list-row', { hasText: 'Checkpoint every layer' }).first().click();
  await page.locator('.panel .action-item', { hasText: 'Refactor Preview' }).first().waitFor();
  await page.waitForTimeout(2500);
  await take(page, 'apply', { x: 48, y: 320 });

  await command(page, 'View: Hide Panel');
  await command(page, 'Checkpoint Lens: Learn Checkpointing');
  const learn = page.frameLocator('iframe.webview.ready >> nth=-1').frameLocator('iframe#active-frame');
  await learn.locator('svg.segments').first().waitFor();
  await learn
    .locator('h2')
    .first()
    .evaluate((heading) => heading.scrollIntoView());
  await page.waitForTimeout(1000);
  await take(page, 'learn', { x: 160, y: 60 });
}

/** The pointer moves until the hover is there: while the layout still changes it is soon gone again. */
async function hoverFirstFinding(page) {
  const hover = page.locator('.monaco-hover:visible', { hasText: 'AC101' }).first();
  for (let attempt = 0; attempt < 10; attempt++) {
    await page.mouse.move(900, 600);
    await page.waitForTimeout(500);
    const { x, y, height } = await page.locator('.squiggly-warning').first().boundingBox();
    await page.mouse.move(x + 20 + attempt, y + height / 2, { steps: 4 });
    const isThere = await hover.waitFor({ timeout: 4000 }).then(
      () => true,
      () => false,
    );
    await page.waitForTimeout(1000);
    if (isThere && (await hover.isVisible())) return;
  }
  throw new Error('the hover never came');
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

async function open(page, name) {
  const row = page.locator('.explorer-folders-view .monaco-list-row', { hasText: name });
  if (!(await row.isVisible())) await page.keyboard.press('Control+Shift+E');
  await row.dblclick();
  await page.locator('.tabs-container .tab.active', { hasText: name }).waitFor();
}

async function caretAt(page, file, text) {
  const before = readFileSync(path.join(workspace, file), 'utf8').split(text)[0].split('\n');
  await page.keyboard.press('Control+g');
  await page
    .locator('.quick-input-widget input')
    .first()
    .fill(`:${before.length}:${before.at(-1).length + 2}`);
  await page.keyboard.press('Enter');
  await page.locator('.quick-input-widget').waitFor({ state: 'hidden' });
}

async function command(page, title) {
  await page.keyboard.press('F1');
  await page.locator('.quick-input-widget input').first().fill(`>${title}`);
  const name = title.split(': ').at(-1);
  await page.locator('.quick-input-list .monaco-list-row', { hasText: name }).first().click();
}

function inPanel(page, name) {
  const frame = page.frameLocator('iframe.webview.ready').frameLocator('iframe#active-frame');
  return frame.locator(`[data-test="${name}"]`);
}

async function widenSideBar(page, toPixels) {
  const box = await page.locator('#workbench\\.parts\\.sidebar').boundingBox();
  await page.mouse.move(box.x + box.width, box.y + 300);
  await page.mouse.down();
  await page.mouse.move(box.x + toPixels, box.y + 300, { steps: 5 });
  await page.mouse.up();
  await page.mouse.move(box.x + toPixels + 300, box.y + 600);
}

/** WebP, a fifth of the same picture as PNG, and written by the browser itself. `PICTURES_PNG` also keeps the PNG. */
async function take(page, name, corner) {
  const clip = corner && { ...corner, ...picture };
  const png = await page.screenshot(clip && { clip });
  const helper = await browser.newPage();
  const webp = await helper.evaluate(async (data) => {
    const image = new Image();
    image.src = `data:image/png;base64,${data}`;
    await image.decode();
    const canvas = document.createElement('canvas');
    canvas.width = image.width;
    canvas.height = image.height;
    canvas.getContext('2d').drawImage(image, 0, 0);
    return canvas.toDataURL('image/webp', 0.35).split(',')[1];
  }, png.toString('base64'));
  await helper.close();
  const bytes = Buffer.from(webp, 'base64');
  if (name !== 'failed') writeFileSync(path.join(here, `${name}.webp`), bytes);
  console.log(`${name}.webp ${bytes.length} bytes`);
  if (process.env.PICTURES_PNG) writeFileSync(path.join(process.env.PICTURES_PNG, `${name}.png`), png);
}
