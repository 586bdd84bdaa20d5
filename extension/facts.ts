import * as vscode from 'vscode';
import type { FactsMessage } from '../server/protocol.ts';
import type { FileFacts } from '../webview/protocol.ts';

export interface FactsTracker extends vscode.Disposable {
  /** Takes what the server says about one document. */
  readonly receive: (message: FactsMessage) => void;
  /** Facts of a document, or of the one being shown. */
  readonly latest: (uri?: string) => FactsMessage | undefined;
}

/**
 * Keeps the facts of every open document and shows those of the Python editor a person looked at last: an editor with
 * something else (a log, a README) does not take them away.
 */
export function trackFacts(show: (shown: FileFacts | undefined) => void): FactsTracker {
  const byUri = new Map<string, FactsMessage>();
  let shownUri: string | undefined;

  const follow = (editor: vscode.TextEditor | undefined) => {
    if (editor?.document.languageId !== 'python') return;
    shownUri = editor.document.uri.toString();
    const known = byUri.get(shownUri);
    // A document the server has not looked at yet: its facts are on their way, an empty panel would only flicker.
    if (known !== undefined) show(shownFacts(known));
  };
  const receive = (message: FactsMessage) => {
    byUri.set(message.uri, message);
    if (message.uri === shownUri) show(shownFacts(message));
  };
  const forget = (document: vscode.TextDocument) => {
    byUri.delete(document.uri.toString());
  };

  const subscriptions = vscode.Disposable.from(
    vscode.window.onDidChangeActiveTextEditor(follow),
    vscode.workspace.onDidCloseTextDocument(forget),
  );
  follow(vscode.window.activeTextEditor);
  return {
    receive,
    latest: (uri = shownUri) => (uri === undefined ? undefined : byUri.get(uri)),
    dispose: () => subscriptions.dispose(),
  };
}

const shownFacts = ({ uri, facts, stale }: FactsMessage): FileFacts => ({
  uri,
  name: vscode.Uri.parse(uri).path.split('/').at(-1) ?? uri,
  facts,
  stale,
});
