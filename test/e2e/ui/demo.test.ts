import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { after, before, describe } from 'node:test';
import { step } from './step.ts';
import * as workbench from './workbench.ts';

/**
 * The way a person takes through the product, in one window and in this order: open a training script, read a finding,
 * fix it, look at the memory panel, try something out. Each test goes on where the one before it ended.
 */
describe('from a squiggle to a what-if', () => {
  let opened: workbench.Workbench;
  before(async () => {
    opened = await workbench.openWorkbench();
  });
  after(async () => {
    await opened?.browser.close();
  });
  const page = () => opened.page;

  step('opening the training script marks its findings', page, async (page) => {
    await workbench.openFile(page, 'train.py');
    await workbench.squiggles(page).first().waitFor();
    await workbench.until('two warnings', async () => /Warnings: 2/.test(await workbench.problemCounts(page)));
  });

  step('the status bar says what a step takes', page, async (page) => {
    await workbench
      .peakStatus(page)
      .filter({ hasText: /\b13\.\d GB$/ })
      .waitFor();
  });

  step('hovering a squiggle says what is wrong and what the variant does', page, async (page) => {
    // At the caret, not under the mouse: lines move while lenses are drawn between them.
    const { line, column } = workbench.placeOf(workbench.fileOnDisk('train.py'), 'checkpoint(partial');
    await workbench.goTo(page, line, column + 2);
    assert.match(await workbench.hoverText(page, 'use_reentrant'), /AC101/);
    await workbench.shot(page, 'hover');
    await page.keyboard.press('Escape');
  });

  step('the preferred fix is applied by keyboard and saved', page, async (page) => {
    const { line, column } = workbench.placeOf(workbench.fileOnDisk('train.py'), 'checkpoint(partial');
    await page.keyboard.press('Escape');
    await workbench.goTo(page, line, column + 2);
    const menu = await workbench.quickFixMenu(page, 'Add use_reentrant=False');
    await workbench.shot(page, 'quick-fix');
    assert.match((await menu.getAttribute('class')) ?? '', /focused/, 'the preferred fix is not the first');
    await page.keyboard.press('Enter');
    await workbench.until('one warning', async () => /Warnings: 1/.test(await workbench.problemCounts(page)));
    await page.keyboard.press('Control+s');
    const fixed = 'checkpoint(partial(self.block, **options), hidden, *rest, use_reentrant=False)';
    await workbench.until('the file on disk', () => workbench.fileOnDisk('train.py').includes(fixed));
  });

  step('the panel shows the model and its run', page, async (page) => {
    const { all, own } = await workbench.openMilliseconds(page);
    console.log(
      `  from the click to the panel: ${all.toFixed(0)} ms, first paint of its document: ${own.toFixed(0)} ms`,
    );
    await workbench.widenSideBar(page, 440);
    const text = async (name: string) => ((await workbench.inPanel(page, name).first().textContent()) ?? '').trim();
    assert.match(await text('model-name'), /GPT2Config/);
    await workbench.openSection(page, 'sources');
    assert.equal(await text('fact-layers'), '24');
    assert.equal(await value(page, 'input-batch'), '8');
    assert.equal(await value(page, 'input-sequence'), '1024');
  });

  step('the panel shows the right numbers', page, async (page) => {
    await workbench.openSection(page, 'paper');
    // The paper's own formula, A = 34bsh + 5bs²a, for 24 layers.
    assert.equal(await exactBytes(page, 'paper-peak-none'), 24 * paperLayerBytes(8));
    const { paper, pytorch, device } = budgetOnCommandLine();
    for (const { name, peakBytes } of paper.strategies)
      assert.equal(await exactBytes(page, `paper-peak-${name}`), Math.round(peakBytes), `paper, ${name}`);
    for (const { name, peakBytes } of pytorch.strategies)
      assert.equal(await exactBytes(page, `peak-${name}`), Math.round(peakBytes), `PyTorch, ${name}`);
    for (const { name, range } of device.strategies)
      assert.equal(await exactBytes(page, `total-${name}`), Math.round(range.expected), `whole device, ${name}`);
  });

  step('a device is picked by name, and the panel says whether the training fits', page, async (page) => {
    await workbench.inPanel(page, 'choose-device').click();
    await page.locator('.quick-input-widget input').first().fill('A100 40');
    await page.locator('.quick-input-list .monaco-list-row', { hasText: 'A100 40 GB' }).first().waitFor();
    await workbench.shot(page, 'devices');
    await page.keyboard.press('Enter');
    const verdict = workbench.inPanel(page, 'verdict').filter({ hasText: 'A100 40 GB' });
    await verdict.waitFor();
    const { device } = budgetOnCommandLine('--gpu', 'A100 40GB');
    assert.equal(await verdict.getAttribute('data-tone'), device.outcome);
    assert.equal(await exactBytes(page, 'total-now'), Math.round(device.range.expected));
    await workbench.inPanel(page, 'largest-batch-now').waitFor();
    await workbench
      .peakStatus(page)
      .filter({ hasText: /\b13\.\d GB of 42\.4 GB$/ })
      .waitFor();
    await workbench.shot(page, 'verdict');
  });

  step('a strategy is tried with a click, and Undo takes it back', page, async (page) => {
    await workbench.inPanel(page, 'try-every-second').click();
    await workbench.inPanel(page, 'how').filter({ hasText: 'every second layer' }).waitFor();
    assert.match((await workbench.inPanel(page, 'verdict-in-code').textContent()) ?? '', /As the code stands/);
    await workbench.inPanel(page, 'undo').click();
    await workbench.inPanel(page, 'how').filter({ hasText: 'full checkpointing' }).waitFor();
  });

  step('what cannot be a value is said where it was typed, and stays there', page, async (page) => {
    const input = workbench.inPanel(page, 'input-sequence');
    await input.fill('1.5');
    await workbench.inPanel(page, 'problem-sequence').filter({ hasText: '1,024 is counted' }).waitFor();
    await input.blur();
    assert.equal(await input.inputValue(), '1.5');
    await input.fill('1024');
    await workbench.inPanel(page, 'problem-sequence').waitFor({ state: 'hidden' });
  });

  step('a what-if is redrawn', page, async (page) => {
    const redraws = await workbench.redrawMilliseconds(page, 'input-sequence', 40);
    await workbench.inPanel(page, 'reset').click();
    // How fast is for a person to read: a machine that does something else at the time must not fail the run.
    console.log(`  redraw of a what-if: ${milliseconds(redraws)}`);
    assert.equal(redraws.length, 40);
  });

  step('a what-if changes them at once, and Reset brings them back', page, async (page) => {
    const before = await exactBytes(page, 'peak-none');
    await workbench.inPanel(page, 'input-batch').fill('16');
    await workbench.until('the new estimate', async () => (await exactBytes(page, 'peak-none')) !== before);
    const inPaper = 24 * paperLayerBytes(16);
    await workbench.until('the paper’s', async () => (await exactBytes(page, 'paper-peak-none')) === inPaper);
    const { pytorch } = budgetOnCommandLine('--batch', '16');
    for (const { name, peakBytes } of pytorch.strategies)
      assert.equal(await exactBytes(page, `peak-${name}`), Math.round(peakBytes), name);
    await workbench.shot(page, 'what-if');
    await workbench.inPanel(page, 'reset').click();
    await workbench.until('the old estimate', async () => (await exactBytes(page, 'peak-none')) === before);
  });

  step('a click on a value jumps to its line', page, async (page) => {
    await workbench.inPanel(page, 'fact-layers').click();
    await workbench.untilCaretIn(page, workbench.placeOf(workbench.fileOnDisk('train.py'), 'n_layer=24').line);
    await workbench.shotOfWholePanel(page, 'panel');
  });

  step('the panel follows the active editor and keeps its calm where there is no model', page, async (page) => {
    await page.keyboard.press('Control+p');
    await page.locator('.quick-input-widget input').first().fill('model.py');
    await page.locator('.quick-input-list .monaco-list-row', { hasText: 'model.py' }).first().waitFor();
    await page.keyboard.press('Enter');
    await workbench.inPanel(page, 'model-name').filter({ hasText: 'GPTConfig' }).waitFor();
    await page.keyboard.press('Control+p');
    await page.locator('.quick-input-widget input').first().fill('lookalikes.py');
    await page.locator('.quick-input-list .monaco-list-row', { hasText: 'lookalikes.py' }).first().waitFor();
    await page.keyboard.press('Enter');
    await workbench.inPanel(page, 'empty-state').waitFor();
    await workbench.shot(page, 'no-model');
    assert.match(await workbench.problemCounts(page), /Warnings: 1/, 'the look-alikes have findings');
    await workbench.peakStatus(page).waitFor({ state: 'detached' });
  });

  step('the code in a hover leads to the page of its rule', page, async (page) => {
    await workbench.openFile(page, 'train.py');
    const { line, column } = workbench.placeOf(workbench.fileOnDisk('train.py'), 'hidden = checkpoint(');
    await workbench.goTo(page, line, column + 12);
    const tab = page.locator('.tabs-container .tab.active', { hasText: 'AC101.md' });
    // The hover is drawn anew when more is known, and goes when the pointer comes near.
    await workbench.until('the page', async () => {
      await workbench.hoverText(page, 'use_reentrant');
      const link = page.locator('.monaco-hover:visible a', { hasText: 'AC101' }).first();
      await link.dispatchEvent('click', undefined, { timeout: 2_000 }).catch(() => undefined);
      return tab.waitFor({ timeout: 3_000 }).then(
        () => true,
        () => false,
      );
    });
    await tab.click({ button: 'middle' });
    await tab.waitFor({ state: 'detached' });
  });

  step('a click on the status bar shows the panel', page, async (page) => {
    const panel = page.locator('#workbench\\.parts\\.sidebar', { hasText: 'Checkpoint Lens: Memory' });
    await panel.waitFor({ state: 'detached' });
    await workbench.peakStatus(page).click();
    await panel.waitFor();
  });
});

/** Median and range, for a person to read. */
function milliseconds(taken: readonly number[]): string {
  const sorted = taken.toSorted((a, b) => a - b);
  const text = (at: number): string => (sorted[at] ?? Number.NaN).toFixed(1);
  return `${text(Math.floor(sorted.length / 2))} ms (${text(0)} to ${text(sorted.length - 1)})`;
}

/** Bytes of one layer of the demo's model by Chen et al.'s count: s = 1024, h = 1024, a = 16. */
const paperLayerBytes = (batch: number): number => 34 * batch * 1024 * 1024 + 5 * batch * 1024 ** 2 * 16;

/** A cell shows three digits and has all of them in its tooltip: `22,951,231,488 bytes`. */
async function exactBytes(page: workbench.Workbench['page'], name: string): Promise<number> {
  const title = await workbench.inPanel(page, name).getAttribute('title');
  return Number(title?.match(/^[\d,]+/)?.[0].replaceAll(',', ''));
}

const value = (page: workbench.Workbench['page'], name: string): Promise<string> =>
  workbench.inPanel(page, name).inputValue();

interface CommandLineBudget {
  readonly paper: { readonly strategies: readonly { readonly name: string; readonly peakBytes: number }[] };
  readonly pytorch: { readonly strategies: readonly { readonly name: string; readonly peakBytes: number }[] };
  readonly device: {
    readonly outcome: string | null;
    readonly range: { readonly expected: number };
    readonly strategies: readonly { readonly name: string; readonly range: { readonly expected: number } }[];
  };
}

/** The same file's budget by the command line, whose numbers have their own tests. */
function budgetOnCommandLine(...flags: readonly string[]): CommandLineBudget {
  const args = ['dist/cli.js', 'budget', workbench.pathOf('train.py'), '--format', 'json', ...flags];
  return JSON.parse(execFileSync(process.execPath, args, { encoding: 'utf8' }));
}
