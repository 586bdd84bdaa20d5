import * as vscode from 'vscode';
import type { Place } from '../server/core/facts/facts.ts';

/** Selects a place in its document, in the editor that shows it already where there is one. */
export async function reveal(place: Place): Promise<void> {
  const uri = vscode.Uri.parse(place.path, true);
  if (uri.scheme === 'vscode-notebook-cell') return revealInCell(uri, place);
  const document = await vscode.workspace.openTextDocument(uri);
  const visible = vscode.window.visibleTextEditors.find((editor) => editor.document === document);
  // The place is from the last analysis: after edits since then its offsets may point elsewhere, VS Code clamps them.
  const start = document.positionAt(place.span.start);
  const end = document.positionAt(place.span.end);
  await vscode.window.showTextDocument(document, {
    ...(visible?.viewColumn === undefined ? {} : { viewColumn: visible.viewColumn }),
    selection: new vscode.Range(start, end),
  });
}

/** A cell is shown by its notebook: selected, scrolled to, and with the place selected once it has an editor. */
async function revealInCell(uri: vscode.Uri, { span }: Place): Promise<void> {
  const cellUri = uri.toString();
  const cell = vscode.workspace.notebookDocuments
    .flatMap((notebook) => notebook.getCells())
    .find(({ document }) => document.uri.toString() === cellUri);
  if (cell === undefined) return;
  const { document, index, notebook } = cell;
  const selection = new vscode.Range(document.positionAt(span.start), document.positionAt(span.end));
  const cells = new vscode.NotebookRange(index, index + 1);
  const visible = vscode.window.visibleNotebookEditors.find((editor) => editor.notebook === notebook);
  const viewColumn = visible?.viewColumn;
  const editor = await vscode.window.showNotebookDocument(notebook, {
    selections: [cells],
    ...(viewColumn === undefined ? {} : { viewColumn }),
  });
  editor.revealRange(cells, vscode.NotebookEditorRevealType.InCenterIfOutsideViewport);
  await vscode.commands.executeCommand('vscode.open', uri, { selection });
}
