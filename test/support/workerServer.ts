import { readFile } from 'node:fs/promises';
import path from 'node:path';
import vm from 'node:vm';
import type { Diagnostic } from 'vscode-languageserver';
import type { ReadFilesResult, WorkerReady, WorkerStart } from '../../server/protocol.ts';

/** The server as a web worker runs it: the product's own bundle in a world that has nothing of Node. */
export interface WorkerServer {
  open(uri: string, text: string): void;
  /** Tells that files were written or removed. */
  changed(...uris: readonly string[]): void;
  /** Waits until the codes of a document's findings are these. */
  untilCodes(uri: string, ...codes: readonly string[]): Promise<void>;
  /** What it asked the client to read, one list for each request. */
  readonly asked: readonly (readonly string[])[];
}

interface Message {
  readonly id?: number;
  readonly method?: string;
  readonly params?: { readonly uris: string[]; readonly uri: string; readonly diagnostics: Diagnostic[] };
}

/** A worker that was told where its parser is, and what it answered. */
export async function startWorker(start: WorkerStart, onMessage: (message: Message) => void) {
  const worker: { onmessage?: (event: { data: unknown }) => void } & Record<string, unknown> = {
    ...{ URL, TextDecoder, TextEncoder, console, performance, setTimeout, clearTimeout, WebAssembly },
    importScripts: () => undefined,
    addEventListener: () => undefined,
    fetch: async (address: string) =>
      address.endsWith('.wasm') ? new Response(await readFile(new URL(address))) : new Response('', { status: 404 }),
  };
  const ready = new Promise<WorkerReady>((resolve) => {
    worker.postMessage = (message: Message & WorkerReady) => {
      if ('jsonrpc' in message) onMessage(structuredClone(message));
      else resolve(message);
    };
  });
  vm.runInContext(await readFile('dist/server.js', 'utf8'), vm.createContext(worker));
  const send = (data: unknown): void => worker.onmessage?.({ data: structuredClone(data) });
  // Whatever the script does when it is loaded happens before it hears of anything.
  await new Promise((resolve) => setImmediate(resolve));
  send(start);
  return { ready: await ready, send };
}

const inDist = (name: string): string => `file://${path.resolve('dist', name)}`;

/** Where the parser really is. */
export const parserFiles: WorkerStart = {
  runtime: inDist('web-tree-sitter.wasm'),
  grammar: inDist('tree-sitter-python.wasm'),
};

/** A server for a folder `file:///w/demo` whose files are these, by name; they may change while it runs. */
export async function workerServer(files: Map<string, string>): Promise<WorkerServer> {
  const root = 'file:///w/demo';
  const asked: string[][] = [];
  const found = new Map<string, string[]>();
  let looked = (): void => undefined;
  const answers: Readonly<Record<string, (message: Message) => unknown>> = {
    'client/registerCapability': () => null,
    'workspace/configuration': () => [null],
    'checkpointLens/readFiles': ({ params }) => {
      asked.push(params?.uris ?? []);
      return (params?.uris ?? []).map((uri) => read(files, uri.slice(root.length + 1)));
    },
  };
  const { ready, send } = await startWorker(parserFiles, (message) => {
    const { id, method = '', params } = message;
    if (method === 'textDocument/publishDiagnostics' && params !== undefined) {
      found.set(
        params.uri,
        params.diagnostics.map(({ code }) => String(code)),
      );
      looked();
    }
    const answer = answers[method];
    if (answer !== undefined) void Promise.resolve().then(() => send({ jsonrpc: '2.0', id, result: answer(message) }));
  });
  if (ready.failed !== undefined) throw new Error(ready.failed);
  const notify = (method: string, params: unknown): void => send({ jsonrpc: '2.0', method, params });
  const workspaceFolders = [{ uri: root, name: 'demo' }];
  const capabilities = { workspace: { configuration: true } };
  send({ jsonrpc: '2.0', id: 0, method: 'initialize', params: { processId: null, capabilities, workspaceFolders } });
  notify('initialized', {});
  return {
    asked,
    open: (uri, text) =>
      notify('textDocument/didOpen', { textDocument: { uri, languageId: 'python', version: 1, text } }),
    changed: (...uris) => notify('workspace/didChangeWatchedFiles', { changes: uris.map((uri) => ({ uri, type: 2 })) }),
    async untilCodes(uri, ...codes) {
      const isThere = (): boolean => JSON.stringify(found.get(uri)) === JSON.stringify(codes);
      const giveUp = AbortSignal.timeout(10_000);
      while (!isThere()) {
        if (giveUp.aborted)
          throw new Error(`${uri} has ${found.get(uri)?.join() ?? 'no findings yet'}, not ${codes.join()}`);
        await Promise.race([
          new Promise<void>((resolve) => {
            looked = resolve;
          }),
          new Promise((resolve) => setTimeout(resolve, 200)),
        ]);
      }
    },
  };
}

function read(files: ReadonlyMap<string, string>, name: string): ReadFilesResult[number] {
  const text = files.get(name);
  if (text !== undefined) return { text };
  const prefix = name === '' ? '' : `${name}/`;
  const below = [...files.keys()].filter((file) => file.startsWith(prefix)).map((file) => file.slice(prefix.length));
  if (below.length === 0) return null;
  const entries = new Map(below.map((rest) => [rest.split('/')[0] ?? '', rest.includes('/')]));
  return { entries: Array.from(entries, ([entry, isFolder]) => ({ name: entry, isFolder })) };
}
