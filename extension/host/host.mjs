import { spawn } from 'node:child_process';
import { closeSync, mkdirSync, mkdtempSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import net from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { installHost } from './install.mjs';
import { endWithUs, killGroup, run } from './run.mjs';
import { quietSettings } from './settings.mjs';

const secondsToStart = 90;

/**
 * Starts a throw-away VS Code on 127.0.0.1 with a profile of its own, installs `vsix` in it and gives its address.
 *
 * `withExtensionTests` turns on VS Code's smoke-test driver: only with it does a built VS Code read
 * `extensionTestsPath` from its address. It also hides toasts and changes dialogs, so a test of the interface must not
 * use it.
 */
export async function startHost({ vsix, settings = {}, env = {}, port, withExtensionTests = false } = {}) {
  const { node, codeServer } = await installHost();
  // The folder's name is short because unix sockets, whose paths end at 108 characters, live in it.
  const folder = mkdtempSync(path.join(os.tmpdir(), 'lens-'));
  const profile = createProfile(folder, settings);
  // VS Code puts its sockets there; in the throw-away folder they go with it.
  const environment = hostEnvironment({ XDG_RUNTIME_DIR: folder, ...env });
  if (vsix !== undefined) {
    const args = [codeServer, ...profile.args, '--install-extension', vsix];
    const { code, output } = await run(node, args, { env: environment, seconds: 120 });
    if (code !== 0) throw new Error(`Installing ${vsix} ended with exit code ${code}\n${output}`);
  }
  const chosenPort = port ?? (await freePort());
  const log = path.join(folder, 'server.log');
  const output = openSync(log, 'w');
  const args = [
    codeServer,
    ...['--auth', 'none', '--bind-addr', `127.0.0.1:${chosenPort}`, '--ignore-last-opened', '--disable-proxy'],
    ...['--disable-telemetry', '--disable-update-check', '--disable-workspace-trust'],
    '--disable-getting-started-override',
    ...(withExtensionTests ? ['--vscode-option', 'enable-smoke-test-driver'] : []),
    ...profile.args,
  ];
  // Its own process group, so that one signal reaches the extension hosts and language servers too.
  const child = spawn(node, args, { env: environment, stdio: ['ignore', output, output], detached: true });
  closeSync(output);
  const removeFolder = () => rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  const release = endWithUs(() => {
    killGroup(child);
    removeFolder();
  });
  const ended = new Promise((resolve) => child.once('exit', resolve));
  const base = `http://127.0.0.1:${chosenPort}`;

  async function stop() {
    killGroup(child, 'SIGTERM');
    const patience = setTimeout(() => killGroup(child), 5000);
    await ended;
    clearTimeout(patience);
    killGroup(child);
    release();
    removeFolder();
  }

  try {
    await untilHealthy(base, child);
  } catch (error) {
    const text = readFileSync(log, 'utf8');
    await stop();
    throw new Error(`${error.message}\n${text}`);
  }
  return {
    base,
    /** The address that opens a folder; `payload` is what VS Code's desktop takes on its command line. */
    address(opened, payload) {
      const query = new URLSearchParams({ folder: opened });
      if (payload !== undefined) query.set('payload', JSON.stringify(payload));
      // Slashes need no escape here, and a person reads this address.
      return `${base}/?${String(query).replaceAll('%2F', '/')}`;
    },
    remoteUri: (file) => `vscode-remote://127.0.0.1:${chosenPort}${file}`,
    log: () => readFileSync(log, 'utf8'),
    ended,
    stop,
  };
}

function createProfile(folder, settings) {
  const config = path.join(folder, 'config.yaml');
  const user = path.join(folder, 'user');
  const extensions = path.join(folder, 'ext');
  const settingsFile = path.join(user, 'User', 'settings.json');
  mkdirSync(path.dirname(settingsFile), { recursive: true });
  mkdirSync(extensions);
  writeFileSync(config, '');
  writeFileSync(settingsFile, JSON.stringify({ ...quietSettings, ...settings }, undefined, 2));
  return { args: ['--config', config, '--user-data-dir', user, '--extensions-dir', extensions] };
}

/** Ours without what an outer VS Code or npm would make the inner one believe; no marketplace is ever asked. */
function hostEnvironment(extra) {
  const ofOuterProgram = /^(VSCODE_.*|ELECTRON_.*|npm_.*|NODE_OPTIONS|PORT|PASSWORD|HASHED_PASSWORD)$/;
  const ours = Object.entries(process.env).filter(([name]) => !ofOuterProgram.test(name));
  const noGallery = JSON.stringify({ serviceUrl: '', itemUrl: '', resourceUrlTemplate: '' });
  return { ...Object.fromEntries(ours), EXTENSIONS_GALLERY: noGallery, ...extra };
}

async function untilHealthy(base, child) {
  const started = Date.now();
  while (Date.now() - started < secondsToStart * 1000) {
    if (child.exitCode !== null) throw new Error(`code-server ended with exit code ${child.exitCode}`);
    const isHealthy = await fetch(`${base}/healthz`).then(
      (response) => response.ok,
      () => false,
    );
    if (isHealthy) return;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  throw new Error(`code-server did not answer within ${secondsToStart} s`);
}

function freePort() {
  return new Promise((resolve, reject) => {
    const server = net.createServer();
    server.once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address();
      server.close(() => resolve(port));
    });
  });
}
