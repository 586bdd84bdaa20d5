import * as vscode from 'vscode';
import type { ServerClient, ServerState } from './client.ts';
import { pythonDocuments } from './documents.ts';

/** An entry in the language status of Python files that says whether the server is running. */
export function showServerStatus(client: ServerClient): vscode.Disposable {
  const item = vscode.languages.createLanguageStatusItem('checkpointLens.server', pythonDocuments());
  item.name = 'Checkpoint Lens';
  const update = (state: ServerState) => {
    item.text = texts[state];
    item.busy = state === 'starting';
    item.severity =
      state === 'stopped' ? vscode.LanguageStatusSeverity.Error : vscode.LanguageStatusSeverity.Information;
    item.command =
      state === 'stopped'
        ? { title: 'Restart', command: 'checkpointLens.restartServer' }
        : { title: 'Open Panel', command: 'checkpointLens.openPanel' };
  };
  update(client.state());
  return vscode.Disposable.from(item, client.onState(update));
}

const texts: Readonly<Record<ServerState, string>> = {
  idle: 'Checkpoint Lens',
  starting: 'Checkpoint Lens is starting',
  running: 'Checkpoint Lens',
  stopped: 'Checkpoint Lens is not running',
};
