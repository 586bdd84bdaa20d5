import { randomBytes } from 'node:crypto';
import * as vscode from 'vscode';
import type { FileFacts, FromPanel, ToPanel } from '../webview/protocol.ts';
import { reveal } from './reveal.ts';

export const memoryPanelView = 'checkpointLens.memory';

/** A pipe between the extension and the panel: keeps the newest snapshot and sends it whenever the panel can see it. */
export class MemoryPanel implements vscode.WebviewViewProvider {
  readonly #root: vscode.Uri;
  readonly #output: vscode.LogOutputChannel;
  #view: vscode.WebviewView | undefined;
  #shown: FileFacts | undefined;
  /** What the panel last drew. */
  rendered: { readonly uri: string | undefined; readonly headline: string } | undefined;

  constructor(root: vscode.Uri, output: vscode.LogOutputChannel) {
    this.#root = vscode.Uri.joinPath(root, 'dist');
    this.#output = output;
  }

  resolveWebviewView(view: vscode.WebviewView): void {
    this.#view = view;
    view.webview.options = { enableScripts: true, localResourceRoots: [this.#root] };
    view.webview.html = page(view.webview, vscode.Uri.joinPath(this.#root, 'panel.js'));
    view.webview.onDidReceiveMessage((message: FromPanel) => this.#receive(message));
    view.onDidChangeVisibility(() => view.visible && this.#send());
    view.onDidDispose(() => {
      this.#view = undefined;
    });
  }

  show(shown: FileFacts | undefined): void {
    this.#shown = shown;
    this.#send();
  }

  #send(): void {
    if (this.#view === undefined) return;
    const message: ToPanel = { type: 'facts', shown: this.#shown };
    void this.#view.webview.postMessage(message);
  }

  #receive(message: FromPanel): void {
    switch (message.type) {
      case 'ready':
        this.#send();
        break;
      case 'reveal':
        reveal(message.place).catch((error) => this.#output.error(error));
        break;
      case 'rendered':
        this.rendered = { uri: message.uri, headline: message.headline };
        break;
      case 'failed':
        this.#output.error(`memory panel: ${message.message}`);
        break;
    }
  }
}

function page(webview: vscode.Webview, script: vscode.Uri): string {
  const nonce = randomBytes(16).toString('base64');
  // Styles come as adopted sheets from the script, which this policy allows; inline ones it would refuse.
  const policy = `default-src 'none'; script-src 'nonce-${nonce}'; style-src ${webview.cspSource}; font-src ${webview.cspSource}`;
  return `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta http-equiv="Content-Security-Policy" content="${policy}">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>Activation memory</title>
  </head>
  <body>
    <script type="module" nonce="${nonce}" src="${webview.asWebviewUri(script)}"></script>
  </body>
</html>`;
}
