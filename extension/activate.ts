import * as vscode from 'vscode';
import { createClient, type LoadLanguageClient, type ServerClient } from './client.ts';
import { registerCommands } from './commands.ts';
import { mayDescribeRun, needsServer } from './documents.ts';
import { registerExplainRule } from './explainRule.ts';
import { trackFacts } from './facts.ts';
import { MemoryPanel, memoryPanelView } from './panel.ts';
import { peakStatus } from './peakStatus.ts';
import { showServerStatus } from './status.ts';

/** What the extension hands to its own end-to-end tests; nothing else should build on it. */
export interface TestApi {
  /** What the server last said about a document, or about the one that the panel shows. */
  readonly latestFacts: ReturnType<typeof trackFacts>['latest'];
  /** What the panel last drew: the document and its headline. */
  readonly latestRendered: () => MemoryPanel['rendered'];
}

let client: ServerClient | undefined;

/** What the extension does wherever it runs; Node and a web worker differ in how a server comes to be. */
export function activateWith(context: vscode.ExtensionContext, load: LoadLanguageClient): TestApi {
  const output = vscode.window.createOutputChannel('Checkpoint Lens', { log: true });
  context.subscriptions.push(output);
  let isPanelOpened = false;
  const panel = new MemoryPanel(context.extensionUri, output, {
    visit: (uri) => facts.visit(uri),
    opened() {
      isPanelOpened = true;
      for (const document of vscode.workspace.textDocuments) startFor(document);
    },
    deviceChosen: () => peak.refresh(),
  });
  const server = createClient(context, output, (message) => facts.receive(message), load);
  const peak = peakStatus(context.workspaceState, server);
  const facts = trackFacts((shown, awaited) => {
    panel.show(shown, awaited);
    peak.show(shown);
  });
  client = server;
  let isStarted = false;
  const startFor = (document: vscode.TextDocument): void => {
    // A launch script says nothing that rules are about, and all that the panel is about.
    const isWanted = needsServer(document) || (isPanelOpened && mayDescribeRun(document));
    if (!isWanted || isStarted) return;
    isStarted = true;
    server.start().catch((error: unknown) => failedToStart(error, output));
  };
  context.subscriptions.push(
    vscode.window.registerWebviewViewProvider(memoryPanelView, panel),
    facts,
    peak,
    panel.connect(context.workspaceState, server),
    showServerStatus(server),
    registerCommands(context, server, output, facts),
    registerExplainRule(server),
    vscode.workspace.onDidOpenTextDocument(startFor),
    // A settings file may be about checkpointing only now.
    vscode.workspace.onDidSaveTextDocument(startFor),
  );
  // Not waited for: VS Code asks for the panel only once this function has ended.
  for (const document of vscode.workspace.textDocuments) startFor(document);
  return { latestFacts: facts.latest, latestRendered: () => panel.rendered };
}

export const deactivate = (): Promise<void> | undefined => client?.stop();

/** VS Code itself only writes a failed activation to a log that nobody reads. */
function failedToStart(error: unknown, output: vscode.LogOutputChannel): void {
  output.error(error instanceof Error ? error : String(error));
  const reason = error instanceof Error ? error.message : String(error);
  void offerLog(vscode.l10n.t('Checkpoint Lens could not start: {0}', reason), output);
}

async function offerLog(message: string, output: vscode.LogOutputChannel): Promise<void> {
  const showLog = vscode.l10n.t('Show Log');
  if ((await vscode.window.showErrorMessage(message, showLog)) === showLog) output.show();
}
