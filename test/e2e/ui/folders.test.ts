import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { after, before, describe } from 'node:test';
import type { Page } from 'playwright-core';
import { step } from './step.ts';
import * as workbench from './workbench.ts';

/** Two folders with files of the same names: nothing of the one may be taken for the other's. */
describe('a workspace of two folders', () => {
  let opened: workbench.Workbench;
  before(async () => {
    const file = writeWorkspace({ small: 12, large: 36 });
    changeSettings('small', { 'checkpointLens.rules': { AC101: 'error' } });
    opened = await workbench.openWorkbench(undefined, workbench.addressOfWorkspace(file));
  });
  after(async () => {
    await opened?.browser.close();
  });
  const page = () => opened.page;

  step('each file’s model comes from the files of its own folder', page, async (page) => {
    await page.locator('.explorer-folders-view .monaco-list-row', { hasText: 'large' }).first().waitFor();
    await workbench.openByName(page, 'small_train.py');
    await workbench.openPanel(page);
    await shows(page, '12 layers');
    await workbench.openByName(page, 'large_train.py');
    await shows(page, '36 layers');
    await workbench.openByName(page, 'small_train.py');
    await shows(page, '12 layers');
  });

  step('a value leads to its line in another file and the panel stays with the run', page, async (page) => {
    await workbench.openSection(page, 'sources');
    await workbench.inPanel(page, 'fact-layers').click();
    await page.locator('.tabs-container .tab.active', { hasText: 'sizes.py' }).waitFor();
    await workbench.untilCaretIn(page, 1);
    await shows(page, '12 layers');
    await workbench.openByName(page, 'large_train.py');
    await shows(page, '36 layers');
  });

  step('each file’s rules are those of its own folder’s settings', page, async (page) => {
    await workbench.until('the one as an error, the other as a warning', async () => {
      const counts = await workbench.problemCounts(page);
      return /Errors: 1\b/.test(counts) && /Warnings: 1\b/.test(counts);
    });
    changeSettings('small', { 'checkpointLens.rules': { AC101: 'off' } });
    await workbench.until('the warning alone', async () => {
      const counts = await workbench.problemCounts(page);
      return !/Errors: [1-9]/.test(counts) && /Warnings: 1\b/.test(counts);
    });
  });

  step('each file’s torch is that of its own folder’s settings', page, async (page) => {
    const errorsAndWarnings = (what: string, errors: RegExp) =>
      workbench.until(what, async () => {
        const counts = await workbench.problemCounts(page);
        return errors.test(counts) && /Warnings: 1\b/.test(counts);
      });
    const ofTorch = (version: string) =>
      changeSettings('small', { 'checkpointLens.rules': { AC101: 'error' }, 'checkpointLens.torchVersion': version });
    ofTorch('2.13');
    await errorsAndWarnings('the one as an error again', /Errors: 1\b/);
    // The option that is missing came with 1.11.
    ofTorch('1.10');
    await errorsAndWarnings('the other alone', /^(?!.*Errors: [1-9])/);
  });
});

const shows = (page: Page, layers: string): Promise<void> =>
  workbench.panel(page).locator('header .quiet', { hasText: layers }).first().waitFor();

const root = path.join(path.dirname(workbench.pathOf('.')), 'folders');

function changeSettings(folder: string, settings: object): void {
  mkdirSync(path.join(root, folder, '.vscode'), { recursive: true });
  writeFileSync(path.join(root, folder, '.vscode', 'settings.json'), JSON.stringify(settings));
}

/** A folder of each name, with so many layers in a file that the training script imports. */
function writeWorkspace(layersOf: Readonly<Record<string, number>>): string {
  for (const [name, layers] of Object.entries(layersOf)) {
    const folder = path.join(root, name);
    mkdirSync(folder, { recursive: true });
    writeFileSync(path.join(folder, 'sizes.py'), `LAYERS = ${layers}\n`);
    writeFileSync(path.join(folder, `${name}_train.py`), script);
  }
  const file = path.join(root, 'two.code-workspace');
  writeFileSync(file, JSON.stringify({ folders: Object.keys(layersOf).map((name) => ({ path: name })) }));
  return file;
}

const script = `from torch.utils.checkpoint import checkpoint
from transformers import GPT2Config, TrainingArguments

from sizes import LAYERS

config = GPT2Config(n_layer=LAYERS, n_head=12, n_embd=768)
arguments = TrainingArguments(output_dir="runs", per_device_train_batch_size=4, bf16=True)


def forward(block, hidden):
    return checkpoint(block, hidden)
`;
