// Takes the pictures of the walkthrough from real VS Code with the packaged extension.
//   node extension/walkthrough/pictures.mjs            builds and packs first
//   node extension/walkthrough/pictures.mjs --packed   takes out/checkpoint-lens.vsix as it is
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import * as camera from '../pictures/camera.mjs';

const here = path.dirname(fileURLToPath(import.meta.url));
/** What a picture shows of the window: VS Code's walkthrough has room for little more, and the package for few bytes. */
const picture = { width: 620, height: 340 };
const window = { width: 1120, height: 700 };
/** VS Code makes a hover as wide as a share of the window. */
const windowOfHover = { width: 850, height: 600 };
/** Hardly more than a picture shows: changes stand one below the other, and lines break before the picture ends. */
const smallWindow = { width: 690, height: 410 };

await camera.packUnlessPacked();
await camera.withVsCode({ theme: 'Default Dark Modern', window }, takeAll);

async function takeAll(page, workspace) {
  const file = (name) => path.join(workspace, name);
  await camera.open(page, 'train.py');
  await page.locator('#status\\.problems[aria-label*="Warnings: 2"]').waitFor();
  await camera.caretAt(page, file('train.py'), 'checkpoint(partial');
  await page.locator('.squiggly-warning').first().waitFor();
  await page.keyboard.press('Control+b');
  await page.setViewportSize(windowOfHover);
  await camera.caretAt(page, file('train.py'), 'checkpoint(partial');
  const hover = await hoverFirstFinding(page);
  await take(page, 'findings', { x: hover.x - 14, y: hover.y - 20 });
  await page.mouse.move(600, 60);
  await page.keyboard.press('Escape');

  await page.setViewportSize(window);
  // Nothing is under it there that would show a hover.
  await page.mouse.move(1000, 690);
  await camera.command(page, 'Checkpoint Lens: Open Memory Panel');
  await camera.inPanel(page, 'model-name').first().waitFor();
  await camera.widenSideBar(page, 430);
  await camera.command(page, 'Checkpoint Lens: Choose Training Device');
  await page.locator('.quick-input-list .monaco-list-row', { hasText: 'A100' }).first().waitFor();
  await take(page, 'device', { x: 251, y: 20 });
  await page.locator('.quick-input-list .monaco-list-row', { hasText: 'A100' }).first().click();
  await page.waitForTimeout(2000);
  await take(page, 'panel', { x: 45, y: 35 });

  await camera.open(page, 'gpt.py');
  await page.keyboard.press('Control+b');
  await page.setViewportSize(smallWindow);
  await camera.caretAt(page, file('gpt.py'), 'x = block(x, mask)');
  await camera.command(page, 'Checkpoint Lens: Put Strategy into Code');
  await page.locator('.quick-input-list .monaco-list-row', { hasText: 'Checkpoint every layer' }).first().click();
  await page.locator('.monaco-diff-editor .view-line', { hasText: 'use_reentrant=False' }).first().waitFor();
  await page.waitForTimeout(2500);
  await take(page, 'apply', { x: 55, y: 45 });
  await page.locator('.notification-list-item .monaco-button', { hasText: 'Discard' }).click();
  await page.locator('.monaco-diff-editor').waitFor({ state: 'detached' });

  await camera.command(page, 'Checkpoint Lens: Learn Checkpointing');
  const learn = camera.webview(page);
  await learn.locator('svg.segments').first().waitFor();
  await learn
    .locator('h2')
    .first()
    .evaluate((heading) => heading.scrollIntoView());
  await page.waitForTimeout(1000);
  await take(page, 'learn', { x: 55, y: 45 });
}

/** The pointer moves until the hover is there: while the layout still changes it is soon gone again. */
async function hoverFirstFinding(page) {
  const hover = page.locator('.monaco-hover:visible', { hasText: 'AC101' }).first();
  for (let attempt = 0; attempt < 10; attempt++) {
    await page.mouse.move(600, 60);
    await page.waitForTimeout(500);
    const { x, y, height } = await page.locator('.squiggly-warning').first().boundingBox();
    await page.mouse.move(x + 20 + attempt, y + height / 2, { steps: 4 });
    const isThere = await hover.waitFor({ timeout: 4000 }).then(
      () => true,
      () => false,
    );
    await page.waitForTimeout(1000);
    const box = isThere && (await hover.isVisible()) ? await hover.boundingBox() : null;
    if (box !== null) return box;
  }
  throw new Error('the hover never came');
}

function take(page, name, corner) {
  return camera.take(page, path.join(here, `${name}.webp`), { clip: { ...corner, ...picture }, quality: 0.35 });
}
