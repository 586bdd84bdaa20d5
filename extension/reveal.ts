import * as vscode from 'vscode';
import type { Place } from '../server/core/facts/facts.ts';

/** Selects a place in its document, in the editor that shows it already where there is one. */
export async function reveal(place: Place): Promise<void> {
  const uri = vscode.Uri.parse(place.path, true);
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
