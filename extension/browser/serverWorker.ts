import * as vscode from 'vscode';
import { BrowserMessageReader, BrowserMessageWriter, type MessageTransports } from 'vscode-languageclient/browser';
import type { WorkerReady, WorkerStart } from '../../server/protocol.ts';

export interface ServerWorker {
  readonly transports: MessageTransports;
  readonly stop: () => void;
}

/**
 * Starts the server in a worker and waits until it has its parser: messages that come to a worker before somebody listens
 * there are lost.
 * @throws when the worker or the parser cannot be loaded
 */
export async function startServer(extension: vscode.Uri): Promise<ServerWorker> {
  const address = (file: string): string => vscode.Uri.joinPath(extension, 'dist', file).toString(true);
  const worker = new Worker(address('server.js'), { name: 'Checkpoint Lens' });
  try {
    const ready = untilReady(worker);
    const start: WorkerStart = {
      runtime: address('web-tree-sitter.wasm'),
      grammar: address('tree-sitter-python.wasm'),
    };
    worker.postMessage(start);
    await ready;
  } catch (error) {
    worker.terminate();
    throw error;
  }
  const transports = { reader: new BrowserMessageReader(worker), writer: new BrowserMessageWriter(worker) };
  return { transports, stop: () => worker.terminate() };
}

function untilReady(worker: Worker): Promise<void> {
  return new Promise((resolve, reject) => {
    worker.onmessage = ({ data }: MessageEvent<WorkerReady>) => {
      if (data.failed === undefined) resolve();
      else reject(new Error(data.failed));
    };
    worker.onerror = ({ message }) => reject(new Error(message || 'the server could not be loaded'));
  });
}
