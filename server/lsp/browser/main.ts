import {
  BrowserMessageReader,
  BrowserMessageWriter,
  createConnection,
  ProposedFeatures,
} from 'vscode-languageserver/browser';
import { loadPythonParser } from '../../parse/parser.ts';
import type { WorkerReady, WorkerStart } from '../../protocol.ts';
import { type ReadFilesParams, type ReadFilesResult, readFilesMethod } from '../../protocol.ts';
import { serve } from '../server.ts';
import { browserHost } from './browserHost.ts';

/** The extension's server in a web worker: the first message says where the parser is, all others are the protocol's. */
const scope = globalThis as unknown as DedicatedWorkerGlobalScope;

scope.onmessage = async ({ data: { runtime, grammar } }: MessageEvent<WorkerStart>) => {
  const answer = (ready: WorkerReady): void => scope.postMessage(ready);
  try {
    const parser = await loadPythonParser(await bytesOf(runtime), await bytesOf(grammar));
    const connection = createConnection(
      ProposedFeatures.all,
      new BrowserMessageReader(scope),
      new BrowserMessageWriter(scope),
    );
    const read = (params: ReadFilesParams): Promise<ReadFilesResult> => connection.sendRequest(readFilesMethod, params);
    serve(connection, browserHost(parser, read));
    answer({});
  } catch (error) {
    answer({ failed: error instanceof Error ? error.message : String(error) });
  }
};

async function bytesOf(address: string): Promise<Uint8Array> {
  const response = await fetch(address);
  if (!response.ok) throw new Error(`${address}: ${response.status} ${response.statusText}`);
  return new Uint8Array(await response.arrayBuffer());
}
