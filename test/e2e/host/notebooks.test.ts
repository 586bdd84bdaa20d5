import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import type { TestApi } from '../../../extension/activate.ts';
import { reveal } from '../../../extension/reveal.ts';
import { applyAction, codeActions, hoverText, ourDiagnostics, positionOf, until, untilFindings } from './editor.ts';

async function openNotebook(...cells: readonly string[]): Promise<vscode.NotebookDocument> {
  const data = new vscode.NotebookData([
    new vscode.NotebookCellData(vscode.NotebookCellKind.Markup, '# Training', 'markdown'),
    ...cells.map((text) => new vscode.NotebookCellData(vscode.NotebookCellKind.Code, text, 'python')),
  ]);
  const notebook = await vscode.workspace.openNotebookDocument('jupyter-notebook', data);
  await vscode.window.showNotebookDocument(notebook);
  return notebook;
}

describe('a notebook', () => {
  const imports = '%load_ext autoreload\nfrom torch.utils.checkpoint import checkpoint';

  it('has its findings in the cell that calls what another one imports, and fixes them there', async () => {
    const notebook = await openNotebook(imports, 'x = 1\ny = checkpoint(f, x)');
    const { document } = notebook.cellAt(2);
    await untilFindings(document, [{ code: 'AC101', line: 2, underlined: 'checkpoint' }]);
    assert.match(await hoverText(document, positionOf(document, 'checkpoint(f')), /reentrant, because/);
    const [diagnostic] = ourDiagnostics(document);
    assert.ok(diagnostic);
    const actions = await codeActions(document, diagnostic.range);
    const fix = actions.find(({ isPreferred }) => isPreferred);
    assert.ok(fix, 'a preferred fix');
    await applyAction(fix);
    assert.equal(document.getText(), 'x = 1\ny = checkpoint(f, x, use_reentrant=False)');
    await untilFindings(document, []);
  });

  it('follows cells that are edited and added', async () => {
    const notebook = await openNotebook('import torch', 'y = checkpoint(f, x)');
    const call = notebook.cellAt(2).document;
    const edit = new vscode.WorkspaceEdit();
    const added = new vscode.NotebookCellData(vscode.NotebookCellKind.Code, imports, 'python');
    edit.set(notebook.uri, [vscode.NotebookEdit.insertCells(1, [added])]);
    assert.ok(await vscode.workspace.applyEdit(edit));
    await untilFindings(call, [{ code: 'AC101', line: 1, underlined: 'checkpoint' }]);
  });

  it('is what the panel shows, with places in its cells', async () => {
    const notebook = await openNotebook(
      'from transformers import GPT2Config',
      '# sizes\nconfig = GPT2Config(n_layer=24)',
    );
    const extension = vscode.extensions.getExtension<TestApi>('checkpoint-lens.checkpoint-lens');
    const { latestFacts } = (await extension?.activate()) ?? assert.fail('the extension is not there');
    const message = await until('facts', () => {
      const latest = latestFacts();
      return latest?.uri === notebook.uri.toString() && latest.facts !== undefined ? latest : undefined;
    });
    const origin = message.facts?.model?.layers.origin;
    assert.ok(origin?.kind === 'literal');
    const { document } = notebook.cellAt(2);
    assert.equal(origin.place.path, document.uri.toString());
    await reveal(origin.place);
    const editor = await until('the cell’s editor', () => {
      const active = vscode.window.activeTextEditor;
      return active?.document === document && !active.selection.isEmpty ? active : undefined;
    });
    assert.equal(document.getText(editor.selection), '24');
  });
});
