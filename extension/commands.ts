import * as vscode from 'vscode';
import { registerApply } from './apply.ts';
import { registerCheckWorkspace } from './checkWorkspace.ts';
import type { ServerClient } from './client.ts';
import type { FactsTracker } from './facts.ts';
import { registerLearn } from './learn.ts';
import { memoryPanelView } from './panel.ts';

export function registerCommands(
  context: vscode.ExtensionContext,
  client: ServerClient,
  output: vscode.LogOutputChannel,
  facts: FactsTracker,
): vscode.Disposable {
  const register = (name: string, run: () => unknown) => vscode.commands.registerCommand(`checkpointLens.${name}`, run);
  return vscode.Disposable.from(
    registerApply(client, facts),
    registerCheckWorkspace(client),
    registerLearn(client, facts),
    register('openPanel', () => vscode.commands.executeCommand(`${memoryPanelView}.focus`)),
    register('getStarted', () =>
      vscode.commands.executeCommand('workbench.action.openWalkthrough', walkthrough(context)),
    ),
    register('restartServer', () => client.restart()),
    register('showOutput', () => output.show()),
    register('copyDebugInformation', async () => {
      await vscode.env.clipboard.writeText(debugInformation(context, client, facts));
      void vscode.window.setStatusBarMessage(
        vscode.l10n.t('Checkpoint Lens: {0} copied', vscode.l10n.t('debug information')),
        3000,
      );
    }),
  );
}

const walkthrough = ({ extension }: vscode.ExtensionContext): string => `${extension.id}#getStarted`;

/** What a bug report needs; no code and no path of the user's. */
function debugInformation(context: vscode.ExtensionContext, client: ServerClient, facts: FactsTracker): string {
  const settings = vscode.workspace.getConfiguration('checkpointLens');
  const model = facts.latest()?.facts?.model;
  return [
    `Checkpoint Lens ${context.extension.packageJSON.version}`,
    `VS Code ${vscode.version} (${vscode.env.appHost}${vscode.env.remoteName ? `, ${vscode.env.remoteName}` : ''})`,
    typeof process === 'undefined' ? 'web worker' : `${process.platform} ${process.arch}, Node ${process.version}`,
    `Language server: ${client.state()}`,
    `Model shown: ${model === undefined ? 'none' : `${model.family.value}, ${model.layers.value} layers`}`,
    `Settings: ${JSON.stringify(settings)}`,
  ].join('\n');
}
