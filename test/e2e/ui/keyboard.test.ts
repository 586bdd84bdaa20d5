import assert from 'node:assert/strict';
import { after, before, describe } from 'node:test';
import { step } from './step.ts';
import { type Stop, tabThrough } from './tabStops.ts';
import * as workbench from './workbench.ts';

/** Everything with the keyboard alone: from the palette into the panel and through it. */
describe('the panel by keyboard', () => {
  let opened: workbench.Workbench;
  before(async () => {
    opened = await workbench.openWorkbench();
    await workbench.openFile(opened.page, 'train.py');
    await workbench.openPanel(opened.page);
    await workbench.widenSideBar(opened.page, 400);
    await workbench.chooseDevice(opened.page, 'A100 40', 'A100 40 GB');
    await workbench.openAllSections(opened.page, 'side bar');
  });
  after(async () => {
    await opened?.browser.close();
  });
  const page = () => opened.page;

  step(
    'Tab reaches every control once, in the order in which they stand, and each shows that it has the focus',
    page,
    async (page) => {
      await workbench.runCommand(page, 'Open Memory Panel');
      let { stops, nControls } = await tabThrough(page, workbench.panel(page));
      // The workbench may take the focus away once more while the command that opened the panel is still ending.
      for (let again = 0; again < 2 && stops.length < nControls; again++) {
        await workbench.runCommand(page, 'Open Memory Panel');
        ({ stops, nControls } = await tabThrough(page, workbench.panel(page)));
      }
      assert.ok(nControls > 60, `only ${nControls} controls`);
      assert.deepEqual(
        stops.map(({ index }) => index),
        Array.from({ length: nControls }, (_, index) => index),
        stops.map(({ name }) => name).join(', '),
      );
      assert.deepEqual(
        stops.slice(1).flatMap((stop, at) => (comesAfter(stops[at] as Stop, stop) ? [] : [stop.name])),
        [],
      );
      assert.deepEqual(
        stops.filter(({ showsFocus }) => !showsFocus).map(({ name }) => name),
        [],
      );
    },
  );

  step('Enter and Space fold a section, try a strategy and change the units', page, async (page) => {
    const memory = workbench.inPanel(page, 'section-memory');
    await memory.locator('summary').first().focus();
    await page.keyboard.press('Enter');
    await workbench.until('a folded section', async () => (await memory.getAttribute('open')) === null);
    await page.keyboard.press('Space');
    await workbench.until('an open section', async () => (await memory.getAttribute('open')) !== null);
    await workbench.inPanel(page, 'units-binary').focus();
    await page.keyboard.press('Space');
    await workbench.inPanel(page, 'verdict').filter({ hasText: 'GiB' }).waitFor();
    await workbench.inPanel(page, 'units-decimal').focus();
    await page.keyboard.press('Enter');
    await workbench.inPanel(page, 'verdict').filter({ hasText: 'GB' }).waitFor();
    await workbench.inPanel(page, 'try-full').focus();
    await page.keyboard.press('Enter');
    await workbench.inPanel(page, 'how').filter({ hasText: 'full checkpointing' }).waitFor();
  });

  step('arrows move the segment, Ctrl+Z takes it back, and a reset leaves the focus in its row', page, async (page) => {
    const segment = workbench.inPanel(page, 'input-segment');
    const slider = workbench.inPanel(page, 'slider-segment');
    const before = Number(await segment.inputValue());
    await slider.focus();
    await page.keyboard.press('ArrowRight');
    await workbench.until('one layer more', async () => Number(await segment.inputValue()) === before + 1);
    await page.keyboard.press('Control+z');
    await workbench.until('the layers before', async () => Number(await segment.inputValue()) === before);
    await page.keyboard.press('ArrowRight');
    await workbench.inPanel(page, 'reset-segment').focus();
    await page.keyboard.press('Enter');
    await workbench.inPanel(page, 'reset-segment').waitFor({ state: 'detached' });
    assert.equal(await focused(), 'input-segment');
  });

  step('Escape brings back what is counted where something else was typed', page, async (page) => {
    const batch = workbench.inPanel(page, 'input-batch');
    const counted = await batch.inputValue();
    await batch.focus();
    await page.keyboard.press('Control+a');
    await page.keyboard.type('0');
    await workbench.inPanel(page, 'problem-batch').waitFor();
    await page.keyboard.press('Escape');
    assert.equal(await batch.inputValue(), counted);
    await workbench.inPanel(page, 'problem-batch').waitFor({ state: 'hidden' });
    assert.equal(await focused(), 'input-batch');
  });

  step('Enter on a value goes to its line', page, async (page) => {
    await workbench.inPanel(page, 'fact-layers').locator('xpath=ancestor::button').focus();
    await page.keyboard.press('Enter');
    await workbench.untilCaretIn(page, workbench.placeOf(workbench.fileOnDisk('train.py'), 'n_layer=24').line);
  });

  /** What tests call the control that has the focus. */
  const focused = (): Promise<string | undefined> =>
    workbench
      .panel(opened.page)
      .locator('body')
      .evaluate(() => (document.activeElement as HTMLElement | null)?.dataset.test);
});

/** Below, or in the same line and to the right. */
function comesAfter(before: Stop, stop: Stop): boolean {
  const middle = (before.top + before.bottom) / 2;
  const isInLine = stop.top <= middle && middle <= stop.bottom;
  return isInLine ? stop.left >= before.left : stop.top >= before.top;
}
