import { createConnection, ProposedFeatures } from 'vscode-languageserver/node';
import { servesAsThread } from '../scan/threads/role.ts';
import { nodeHost } from './nodeHost.ts';
import { serve } from './server.ts';

/** The extension's server process; the transport (Node IPC) is named on the command line by the language client. */
if (!servesAsThread()) {
  nodeHost(__dirname).then(
    (host) => serve(createConnection(ProposedFeatures.all), host),
    (error: unknown) => {
      console.error(error);
      process.exit(1);
    },
  );
}
