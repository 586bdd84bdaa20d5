// Takes the README's pictures from real VS Code with the packaged extension, each in light and in dark.
//   node extension/pictures/readme.mjs            builds and packs first
//   node extension/pictures/readme.mjs --packed   takes out/checkpoint-lens.vsix as it is
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import * as camera from './camera.mjs';

const here = path.dirname(fileURLToPath(import.meta.url));
const window = { width: 1180, height: 760 };
const themes = { dark: 'Default Dark Modern', light: 'Default Light Modern' };

await camera.packUnlessPacked();
for (const [name, theme] of Object.entries(themes))
  await camera.withVsCode({ theme, window, scale: 1.5 }, (page, workspace) => takeAll(page, workspace, name));

async function takeAll(page, workspace, theme) {
  const train = path.join(workspace, 'train.py');
  await camera.open(page, 'train.py');
  await page.locator('#status\\.problems[aria-label*="Warnings: 2"]').waitFor();
  await camera.command(page, 'Checkpoint Lens: Open Memory Panel');
  await camera.inPanel(page, 'model-name').first().waitFor();
  await camera.widenSideBar(page, 430);
  await camera.inPanel(page, 'choose-device').click();
  await camera.chooseDevice(page, 'A100 40 GB');
  await settled(page);
  // A caret within a word would mark that word everywhere; the line above a method is empty.
  await camera.caretAt(page, train, 'def forward');
  await page.keyboard.press('ArrowUp');
  await page.locator('.monaco-editor .squiggly-warning').first().waitFor();
  await take(page, `overview-${theme}`);

  await page.keyboard.press('Control+b');
  await camera.caretAt(page, train, 'checkpoint(partial');
  await quickFix(page);
  await take(page, `fix-${theme}`, { x: 48, y: 300, width: 720, height: 390 });
}

/** What would help is found a moment after everything else is drawn. */
async function settled(page) {
  await camera
    .webview(page)
    .locator('[aria-busy="true"], [data-test="advice-pending"]')
    .first()
    .waitFor({ state: 'detached' });
}

/** The first press is now and then lost: focus is still on its way back to the editor. */
async function quickFix(page) {
  const menu = page.locator('.action-widget .monaco-list-row', { hasText: 'use_reentrant=False' }).first();
  for (let attempt = 0; attempt < 8; attempt++) {
    await page.keyboard.press('Control+.');
    const isThere = await menu.waitFor({ timeout: 4000 }).then(
      () => true,
      () => false,
    );
    if (isThere) return;
    await page.keyboard.press('Escape');
  }
  throw new Error('the menu never came');
}

function take(page, name, clip) {
  return camera.take(page, path.join(here, `${name}.webp`), { ...(clip && { clip }), quality: 0.5 });
}
