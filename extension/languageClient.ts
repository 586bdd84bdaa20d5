import type * as vscode from 'vscode';
import {
  LanguageClient,
  type LanguageClientOptions,
  type ServerOptions,
  State,
  TransportKind,
} from 'vscode-languageclient/node';
import type { InitializationOptions } from '../server/protocol.ts';
import type { ServerState } from './client.ts';
import { configurationDocuments, pythonDocuments } from './documents.ts';
import { explainCommand } from './explainRule.ts';

/** The client of the protocol, not started yet. This file is loaded when a server is needed: the library is large. */
export function createLanguageClient(
  context: vscode.ExtensionContext,
  output: vscode.LogOutputChannel,
  onState: (state: ServerState) => void,
): LanguageClient {
  const module = context.asAbsolutePath('dist/server.js');
  const server: ServerOptions = {
    run: { module, transport: TransportKind.ipc },
    debug: { module, transport: TransportKind.ipc, options: { execArgv: ['--nolazy', '--inspect=6019'] } },
  };
  const initializationOptions: InitializationOptions = { facts: true, explainCommand, panelCommand: 'checkpointLens.openPanel' };
  const options: LanguageClientOptions = {
    documentSelector: [...pythonDocuments, ...configurationDocuments],
    outputChannel: output,
    initializationOptions,
  };
  const client = new LanguageClient('checkpointLens', 'Checkpoint Lens', server, options);
  client.onDidChangeState(({ newState }) => onState(named(newState)));
  return client;
}

function named(state: State): ServerState {
  if (state === State.Running) return 'running';
  return state === State.Stopped ? 'stopped' : 'starting';
}
