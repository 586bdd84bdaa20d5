import type * as vscode from 'vscode';
import { LanguageClient, type ServerOptions, TransportKind } from 'vscode-languageclient/node';
import type { LoadedClient, ServerState } from './client.ts';
import { clientOptions, stateOf } from './clientOptions.ts';

/** The client of a server in a process of its own. */
export function createLanguageClient(
  context: vscode.ExtensionContext,
  output: vscode.LogOutputChannel,
  onState: (state: ServerState) => void,
): LoadedClient {
  const module = context.asAbsolutePath('dist/server.js');
  const server: ServerOptions = {
    run: { module, transport: TransportKind.ipc },
    debug: { module, transport: TransportKind.ipc, options: { execArgv: ['--nolazy', '--inspect=6019'] } },
  };
  const client = new LanguageClient('checkpointLens', 'Checkpoint Lens', server, clientOptions(output));
  client.onDidChangeState(({ newState }) => onState(stateOf(newState)));
  return { client };
}
