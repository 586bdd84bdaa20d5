import assert from 'node:assert/strict';
import { after, before, describe } from 'node:test';
import { step } from './step.ts';
import * as workbench from './workbench.ts';

/** The panel as an editor tab, beside the code and beside the one in the side bar. */
describe('the panel in an editor', () => {
  let opened: workbench.Workbench;
  before(async () => {
    opened = await workbench.openWorkbench();
    await workbench.openFile(opened.page, 'train.py');
    await workbench.openPanel(opened.page);
  });
  after(async () => {
    await opened?.browser.close();
  });
  const page = () => opened.page;

  step('it opens beside the code, which keeps the focus, and shows the same model', page, async (page) => {
    await workbench.runCommand(page, 'Open Memory Panel in Editor');
    await workbench.inPanel(page, 'model-name', 'editor').filter({ hasText: 'GPT2Config' }).waitFor();
    const code = await page.locator('.editor-group-container .monaco-editor').first().boundingBox();
    const tab = await workbench.boxOf(page, 'editor');
    assert.ok(code !== null && tab.x >= code.x + code.width, 'the panel is not beside the code');
    const total = (place: workbench.PanelPlace) => workbench.inPanel(page, 'verdict', place).textContent();
    assert.equal(await total('editor'), await total('side bar'));
    await workbench.shot(page, 'panel-in-editor');
  });

  step('what is tried in it changes it alone', page, async (page) => {
    await workbench.inPanel(page, 'input-batch', 'editor').fill('16');
    await workbench.inPanel(page, 'reset', 'editor').waitFor();
    assert.equal(await workbench.inPanel(page, 'reset').count(), 0);
    await workbench.inPanel(page, 'reset', 'editor').click();
    await workbench.inPanel(page, 'reset', 'editor').waitFor({ state: 'detached' });
  });

  step('a click on a value goes to its line in the editor that shows the file already', page, async (page) => {
    await workbench.inPanel(page, 'model-name', 'editor').click();
    await workbench.untilCaretIn(page, workbench.placeOf(workbench.fileOnDisk('train.py'), 'GPT2Config(').line);
    assert.equal(await page.locator('.tabs-container .tab', { hasText: 'train.py' }).count(), 1);
  });

  step('it follows the code', page, async (page) => {
    const { line } = workbench.placeOf(workbench.fileOnDisk('train.py'), 'n_layer=24');
    await workbench.goTo(page, line, 1);
    await page.keyboard.press('End');
    await page.keyboard.press('ArrowLeft');
    for (const digit of ['6', '4']) {
      await page.keyboard.press('Backspace');
      await page.keyboard.type(digit);
      for (const place of ['editor', 'side bar'] as const)
        await workbench
          .panel(page, place)
          .locator('header .quiet', { hasText: `2${digit} layers` })
          .first()
          .waitFor();
    }
    // The editor saves by itself after a while, so that what stands there when the window closes is a matter of luck.
    await page.keyboard.press('Control+s');
    await page.locator('.tabs-container .tab.dirty').waitFor({ state: 'detached' });
    await workbench.until('the file as it was', () => workbench.fileOnDisk('train.py').includes('n_layer=24'));
  });
});
