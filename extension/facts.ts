import * as vscode from 'vscode';
import type { FactsMessage } from '../server/protocol.ts';
import type { FileFacts } from '../webview/protocol.ts';
import { needsServer } from './documents.ts';

export interface FactsTracker extends vscode.Disposable {
  /** Takes what the server says about one document. */
  readonly receive: (message: FactsMessage) => void;
  /** Facts of a document, or of the one being shown. */
  readonly latest: (uri?: string) => FactsMessage | undefined;
  /** The document is opened next to show where a value comes from: the run that has the value stays. */
  readonly visit: (uri: string) => void;
}

/**
 * Keeps the facts of every open document and shows those of the editor or notebook with a run that a person looked at last:
 * an editor with something else (a log, a README) does not take them away.
 */
export function trackFacts(show: (shown: FileFacts | undefined, awaited?: string) => void): FactsTracker {
  const byUri = new Map<string, FactsMessage>();
  let shownUri: string | undefined;
  let hasShown = false;
  /** Opened from the panel, and no other document since. */
  let visited: string | undefined;

  const follow = (editor: vscode.TextEditor | undefined) => {
    if (editor === undefined) return;
    const { uri, languageId } = editor.document;
    if (uri.toString() === visited) return;
    visited = undefined;
    // A settings file or a launch script takes the panel over once the server has found a run in it.
    if (languageId !== 'python' && byUri.get(uri.toString())?.facts === undefined) return;
    // The facts of a notebook are those of all its cells. One that is only selected has no editor, but it is followed below.
    if (uri.scheme === 'vscode-notebook-cell') followNotebook(vscode.window.activeNotebookEditor);
    else showFactsOf(uri, needsServer(editor.document));
  };
  const followNotebook = (editor: vscode.NotebookEditor | undefined) => {
    if (editor !== undefined) showFactsOf(editor.notebook.uri, true);
  };
  const showFactsOf = (uri: vscode.Uri, isRead: boolean) => {
    shownUri = uri.toString();
    const known = byUri.get(shownUri);
    // A document the server has not looked at yet: its facts are on their way, an empty panel would only flicker.
    if (known !== undefined) showKnown(known);
    else if (isRead && !hasShown) show(undefined, nameOf(shownUri));
  };
  const showKnown = (message: FactsMessage) => {
    hasShown = true;
    show(shownFacts(message));
  };
  const receive = (message: FactsMessage) => {
    byUri.set(message.uri, message);
    const isLookedAt = vscode.window.activeTextEditor?.document.uri.toString() === message.uri;
    if (isLookedAt && message.facts !== undefined && message.uri !== visited) shownUri = message.uri;
    if (message.uri === shownUri) showKnown(message);
  };
  const forget = ({ uri }: vscode.TextDocument | vscode.NotebookDocument) => {
    byUri.delete(uri.toString());
  };

  const subscriptions = vscode.Disposable.from(
    vscode.window.onDidChangeActiveTextEditor(follow),
    vscode.window.onDidChangeActiveNotebookEditor(followNotebook),
    vscode.workspace.onDidCloseTextDocument(forget),
    vscode.workspace.onDidCloseNotebookDocument(forget),
  );
  followNotebook(vscode.window.activeNotebookEditor);
  follow(vscode.window.activeTextEditor);
  return {
    receive,
    visit(uri) {
      if (uri !== shownUri) visited = uri;
    },
    latest: (uri = shownUri) => (uri === undefined ? undefined : byUri.get(uri)),
    dispose: () => subscriptions.dispose(),
  };
}

const nameOf = (uri: string): string => vscode.Uri.parse(uri).path.split('/').at(-1) ?? uri;

const shownFacts = ({ uri, facts, stale, runs, chosen }: FactsMessage): FileFacts => ({
  uri,
  name: nameOf(uri),
  facts,
  stale,
  runs: runs.map(({ id, title }) => ({ id, title })),
  chosenRun: chosen,
});
