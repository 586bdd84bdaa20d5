import * as vscode from 'vscode';
import type { ChosenStrategy } from '../server/core/apply/chosen.ts';
import type { StrategyName } from '../server/core/budget/account.ts';
import { type ApplyStrategyAnswer, applyStrategyMethod } from '../server/protocol.ts';
import { chooseStrategy } from './applyChoices.ts';
import type { ServerClient } from './client.ts';
import type { FactsTracker } from './facts.ts';

/** Puts a strategy into code. Takes what the panel chose, or asks which strategy for the document being looked at. */
export const applyCommand = 'checkpointLens.applyStrategy';

/** Other strategies have regions of their own size. */
export const hasSegments = (name: StrategyName): boolean =>
  name === 'full' || name === 'sequential' || name === 'offload';

export interface ApplyArguments {
  readonly uri: string;
  readonly strategy: ChosenStrategy;
}

export function registerApply(client: ServerClient, facts: FactsTracker): vscode.Disposable {
  return vscode.commands.registerCommand(applyCommand, async (given?: unknown) => {
    const asked = isArguments(given) ? given : await askFor(facts);
    if (asked !== undefined) await apply(client, facts, asked);
  });
}

const isArguments = (given: unknown): given is ApplyArguments =>
  typeof given === 'object' && given !== null && 'uri' in given && 'strategy' in given;

async function askFor(facts: FactsTracker): Promise<ApplyArguments | undefined> {
  const uri = vscode.window.activeTextEditor?.document.uri.toString() ?? facts.latest()?.uri;
  if (uri === undefined) {
    void vscode.window.showInformationMessage(vscode.l10n.t('Open the file that trains, or the one with the model.'));
    return undefined;
  }
  const layers = facts.latest(uri)?.facts?.model?.layers.value;
  const strategy = await chooseStrategy(layers);
  return strategy === undefined ? undefined : { uri, strategy };
}

async function apply(client: ServerClient, facts: FactsTracker, { uri, strategy }: ApplyArguments): Promise<void> {
  const document = await vscode.workspace.openTextDocument(vscode.Uri.parse(uri, true));
  const layers = (facts.latest(uri) ?? facts.latest())?.facts?.model?.layers.value;
  const answer = await client.requestAbout<ApplyStrategyAnswer | null>(applyStrategyMethod, document.uri, {
    strategy,
    ...(layers !== undefined && { layers }),
  });
  switch (answer?.kind) {
    case 'edits':
      return preview(document, answer);
    case 'already':
      void vscode.window.showInformationMessage(alreadySo(answer.what));
      return;
    case 'cannot':
      return explain(answer.why);
  }
}

const alreadySo = (what: string | undefined): string =>
  what === undefined
    ? vscode.l10n.t('Nothing in this file checkpoints.')
    : vscode.l10n.t('The code says so already: {0}.', what);

/** Every edit wants consent, so that VS Code shows them all in its refactoring preview and writes nothing before. */
async function preview(document: vscode.TextDocument, answer: ApplyStrategyAnswer & { kind: 'edits' }): Promise<void> {
  if (document.version !== answer.version) {
    void vscode.window.showInformationMessage(vscode.l10n.t('The file has changed since; try once more.'));
    return;
  }
  const edit = new vscode.WorkspaceEdit();
  const { label, description } = answer;
  for (const { range, newText } of answer.edits) {
    const { start, end } = range;
    const place = new vscode.Range(start.line, start.character, end.line, end.character);
    edit.replace(document.uri, place, newText, { needsConfirmation: true, label, description });
  }
  await vscode.window.showTextDocument(document, { preserveFocus: true, preview: false });
  await vscode.workspace.applyEdit(edit, { isRefactoring: true });
}

async function explain(why: string): Promise<void> {
  const learn = vscode.l10n.t('Learn Checkpointing');
  const message = vscode.l10n.t('Not put into the code: {0}.', why);
  if ((await vscode.window.showWarningMessage(message, learn)) === learn)
    await vscode.commands.executeCommand('checkpointLens.learn');
}
