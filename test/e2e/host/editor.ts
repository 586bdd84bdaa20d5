import assert from 'node:assert/strict';
import * as vscode from 'vscode';

/** Findings as a person would list them: code, line and what is underlined. */
export interface Finding {
  readonly code: string;
  readonly line: number;
  readonly underlined: string;
}

/** Opens a file of the demo workspace in an editor. */
export async function openDemo(name: string): Promise<vscode.TextDocument> {
  const [folder] = vscode.workspace.workspaceFolders ?? [];
  assert.ok(folder !== undefined, 'no workspace folder is open');
  return show(await vscode.workspace.openTextDocument(vscode.Uri.joinPath(folder.uri, name)));
}

/** Opens an editor on Python that is on no disk. */
export const openText = async (content: string): Promise<vscode.TextDocument> =>
  show(await vscode.workspace.openTextDocument({ language: 'python', content }));

async function show(document: vscode.TextDocument): Promise<vscode.TextDocument> {
  await vscode.window.showTextDocument(document, { preview: false });
  return document;
}

/** Replaces everything in an open document. */
export async function replaceAll(document: vscode.TextDocument, text: string): Promise<void> {
  const edit = new vscode.WorkspaceEdit();
  edit.replace(document.uri, new vscode.Range(0, 0, document.lineCount, 0), text);
  assert.ok(await vscode.workspace.applyEdit(edit), 'the edit was refused');
}

export const ourDiagnostics = (document: vscode.TextDocument): vscode.Diagnostic[] =>
  vscode.languages.getDiagnostics(document.uri).filter(({ source }) => source === 'checkpoint-lens');

export const findings = (document: vscode.TextDocument): Finding[] =>
  ourDiagnostics(document)
    .map((diagnostic) => ({
      code: codeOf(diagnostic),
      line: diagnostic.range.start.line + 1,
      underlined: document.getText(diagnostic.range),
    }))
    .sort((a, b) => a.line - b.line || a.code.localeCompare(b.code));

export const codeOf = ({ code }: vscode.Diagnostic): string => String(typeof code === 'object' ? code.value : code);

export async function codeActions(document: vscode.TextDocument, range: vscode.Range): Promise<vscode.CodeAction[]> {
  return vscode.commands.executeCommand<vscode.CodeAction[]>('vscode.executeCodeActionProvider', document.uri, range);
}

export async function applyAction(action: vscode.CodeAction): Promise<void> {
  if (action.edit !== undefined) assert.ok(await vscode.workspace.applyEdit(action.edit), 'the fix was refused');
  if (action.command !== undefined)
    await vscode.commands.executeCommand(action.command.command, ...(action.command.arguments ?? []));
}

export async function hoverText(document: vscode.TextDocument, position: vscode.Position): Promise<string> {
  const hovers = await vscode.commands.executeCommand<vscode.Hover[]>(
    'vscode.executeHoverProvider',
    document.uri,
    position,
  );
  return hovers
    .flatMap(({ contents }) => contents)
    .map((content) => (typeof content === 'string' ? content : content.value))
    .join('\n');
}

/** Where `text` begins in the document; the place must exist. */
export function positionOf(document: vscode.TextDocument, text: string): vscode.Position {
  const offset = document.getText().indexOf(text);
  assert.ok(offset >= 0, `"${text}" is not in ${document.fileName}`);
  return document.positionAt(offset);
}

/** Polls, because nothing tells when a language server has answered; says what it saw last when it gives up. */
export async function until<T>(what: string, look: () => T | undefined | Promise<T | undefined>): Promise<T> {
  const giveUp = Date.now() + 40_000;
  for (;;) {
    const seen = await look();
    if (seen !== undefined && seen !== false) return seen;
    assert.ok(Date.now() < giveUp, `waited in vain for ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

/** Waits until the document has exactly these findings. */
export async function untilFindings(document: vscode.TextDocument, expected: readonly Finding[]): Promise<void> {
  const wanted = JSON.stringify(expected);
  await until('the findings', () => JSON.stringify(findings(document)) === wanted || undefined).catch(() =>
    assert.deepEqual(findings(document), expected),
  );
}
