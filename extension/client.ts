import * as vscode from 'vscode';
import type { BaseLanguageClient } from 'vscode-languageclient';
import { type ChooseRunParams, chooseRunMethod, type FactsMessage, factsMethod } from '../server/protocol.ts';

/** `idle`: nothing was opened that a server is needed for. */
export type ServerState = 'idle' | 'starting' | 'running' | 'stopped';

/** The language server as the rest of the extension sees it. */
export interface ServerClient {
  readonly state: () => ServerState;
  readonly onState: vscode.Event<ServerState>;
  /** Starts the server when it is first needed, and waits until it runs. */
  readonly start: () => Promise<void>;
  /** Starts the server, or starts it again. Calls that come while one is under way fold into one more restart. */
  readonly restart: () => Promise<void>;
  /** Asks the server, which is started for it if need be. */
  readonly request: <T>(method: string, params?: object) => Promise<T>;
  /** Asks the server about one document, by its address as VS Code knows it. */
  readonly requestAbout: <T>(method: string, uri: vscode.Uri, params: object) => Promise<T>;
  /** Asks for something that takes long. `heard` is told of the notifications of this method that come meanwhile. */
  readonly requestLong: <T>(
    method: string,
    params: object,
    cancel: vscode.CancellationToken,
    meanwhile: { readonly method: string; readonly heard: (message: unknown) => void },
  ) => Promise<T>;
  /** Asks for the facts of this run of a document; they come as every document's do. */
  readonly chooseRun: (uri: string, id: string) => Promise<void>;
  readonly stop: () => Promise<void>;
}

/** Makes the client of the protocol, not started yet. Called when a server is first needed: the library is large. */
export type LoadLanguageClient = (
  context: vscode.ExtensionContext,
  output: vscode.LogOutputChannel,
  onState: (state: ServerState) => void,
) => Promise<LoadedClient>;

export interface LoadedClient {
  readonly client: BaseLanguageClient;
  /** The URIs in what the server tells of a document, as VS Code knows them; absent where the server is told those. */
  readonly fromServer?: (message: FactsMessage) => FactsMessage;
}

export function createClient(
  context: vscode.ExtensionContext,
  output: vscode.LogOutputChannel,
  onFacts: (message: FactsMessage) => void,
  loadClient: LoadLanguageClient,
): ServerClient {
  const changed = new vscode.EventEmitter<ServerState>();
  context.subscriptions.push(changed);
  let state: ServerState = 'idle';
  let client: BaseLanguageClient | undefined;
  let starting: Promise<void> | undefined;

  const load = async (): Promise<BaseLanguageClient> => {
    const loaded = await loadClient(context, output, (now) => {
      state = now;
      changed.fire(now);
    });
    const { fromServer = (message) => message } = loaded;
    loaded.client.onNotification(factsMethod, (message: FactsMessage) => onFacts(fromServer(message)));
    return loaded.client;
  };
  const stop = async () => {
    if (client?.needsStop()) await client.stop();
  };
  const restart = fold(async () => {
    await stop();
    client ??= await load();
    await client.start();
  });
  const start = () => {
    starting ??= restart();
    return starting;
  };
  return {
    state: () => state,
    onState: changed.event,
    start,
    restart: () => {
      starting = restart();
      return starting;
    },
    async request(method, params) {
      await start();
      if (client === undefined) throw new Error('there is no server');
      return client.sendRequest(method, params);
    },
    async requestAbout(method, uri, params) {
      await start();
      if (client === undefined) throw new Error('there is no server');
      return client.sendRequest(method, { uri: client.code2ProtocolConverter.asUri(uri), ...params });
    },
    async requestLong(method, params, cancel, meanwhile) {
      await start();
      if (client === undefined) throw new Error('there is no server');
      const listening = client.onNotification(meanwhile.method, meanwhile.heard);
      try {
        return await client.sendRequest(method, params, cancel);
      } finally {
        listening.dispose();
      }
    },
    async chooseRun(uri, id) {
      await start();
      // A server in a web worker knows documents by addresses of its own.
      const known = client?.code2ProtocolConverter.asUri(vscode.Uri.parse(uri, true));
      if (known !== undefined)
        await client?.sendNotification(chooseRunMethod, { uri: known, id } satisfies ChooseRunParams);
    },
    stop,
  };
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
