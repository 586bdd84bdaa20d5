import * as vscode from 'vscode';

const scheme = 'checkpoint-lens-preview';

/** Shows what edits would make of a document, and asks. Nothing is written here. */
export interface EditPreview extends vscode.Disposable {
  /** Whether the person wants the edits; closing the comparison is a no. */
  readonly isWanted: (
    document: vscode.TextDocument,
    edits: readonly vscode.TextEdit[],
    label: string,
  ) => Promise<boolean>;
}

/**
 * A comparison of the document with itself as edited. VS Code's own refactoring preview shows a change in one line and leaves
 * every box empty, so that its Apply does nothing until each is ticked.
 */
export function createEditPreview(): EditPreview {
  const texts = new Map<string, string>();
  let nPreviews = 0;
  /** Of the preview that is open; there is one at a time. */
  let answer: ((isWanted: boolean) => void) | undefined;
  const decide = (isWanted: boolean) => {
    answer?.(isWanted);
    answer = undefined;
  };

  const isWanted: EditPreview['isWanted'] = async (document, edits, label) => {
    decide(false);
    const { path } = document.uri;
    nPreviews += 1;
    const edited = vscode.Uri.from({ scheme, path, query: String(nPreviews) });
    texts.set(edited.toString(), applied(document, edits));
    const answered = new Promise<boolean>((resolve) => {
      answer = resolve;
    });
    const title = `${path.split('/').at(-1)}: ${label}`;
    await vscode.commands.executeCommand('vscode.diff', document.uri, edited, title, {
      preview: true,
      selection: new vscode.Range(lastChange(edits), lastChange(edits)),
    });
    const ours = answer;
    const apply = vscode.l10n.t('Apply');
    const discard = vscode.l10n.t('Discard');
    void vscode.window
      .showInformationMessage(vscode.l10n.t('Put into the code: {0}?', label), apply, discard)
      .then((button) => {
        // The message may outlive its preview, or be sent away while the comparison is still read.
        if (button !== undefined && answer === ours) decide(button === apply);
      });
    const said = await answered;
    await close(edited);
    texts.delete(edited.toString());
    return said;
  };

  const subscriptions = vscode.Disposable.from(
    vscode.workspace.registerTextDocumentContentProvider(scheme, {
      provideTextDocumentContent: (uri) => texts.get(uri.toString()) ?? '',
    }),
    vscode.commands.registerCommand('checkpointLens.applyPreview', () => decide(true)),
    vscode.commands.registerCommand('checkpointLens.discardPreview', () => decide(false)),
    vscode.window.tabGroups.onDidChangeTabs(({ closed }) => {
      if (closed.some((tab) => texts.has(shownBy(tab)?.toString() ?? ''))) decide(false);
    }),
  );
  return { isWanted, dispose: () => subscriptions.dispose() };
}

/** Where the last edit begins in the edited text; an import above it is no place to look at. */
export function lastChange(edits: readonly vscode.TextEdit[]): vscode.Position {
  const last = edits.reduce((a, b) => (a.range.start.isAfter(b.range.start) ? a : b));
  const nLinesAbove = edits
    .filter(({ range }) => range.start.isBefore(last.range.start))
    .reduce((sum, { range, newText }) => sum + newText.split('\n').length - 1 - (range.end.line - range.start.line), 0);
  return last.range.start.translate(nLinesAbove);
}

/** The document's text with the edits in it. */
function applied(document: vscode.TextDocument, edits: readonly vscode.TextEdit[]): string {
  let text = document.getText();
  const fromTheEnd = edits.toSorted((a, b) => b.range.start.compareTo(a.range.start));
  for (const { range, newText } of fromTheEnd)
    text = `${text.slice(0, document.offsetAt(range.start))}${newText}${text.slice(document.offsetAt(range.end))}`;
  return text;
}

const shownBy = ({ input }: vscode.Tab): vscode.Uri | undefined =>
  input instanceof vscode.TabInputTextDiff && input.modified.scheme === scheme ? input.modified : undefined;

async function close(edited: vscode.Uri): Promise<void> {
  const tabs = vscode.window.tabGroups.all.flatMap((group) => group.tabs);
  await vscode.window.tabGroups.close(tabs.filter((tab) => shownBy(tab)?.toString() === edited.toString()));
}
