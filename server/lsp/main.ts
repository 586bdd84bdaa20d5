import { createConnection, ProposedFeatures } from 'vscode-languageserver/node';
import { parserBeside } from '../parse/fromDisk.ts';
import { serve } from './server.ts';

/** The extension's server process; the transport (Node IPC) is named on the command line by the language client. */
parserBeside(__dirname).then(
  (parse) => serve(createConnection(ProposedFeatures.all), parse),
  (error: unknown) => {
    console.error(error);
    process.exit(1);
  },
);
