import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { openText, until } from './editor.ts';

describe('the extension', () => {
  it('starts with the first Python file', async () => {
    const extension = vscode.extensions.getExtension('checkpoint-lens.checkpoint-lens');
    assert.ok(extension !== undefined, 'it is not there');
    await openText('');
    await until('activation', () => extension.isActive || undefined);
  });

  it('offers each command that its manifest names', async () => {
    const extension = vscode.extensions.getExtension('checkpoint-lens.checkpoint-lens');
    const declared: { command: string }[] = extension?.packageJSON.contributes.commands ?? [];
    assert.ok(declared.some(({ command }) => command === 'checkpointLens.openPanel'));
    const known = await vscode.commands.getCommands(true);
    assert.deepEqual(
      declared.map(({ command }) => command).filter((command) => !known.includes(command)),
      [],
    );
  });

  it('opens its panel beside the editor', async () => {
    await vscode.commands.executeCommand('checkpointLens.openPanel');
  });
});
