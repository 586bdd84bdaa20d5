import * as vscode from 'vscode';
import type { ChosenStrategy } from '../server/core/apply/chosen.ts';
import { documentToChange } from '../server/core/apply/documentToChange.ts';
import type { StrategyName } from '../server/core/budget/account.ts';
import { type ApplyStrategyAnswer, applyStrategyMethod } from '../server/protocol.ts';
import { chooseStrategy } from './applyChoices.ts';
import type { ServerClient } from './client.ts';
import type { FactsTracker } from './facts.ts';
import { createEditPreview, type EditPreview, lastChange } from './previewEdits.ts';

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
  const preview = createEditPreview();
  const command = vscode.commands.registerCommand(applyCommand, async (given?: unknown) => {
    const asked = isArguments(given) ? given : await askFor(facts);
    if (asked !== undefined) await apply(client, facts, preview, asked);
  });
  return vscode.Disposable.from(preview, command);
}

const isArguments = (given: unknown): given is ApplyArguments =>
  typeof given === 'object' && given !== null && 'uri' in given && 'strategy' in given;

async function askFor(facts: FactsTracker): Promise<ApplyArguments | undefined> {
  const uri = vscode.window.activeTextEditor?.document.uri.toString() ?? facts.latest()?.uri;
  if (uri === undefined) {
    void vscode.window.showInformationMessage(vscode.l10n.t('Open the file that trains, or the one with the model.'));
    return undefined;
  }
  const known = facts.latest(uri)?.facts;
  const strategy = await chooseStrategy(known?.model?.layers.value);
  return strategy && { uri: documentToChange({ uri, facts: known }), strategy };
}

async function apply(
  client: ServerClient,
  facts: FactsTracker,
  preview: EditPreview,
  { uri, strategy }: ApplyArguments,
): Promise<void> {
  const document = await vscode.workspace.openTextDocument(vscode.Uri.parse(uri, true));
  const layers = (facts.latest(uri) ?? facts.latest())?.facts?.model?.layers.value;
  const answer = await client.requestAbout<ApplyStrategyAnswer | null>(applyStrategyMethod, document.uri, {
    strategy,
    ...(layers !== undefined && { layers }),
  });
  switch (answer?.kind) {
    case 'edits':
      return putInto(document, answer, preview);
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

/** Writes nothing before the person has seen every change and wants it. */
async function putInto(
  document: vscode.TextDocument,
  answer: ApplyStrategyAnswer & { kind: 'edits' },
  preview: EditPreview,
): Promise<void> {
  const isSame = (): boolean => document.version === answer.version;
  const edits = answer.edits.map(({ range: { start, end }, newText }) =>
    vscode.TextEdit.replace(new vscode.Range(start.line, start.character, end.line, end.character), newText),
  );
  const isWanted = isSame() && (await preview.isWanted(document, edits, answer.label));
  if (!isSame()) {
    void vscode.window.showInformationMessage(vscode.l10n.t('The file has changed since; try once more.'));
    return;
  }
  if (!isWanted) return;
  const edit = new vscode.WorkspaceEdit();
  edit.set(document.uri, edits);
  await vscode.workspace.applyEdit(edit, { isRefactoring: true });
  await showChanged(document, edits);
}

/** Where the strategy stands now. */
async function showChanged(document: vscode.TextDocument, edits: readonly vscode.TextEdit[]): Promise<void> {
  const place = lastChange(edits);
  const editor = await vscode.window.showTextDocument(document, { preview: false });
  editor.selection = new vscode.Selection(place, place);
  editor.revealRange(new vscode.Range(place, place), vscode.TextEditorRevealType.InCenterIfOutsideViewport);
}

async function explain(why: string): Promise<void> {
  const learn = vscode.l10n.t('Learn Checkpointing');
  const message = vscode.l10n.t('Not put into the code: {0}.', why);
  if ((await vscode.window.showWarningMessage(message, learn)) === learn)
    await vscode.commands.executeCommand('checkpointLens.learn');
}
