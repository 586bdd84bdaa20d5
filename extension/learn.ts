import * as vscode from 'vscode';
import { parseVersion } from '../server/core/torch/version.ts';
import { type VersionsAnswer, versionsMethod } from '../server/protocol.ts';
import type { ServerClient } from './client.ts';
import type { FactsTracker } from './facts.ts';
import { learnPage, linkedCommands } from './learn/learnPage.ts';
import { type LearnSubject, learnText } from './learn/learnText.ts';

/** Shows a page about activation checkpointing, with the torch version and the layers of the code being looked at. */
export const learnCommand = 'checkpointLens.learn';

export function registerLearn(client: ServerClient, facts: FactsTracker): vscode.Disposable {
  let panel: vscode.WebviewPanel | undefined;
  const command = vscode.commands.registerCommand(learnCommand, async () => {
    const text = learnText(await subject(client, facts));
    const title = vscode.l10n.t('Activation Checkpointing');
    const page = await learnPage(text, title);
    if (page === undefined) {
      const document = await vscode.workspace.openTextDocument({ language: 'markdown', content: text.markdown });
      await vscode.window.showTextDocument(document, { preview: true });
      return;
    }
    if (panel === undefined) {
      panel = vscode.window.createWebviewPanel('checkpointLens.learn', title, vscode.ViewColumn.Active, {
        enableCommandUris: linkedCommands,
        enableFindWidget: true,
      });
      panel.onDidDispose(() => {
        panel = undefined;
      });
    }
    panel.webview.html = page;
    panel.reveal();
  });
  return vscode.Disposable.from(command, { dispose: () => panel?.dispose() });
}

async function subject(client: ServerClient, facts: FactsTracker): Promise<LearnSubject> {
  const { language } = vscode.env;
  const shown = facts.latest();
  const found = shown?.facts?.model;
  const now = shown?.facts?.run.checkpointing.value;
  const model = found && {
    name: found.name.value,
    layers: found.layers.value,
    segment: now?.mode === 'full' ? now.segment : Math.max(1, Math.round(Math.sqrt(found.layers.value))),
  };
  const setting = vscode.workspace.getConfiguration('checkpointLens').get<string>('torchVersion', '');
  const installed = shown === undefined ? undefined : await torchOf(client, vscode.Uri.parse(shown.uri, true));
  const torch = parseVersion(setting === '' ? (installed ?? '') : setting);
  return { language, torch, model };
}

/** A page about checkpointing must not wait for a server that cannot start. */
async function torchOf(client: ServerClient, uri: vscode.Uri): Promise<string | undefined> {
  try {
    return (await client.requestAbout<VersionsAnswer | null>(versionsMethod, uri, {}))?.torch;
  } catch {
    return undefined;
  }
}
