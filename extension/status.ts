import * as vscode from 'vscode';
import type { ServerClient, ServerState } from './client.ts';
import { pythonDocuments } from './documents.ts';

/** An entry in the language status of Python files that says whether the server is running. */
export function showServerStatus(client: ServerClient): vscode.Disposable {
  const item = vscode.languages.createLanguageStatusItem('checkpointLens.server', pythonDocuments());
  item.name = 'Checkpoint Lens';
  const update = (state: ServerState) => {
    item.text = textOf(state);
    item.busy = state === 'starting';
    item.severity =
      state === 'stopped' ? vscode.LanguageStatusSeverity.Error : vscode.LanguageStatusSeverity.Information;
    item.command =
      state === 'stopped'
        ? { title: vscode.l10n.t('Restart'), command: 'checkpointLens.restartServer' }
        : { title: vscode.l10n.t('Open Panel'), command: 'checkpointLens.openPanel' };
  };
  update(client.state());
  return vscode.Disposable.from(item, client.onState(update));
}

function textOf(state: ServerState): string {
  if (state === 'starting') return vscode.l10n.t('Checkpoint Lens is starting');
  return state === 'stopped' ? vscode.l10n.t('Checkpoint Lens is not running') : 'Checkpoint Lens';
}
