import * as vscode from 'vscode';
import {
  type CheckFoldersParams,
  type CheckFoldersResult,
  type CheckProgressMessage,
  checkFoldersCommand,
  checkProgressMethod,
} from '../server/protocol.ts';
import type { ServerClient } from './client.ts';

/** Checks all files of the workspace, open or not; what is found appears in the list of problems while it runs. */
export function registerCheckWorkspace(client: ServerClient): vscode.Disposable {
  let checks = 0;
  return vscode.commands.registerCommand('checkpointLens.checkWorkspace', async () => {
    if (!hasFolderOnDisk()) {
      void vscode.window.showInformationMessage(vscode.l10n.t('Open a folder on a disk to check its files.'));
      return undefined;
    }
    checks++;
    const result = await runShown(client, checks);
    void say(result);
    return result;
  });
}

/** Elsewhere only single files can be read, on request; a window in a browser may well be connected to a disk. */
const hasFolderOnDisk = (): boolean =>
  typeof process !== 'undefined' && (vscode.workspace.workspaceFolders ?? []).some(({ uri }) => uri.scheme === 'file');

function runShown(client: ServerClient, id: number): Thenable<CheckFoldersResult> {
  const options: vscode.ProgressOptions = {
    location: vscode.ProgressLocation.Notification,
    title: vscode.l10n.t('Checking the workspace'),
    cancellable: true,
  };
  return vscode.window.withProgress(options, (progress, cancel) => {
    let shown = 0;
    const argument: CheckFoldersParams = { id };
    const params = { command: checkFoldersCommand, arguments: [argument] };
    return client.requestLong<CheckFoldersResult>('workspace/executeCommand', params, cancel, {
      method: checkProgressMethod,
      heard(message) {
        const { id: of, checked, files, findings } = message as CheckProgressMessage;
        if (of !== id) return;
        const percent = (100 * checked) / Math.max(files, 1);
        const text = vscode.l10n.t('{0} of {1}, {2}', grouped(checked), fileCount(files), findingCount(findings));
        progress.report({ message: text, increment: percent - shown });
        shown = percent;
      },
    });
  });
}

async function say(result: CheckFoldersResult): Promise<void> {
  if (result.ended === 'replaced') return;
  if (result.ended === 'failed') {
    const showLog = vscode.l10n.t('Show Log');
    const message = vscode.l10n.t('The check of the workspace failed: {0}', firstLine(result.reason ?? ''));
    const chosen = await vscode.window.showErrorMessage(message, showLog);
    if (chosen === showLog) await vscode.commands.executeCommand('checkpointLens.showOutput');
    return;
  }
  const actions = result.findings > 0 ? [vscode.l10n.t('Show Problems')] : [];
  const chosen = await vscode.window.showInformationMessage(summaryOf(result), ...actions);
  if (chosen !== undefined) await vscode.commands.executeCommand('workbench.actions.view.problems');
}

function summaryOf({ ended, checked, files, findings, filesWithFindings }: CheckFoldersResult): string {
  const found = findings === 0 ? vscode.l10n.t('no findings') : findingCount(findings);
  const where = findings === 0 ? found : vscode.l10n.t('{0} in {1}', found, fileCount(filesWithFindings));
  return ended === 'stopped'
    ? vscode.l10n.t('Checked {0} of {1}, then stopped: {2}', grouped(checked), fileCount(files), where)
    : vscode.l10n.t('Checked {0}: {1}', fileCount(checked), where);
}

const fileCount = (count: number): string =>
  count === 1 ? vscode.l10n.t('1 file') : vscode.l10n.t('{0} files', grouped(count));

const findingCount = (count: number): string =>
  count === 1 ? vscode.l10n.t('1 finding') : vscode.l10n.t('{0} findings', grouped(count));

const grouped = (count: number): string => count.toLocaleString('en-US');
const firstLine = (text: string): string => text.split('\n')[0] ?? '';
