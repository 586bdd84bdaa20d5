import assert from 'node:assert/strict';
import { after, before, describe, type TestContext, test } from 'node:test';
import type { Page } from 'playwright-core';
import { accessibilityViolations, violationsWithoutScripts } from './accessibility.ts';
import { assertLooksAsBefore, otherFonts } from './baselines.ts';
import { step } from './step.ts';
import { themes } from './themes.ts';
import * as workbench from './workbench.ts';

interface Surface {
  /** Its pictures are `<name>-<theme>.webp`. */
  readonly name: string;
  readonly place: workbench.PanelPlace;
  /** The theme variable that is seen behind it. */
  readonly background: string;
  /** How much of it the picture shows, from the top, in CSS pixels. */
  readonly pictureHeight: number;
  readonly violations: typeof accessibilityViolations;
  readonly open: (page: Page) => Promise<void>;
}

const surfaces: readonly Surface[] = [
  {
    name: 'panel',
    place: 'side bar',
    background: '--vscode-sideBar-background',
    pictureHeight: 1700,
    violations: accessibilityViolations,
    open: (page) => workbench.widenSideBar(page, 400),
  },
  {
    name: 'narrow-panel',
    place: 'side bar',
    background: '--vscode-sideBar-background',
    pictureHeight: 1300,
    violations: accessibilityViolations,
    open: (page) => workbench.widenSideBar(page, 220),
  },
  {
    name: 'panel-in-editor',
    place: 'editor',
    background: '--vscode-editor-background',
    pictureHeight: 900,
    violations: accessibilityViolations,
    open: async (page) => {
      await workbench.runCommand(page, 'Open Memory Panel in Editor');
      await workbench.inPanel(page, 'verdict', 'editor').waitFor();
      await workbench.openAllSections(page, 'editor');
    },
  },
  {
    name: 'learn',
    place: 'editor',
    background: '--vscode-editor-background',
    pictureHeight: 1700,
    violations: violationsWithoutScripts,
    open: async (page) => {
      await page.keyboard.press('Control+w');
      await workbench.runCommand(page, 'Learn Checkpointing');
      await workbench.panel(page, 'editor').locator('svg.segments').first().waitFor();
    },
  },
];

describe('what is drawn', () => {
  let opened: workbench.Workbench;
  let whyNoPictures: string | undefined;
  before(async () => {
    // So high that what the pictures show has not to be scrolled to.
    opened = await workbench.openWorkbench({ width: 1000, height: 1800 });
    whyNoPictures = await otherFonts(opened.page);
  });
  after(async () => {
    await opened?.browser.close();
  });
  const page = () => opened.page;

  step('the panel is opened, with everything unfolded and a device chosen', page, async (page) => {
    await workbench.openFile(page, 'train.py');
    await workbench.openPanel(page);
    await workbench.chooseDevice(page, 'A100 40', 'A100 40 GB');
    await workbench.openAllSections(page, 'side bar');
  });

  for (const surface of surfaces) {
    step(`${surface.name} opens`, page, surface.open);
    for (const theme of themes) {
      step(`${surface.name} takes the theme ${theme.label}`, page, async (page) => {
        await workbench.useTheme(page, theme.label, theme.workbench);
        const body = workbench.panel(page, surface.place).locator(`body.${theme.webview}`);
        await body.waitFor();
        const colour = await body.evaluate((element) => getComputedStyle(element).color);
        assert.notEqual(colour, 'rgb(0, 0, 0)', 'it has the browser’s colours');
      });
      comparePicture(surface.name, surface.place, theme.name, surface.pictureHeight);
      step(`${surface.name} in ${theme.label} is accessible`, page, async (page) => {
        const webview = workbench.panel(page, surface.place);
        assert.deepEqual(await surface.violations(webview, surface.background), []);
      });
    }
  }

  function comparePicture(name: string, place: workbench.PanelPlace, theme: string, height: number): void {
    test(`${name} looks as it did, ${theme}`, async (context: TestContext) => {
      if (whyNoPictures !== undefined) return context.skip(whyNoPictures);
      await workbench.scrollToTop(opened.page, place);
      const box = await workbench.boxOf(opened.page, place);
      await assertLooksAsBefore(opened.page, `${name}-${theme}`, { ...box, height: Math.min(box.height, height) });
    });
  }
});
