import assert from 'node:assert/strict';
import * as vscode from 'vscode';

describe('the extension', () => {
  it('starts when a Python file is opened', async () => {
    const extension = vscode.extensions.getExtension('checkpoint-lens.checkpoint-lens');
    assert.ok(extension !== undefined, 'the extension is not there');
    await vscode.workspace.openTextDocument({ language: 'python', content: '' });
    await extension.activate();
    assert.ok(extension.isActive);
  });
});
