import { createConnection, ProposedFeatures } from 'vscode-languageserver/node';
import { nodeHost } from './nodeHost.ts';
import { serve } from './server.ts';

/** The extension's server process; the transport (Node IPC) is named on the command line by the language client. */
nodeHost(__dirname).then(
  (host) => serve(createConnection(ProposedFeatures.all), host),
  (error: unknown) => {
    console.error(error);
    process.exit(1);
  },
);
