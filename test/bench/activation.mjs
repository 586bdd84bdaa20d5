// Loads and activates the bundled extension in a fresh process with a stand-in for VS Code's API, and prints the milliseconds
// it computed. With no document open nothing else may happen: a server that is started fails here.
import childProcess from 'node:child_process';
import { readFileSync } from 'node:fs';
import Module, { createRequire } from 'node:module';
import path from 'node:path';

/** Whatever is asked of it, called or made of it. */
const anything = new Proxy(class {}, {
  get: (_, name) => (name === Symbol.toPrimitive ? () => '' : name === 'then' ? undefined : anything),
  apply: () => anything,
  construct: () => anything,
});
const workspace = new Proxy(
  { textDocuments: [], workspaceFolders: [] },
  { get: (known, name) => known[name] ?? anything },
);
const declared = readFileSync('node_modules/@types/vscode/index.d.ts', 'utf8');
const names = [...declared.matchAll(/^\texport (?:namespace|class|enum|const) (\w+)/gm)].map(([, name]) => name);
const vscode = { ...Object.fromEntries(names.map((name) => [name, anything])), workspace };

const load = Module._load;
Module._load = (name, ...rest) => (name === 'vscode' ? vscode : load(name, ...rest));
for (const name of ['fork', 'spawn'])
  childProcess[name] = () => {
    throw new Error('a process was started although nothing is open');
  };

const before = process.cpuUsage();
const extension = createRequire(import.meta.url)(path.resolve('dist/extension.js'));
await extension.activate({
  subscriptions: [],
  extensionUri: anything,
  workspaceState: anything,
  asAbsolutePath: String,
});
const { user, system } = process.cpuUsage(before);
console.log((user + system) / 1000);
process.exit();
