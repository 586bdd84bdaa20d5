import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { webpOf } from '../../../extension/pictures/webp.mjs';
import { comparePictures } from './comparePictures.ts';
import type { Box } from './workbench.ts';

const folder = path.join('test', 'e2e', 'baselines');
const shots = process.env.E2E_SHOTS ?? path.join('out', 'shots');
const isRenewing = process.env.E2E_UPDATE === '1';

/** Squares of so many pixels are compared by their mean colour, which how a font is smoothed hardly changes. */
const squarePixels = 8;
/** Of 255, in one colour of a square's mean. */
const tolerance = 28;
/** Share of squares that may differ: some digits more or less are no other design. */
const mostDiffering = 0.03;

/**
 * Compares a part of the window with the picture of it that is committed; `npm test -- ui --update` makes them anew. What differs
 * is left in out/shots as one picture: before, now, and the squares that differ.
 */
export async function assertLooksAsBefore(page: Page, name: string, clip: Box): Promise<void> {
  const png = await page.screenshot({ clip, animations: 'disabled', caret: 'hide' });
  const file = path.join(folder, `${name}.webp`);
  if (isRenewing) {
    mkdirSync(folder, { recursive: true });
    writeFileSync(file, await webpOf(browserOf(page), png, 0.25));
    return;
  }
  assert.ok(existsSync(file), `there is no ${file}; ${howToRenew}`);
  const helper = await browserOf(page).newPage();
  try {
    const [before, now] = [readFileSync(file).toString('base64'), png.toString('base64')];
    const { share, picture } = await helper.evaluate(comparePictures, { before, now, squarePixels, tolerance });
    if (share <= mostDiffering) return;
    const saved = path.join(shots, `DIFFERS ${name}.png`);
    writeFileSync(saved, Buffer.from(picture, 'base64'));
    assert.fail(`${(share * 100).toFixed(1)} % of ${name} looks different; see ${saved}. ${howToRenew}`);
  } finally {
    await helper.close();
  }
}

const howToRenew = 'If it is meant to look like this, npm test -- ui --update takes the pictures anew';

/**
 * Why pictures cannot be compared here: another machine's fonts break lines elsewhere. Undefined where text is as wide as on the
 * machine the pictures are from.
 */
export async function otherFonts(page: Page): Promise<string | undefined> {
  const helper = await browserOf(page).newPage();
  const width = await helper.evaluate(() => {
    document.body.innerHTML = '<span>Fits on A100 40 GB, 11.2 GB to spare</span>';
    document.body.style.font = '13px system-ui, "Ubuntu", "Droid Sans", sans-serif';
    return Math.round((document.body.firstElementChild as Element).getBoundingClientRect().width);
  });
  await helper.close();
  const file = path.join(folder, 'text-width.json');
  if (isRenewing) {
    mkdirSync(folder, { recursive: true });
    // As the formatter of this project has it.
    writeFileSync(file, `{ "pixels": ${width} }\n`);
    return undefined;
  }
  const { pixels } = JSON.parse(readFileSync(file, 'utf8')) as { readonly pixels: number };
  return width === pixels ? undefined : `text is ${width} pixels wide here and ${pixels} in the committed pictures`;
}

/** For an empty page beside the window, with a canvas of its own. */
function browserOf(page: Page): Browser {
  const browser = page.context().browser();
  assert.ok(browser, 'the window has no browser');
  return browser;
}
