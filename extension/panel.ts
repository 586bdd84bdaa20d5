import * as vscode from 'vscode';
import type { FileFacts, FromPanel, ServerHealth, ToPanel } from '../webview/protocol.ts';
import { type ApplyArguments, applyCommand, hasSegments } from './apply.ts';
import { chooseDevice, chosenDevice } from './chooseDevice.ts';
import type { ServerClient } from './client.ts';
import { learnCommand } from './learn.ts';
import { panelPage } from './panelPage.ts';
import { reveal } from './reveal.ts';
import { saveFile } from './saveFile.ts';

export const memoryPanelView = 'checkpointLens.memory';

export interface PanelEvents {
  /** Before a document is opened to show where a value comes from. */
  readonly visit: (uri: string) => void;
  /** Somebody wants to see the panel. */
  readonly opened: () => void;
  readonly deviceChosen: () => void;
}

/**
 * A pipe between the extension and the panel, which may be in the side bar and in editors at once: keeps the newest snapshot
 * and sends it to whoever can see it.
 */
export class MemoryPanel implements vscode.WebviewViewProvider {
  readonly #script: vscode.Uri;
  #page: Promise<string> | undefined;
  readonly #output: vscode.LogOutputChannel;
  readonly #webviews = new Set<vscode.Webview>();
  #shown: FileFacts | undefined;
  #awaited: string | undefined;
  #server: ServerHealth = 'idle';
  #memory: vscode.Memento | undefined;
  #client: ServerClient | undefined;
  readonly #tell: PanelEvents;
  /** What the panel last drew. */
  rendered: { readonly uri: string | undefined; readonly headline: string } | undefined;

  constructor(root: vscode.Uri, output: vscode.LogOutputChannel, tell: PanelEvents) {
    this.#script = vscode.Uri.joinPath(root, 'dist', 'panel.js');
    this.#output = output;
    this.#tell = tell;
  }

  /** Lets the panel say whether the server runs, and remember the device in `memory`. */
  connect(memory: vscode.Memento, server: ServerClient): vscode.Disposable {
    this.#memory = memory;
    this.#server = server.state();
    this.#client = server;
    const choose = async (): Promise<void> => {
      if (!(await chooseDevice(memory))) return;
      this.#send();
      this.#tell.deviceChosen();
    };
    return vscode.Disposable.from(
      server.onState((state) => {
        this.#server = state;
        this.#send();
      }),
      vscode.commands.registerCommand('checkpointLens.chooseDevice', choose),
      vscode.commands.registerCommand('checkpointLens.openPanelInEditor', () => this.#openInEditor()),
    );
  }

  resolveWebviewView(view: vscode.WebviewView): void {
    this.#try(this.#fill(view.webview));
    view.onDidChangeVisibility(() => view.visible && this.#send());
    view.onDidDispose(() => this.#webviews.delete(view.webview));
  }

  /** `awaited` is the name of a document that is being read while there is nothing to show. */
  show(shown: FileFacts | undefined, awaited?: string): void {
    this.#shown = shown;
    this.#awaited = awaited;
    this.#send();
  }

  /** The same panel beside the code, where there is more room. */
  #openInEditor(): void {
    const tab = vscode.window.createWebviewPanel(
      `${memoryPanelView}Editor`,
      vscode.l10n.t('Training memory'),
      { viewColumn: vscode.ViewColumn.Beside, preserveFocus: true },
      { enableFindWidget: true },
    );
    this.#try(this.#fill(tab.webview));
    tab.onDidChangeViewState(() => tab.visible && this.#send());
    tab.onDidDispose(() => this.#webviews.delete(tab.webview));
  }

  async #fill(webview: vscode.Webview): Promise<void> {
    this.#webviews.add(webview);
    this.#tell.opened();
    webview.options = { enableScripts: true, localResourceRoots: [] };
    webview.onDidReceiveMessage((message: FromPanel) => this.#receive(message));
    this.#page ??= readPage(this.#script);
    const page = await this.#page;
    if (!this.#webviews.has(webview)) return;
    webview.html = page;
    // VS Code keeps it until the page can take it: what is shown need not wait for the page to ask.
    this.#send();
  }

  #send(): void {
    const device = this.#memory && chosenDevice(this.#memory);
    const message: ToPanel = {
      type: 'facts',
      shown: this.#shown,
      awaited: this.#awaited,
      server: this.#server,
      device,
    };
    for (const webview of this.#webviews) void webview.postMessage(message);
  }

  #receive(message: FromPanel): void {
    switch (message.type) {
      case 'ready':
        this.#send();
        break;
      case 'reveal':
        this.#tell.visit(message.place.path);
        this.#try(reveal(message.place));
        break;
      case 'apply': {
        const { uri, strategy: name, segment } = message;
        const chosen: ApplyArguments = { uri, strategy: { name, segment: hasSegments(name) ? segment : 1 } };
        this.#try(vscode.commands.executeCommand(applyCommand, chosen));
        break;
      }
      case 'learn':
        this.#try(vscode.commands.executeCommand(learnCommand));
        break;
      case 'choose-device':
        this.#try(vscode.commands.executeCommand('checkpointLens.chooseDevice'));
        break;
      case 'choose-run':
        this.#try(this.#client?.chooseRun(message.uri, message.id) ?? Promise.resolve());
        break;
      case 'restart-server':
        this.#try(vscode.commands.executeCommand('checkpointLens.restartServer'));
        break;
      case 'show-log':
        this.#output.show();
        break;
      case 'copy':
        this.#try(copy(message.text, message.what));
        break;
      case 'save':
        this.#try(saveFile(message.name, message.base64));
        break;
      case 'rendered':
        this.rendered = { uri: message.uri, headline: message.headline };
        break;
      case 'failed':
        this.#output.error(`memory panel: ${message.message}`);
        break;
    }
  }

  #try(action: Thenable<unknown>): void {
    action.then(undefined, (error: unknown) => this.#output.error(error instanceof Error ? error : String(error)));
  }
}

async function readPage(script: vscode.Uri): Promise<string> {
  return panelPage(new TextDecoder().decode(await vscode.workspace.fs.readFile(script)));
}

async function copy(text: string, what: string): Promise<void> {
  await vscode.env.clipboard.writeText(text);
  void vscode.window.setStatusBarMessage(vscode.l10n.t('Checkpoint Lens: {0} copied', what), 3000);
}
