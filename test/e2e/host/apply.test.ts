import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { codeActions, openText, positionOf, until } from './editor.ts';

const model = `import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.blocks = nn.ModuleList([nn.Linear(8, 8) for _ in range(4)])

    def forward(self, x):
        for block in self.blocks:
            x = block(x)
        return x
`;

/** The edited side of the comparison, while it is open. */
const shownPreview = (): vscode.TextDocument | undefined =>
  vscode.window.tabGroups.activeTabGroup.activeTab?.input instanceof vscode.TabInputTextDiff
    ? vscode.workspace.textDocuments.find(({ uri }) => uri.scheme === 'checkpoint-lens-preview')
    : undefined;

describe('put a strategy into the code', () => {
  it('writes nothing before the preview is confirmed', async () => {
    const document = await openText(model);
    const strategy = { name: 'full', segment: 1 };
    const done = vscode.commands.executeCommand('checkpointLens.applyStrategy', {
      uri: document.uri.toString(),
      strategy,
    });
    const twoSeconds = new Promise((resolve) => setTimeout(() => resolve('waits'), 2000));
    assert.equal(await Promise.race([done, twoSeconds]), 'waits');
    assert.equal(document.getText(), model);
    const preview = await until('the comparison', shownPreview);
    assert.ok(preview.getText().includes('checkpoint(block, x, use_reentrant=False)'));
    await vscode.commands.executeCommand('checkpointLens.discardPreview');
    await done;
    assert.equal(document.getText(), model);
  });

  it('writes what was shown once it is wanted, and closing the comparison is a no', async () => {
    const document = await openText(model);
    const apply = () =>
      vscode.commands.executeCommand('checkpointLens.applyStrategy', {
        uri: document.uri.toString(),
        strategy: { name: 'full', segment: 2 },
      });
    const closed = apply();
    await until('the comparison', shownPreview);
    await vscode.commands.executeCommand('workbench.action.closeActiveEditor');
    await closed;
    assert.equal(document.getText(), model);
    const wanted = apply();
    const edited = (await until('the comparison', shownPreview)).getText();
    await vscode.commands.executeCommand('checkpointLens.applyPreview');
    await wanted;
    assert.equal(document.getText(), edited);
    assert.ok(edited.includes('checkpoint(run_segment, start, x, use_reentrant=False)'));
    assert.equal(vscode.window.activeTextEditor?.document, document);
  });

  it('is offered as a rewrite where the loop is', async () => {
    const document = await openText(model);
    const position = positionOf(document, 'x = block(x)');
    const action = await until('the rewrite', async () => {
      const actions = await codeActions(document, new vscode.Range(position, position));
      return actions.find(({ title }) => title === 'Checkpoint every layer');
    });
    assert.equal(action.kind?.value, 'refactor.rewrite.checkpointLens');
    const [, edits] = action.edit?.entries()[0] ?? [];
    assert.ok(edits?.some(({ newText }) => newText.startsWith('checkpoint(block, x, use_reentrant=False')));
  });
});

describe('learn checkpointing', () => {
  it('opens one page', async () => {
    await vscode.commands.executeCommand('checkpointLens.learn');
    const isPage = ({ label }: vscode.Tab): boolean => label === 'Activation Checkpointing';
    const isText = () =>
      vscode.workspace.textDocuments.some(({ lineCount, languageId }) => languageId === 'markdown' && lineCount > 50);
    // Without VS Code's own Markdown the page is shown as its text.
    const isThere = () => vscode.window.tabGroups.all.some(({ tabs }) => tabs.some(isPage)) || isText() || undefined;
    await until('the page', isThere);
  });
});
