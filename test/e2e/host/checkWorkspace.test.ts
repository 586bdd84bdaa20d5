import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { codeOf, until } from './editor.ts';

describe('a check of the workspace', () => {
  it('puts the findings of files that nobody has open into the list of problems', async () => {
    const [folder] = vscode.workspace.workspaceFolders ?? [];
    assert.ok(folder !== undefined, 'no workspace folder is open');
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    const model = vscode.Uri.joinPath(folder.uri, 'model.py');
    const codes = (): string[] => vscode.languages.getDiagnostics(model).map(codeOf);
    const result = await vscode.commands.executeCommand<Record<string, unknown> | undefined>(
      'checkpointLens.checkWorkspace',
    );
    if (folder.uri.scheme !== 'file') {
      assert.equal(result, undefined, 'there is no disk to go through');
      return;
    }
    assert.equal(result?.ended, 'done');
    assert.ok(Number(result.checked) > 3 && Number(result.filesWithFindings) > 1, JSON.stringify(result));
    await until('the findings of the closed file', () => codes().includes('AC102') || undefined);
    assert.equal(
      vscode.workspace.textDocuments.some(({ uri }) => uri.toString() === model.toString()),
      false,
    );
  });
});
