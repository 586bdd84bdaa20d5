import type * as vscode from 'vscode';
import { LanguageClient, type MessageTransports } from 'vscode-languageclient/browser';
import { movePlaces } from '../../server/core/facts/movePlaces.ts';
import { type FactsMessage, readFilesMethod } from '../../server/protocol.ts';
import type { LoadedClient, ServerState } from '../client.ts';
import { clientOptions, stateOf } from '../clientOptions.ts';
import { readFiles } from './readFiles.ts';
import { fromServer, toServer } from './serverUris.ts';
import { startServer } from './serverWorker.ts';

/** The client of a server in a web worker. */
export function createLanguageClient(
  context: vscode.ExtensionContext,
  output: vscode.LogOutputChannel,
  onState: (state: ServerState) => void,
): LoadedClient {
  let stopWorker = (): void => undefined;
  const start = async (): Promise<MessageTransports> => {
    const { transports, stop } = await startServer(context.extensionUri);
    stopWorker = stop;
    return transports;
  };
  const client = new LanguageClient('checkpointLens', 'Checkpoint Lens', start, {
    ...clientOptions(output),
    uriConverters: { code2Protocol: toServer, protocol2Code: fromServer },
  });
  client.onRequest(readFilesMethod, readFiles);
  client.onDidChangeState(({ newState }) => {
    const state = stateOf(newState);
    if (state === 'stopped') stopWorker();
    onState(state);
  });
  return { client, fromServer: factsFromServer };
}

const factsFromServer = ({ facts, uri, ...rest }: FactsMessage): FactsMessage => ({
  ...rest,
  uri: fromServer(uri).toString(),
  facts: facts && movePlaces(facts, (place) => ({ ...place, path: fromServer(place.path).toString() })),
});
