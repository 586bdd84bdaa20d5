import * as vscode from 'vscode';

/** Asks where to, and writes what the panel made there. */
export async function saveFile(name: string, base64: string): Promise<void> {
  const folder = vscode.workspace.workspaceFolders?.[0]?.uri;
  const ending = name.slice(name.lastIndexOf('.') + 1);
  const uri = await vscode.window.showSaveDialog({
    ...(folder === undefined ? {} : { defaultUri: vscode.Uri.joinPath(folder, name) }),
    filters: { [ending.toUpperCase()]: [ending] },
  });
  if (uri === undefined) return;
  // A web worker has no Buffer.
  await vscode.workspace.fs.writeFile(
    uri,
    Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0)),
  );
}
