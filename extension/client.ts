import * as vscode from 'vscode';
import {
  LanguageClient,
  type LanguageClientOptions,
  type ServerOptions,
  State,
  TransportKind,
} from 'vscode-languageclient/node';
import { type FactsMessage, factsMethod, type InitializationOptions } from '../server/protocol.ts';

export type ServerState = 'starting' | 'running' | 'stopped';

/** The language server as the rest of the extension sees it. */
export interface ServerClient {
  readonly state: () => ServerState;
  readonly onState: vscode.Event<ServerState>;
  /** Starts the server, or starts it again. Calls that come while one is under way fold into one more restart. */
  readonly restart: () => Promise<void>;
  readonly stop: () => Promise<void>;
}

export const pythonDocuments = [
  { scheme: 'file', language: 'python' },
  { scheme: 'untitled', language: 'python' },
  // The server asks for whole notebooks; this is what lets it answer for their cells.
  { scheme: 'vscode-notebook-cell', language: 'python' },
];

/** Settings of training libraries and the scripts that start them. TOML by its name: editors know no such language. */
const configurationDocuments = ['json', 'jsonc', 'yaml', 'shellscript', 'toml'].map((language) => ({
  scheme: 'file',
  language,
}));
const tomlFiles = { scheme: 'file', pattern: '**/*.toml' };

export function createClient(
  context: vscode.ExtensionContext,
  output: vscode.LogOutputChannel,
  onFacts: (message: FactsMessage) => void,
): ServerClient {
  const module = context.asAbsolutePath('dist/server.js');
  const server: ServerOptions = {
    run: { module, transport: TransportKind.ipc },
    debug: { module, transport: TransportKind.ipc, options: { execArgv: ['--nolazy', '--inspect=6019'] } },
  };
  const initializationOptions: InitializationOptions = { facts: true };
  const options: LanguageClientOptions = {
    documentSelector: [...pythonDocuments, ...configurationDocuments, tomlFiles],
    outputChannel: output,
    initializationOptions,
  };
  const client = new LanguageClient('checkpointLens', 'Checkpoint Lens', server, options);
  client.onNotification(factsMethod, onFacts);
  const changed = new vscode.EventEmitter<ServerState>();
  client.onDidChangeState(({ newState }) => changed.fire(named(newState)));

  const stop = async () => {
    if (client.needsStop()) await client.stop();
  };
  const restart = fold(async () => {
    await stop();
    await client.start();
  });
  context.subscriptions.push(changed);
  return { state: () => named(client.state), onState: changed.event, restart, stop };
}

function named(state: State): ServerState {
  if (state === State.Running) return 'running';
  return state === State.Stopped ? 'stopped' : 'starting';
}

/** Runs `action` for a call; calls during a run are answered together by a single further run. */
function fold(action: () => Promise<void>): () => Promise<void> {
  let again = false;
  let running: Promise<void> | undefined;
  return () => {
    again = true;
    running ??= (async () => {
      try {
        while (again) {
          again = false;
          await action();
        }
      } finally {
        running = undefined;
      }
    })();
    return running;
  };
}
