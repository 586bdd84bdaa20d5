// What npm runs before it packs this project, and when somebody installs it straight from its repository, as pre-commit does.
// An `npm install --global` of a repository installs no packages to build with, so they are installed here.
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { installLocked } from './host/dependencies.mjs';

const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)));
await installLocked(root);
await (await import('./build.mjs')).build();
