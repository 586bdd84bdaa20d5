import {
  createConnection,
  ProposedFeatures,
  StreamMessageReader,
  StreamMessageWriter,
} from 'vscode-languageserver/node';
import { nodeHost } from './nodeHost.ts';
import { serve } from './server.ts';

/** Speaks LSP on standard input and output, for every editor that starts a server by a command. */
export async function serveStdio(folder: string): Promise<void> {
  const host = await nodeHost(folder);
  serve(
    createConnection(
      ProposedFeatures.all,
      new StreamMessageReader(process.stdin),
      new StreamMessageWriter(process.stdout),
    ),
    host,
  );
}
