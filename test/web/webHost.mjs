// Serves VS Code as a page alone, without any server behind it, the way vscode.dev is one: extensions run in web workers and
// the folder comes from an extension. The workbench is that of code-server, which the other end-to-end tests use as well.
import { createReadStream, existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import http from 'node:http';
import path from 'node:path';
import { installHost } from '../../extension/host/install.mjs';
import { quietSettings } from '../../extension/host/settings.mjs';
import { isPackaged } from '../../extension/package.mjs';

/**
 * @param {string} root the project, whose packaged files are the extension
 * @param {string} workspace the folder shown, which is copied into the page
 * @param {(line: string) => void} onResult is given each line that the tests report
 */
export async function startWebHost(root, workspace, onResult) {
  const { codeServer } = await installHost();
  const vscode = path.resolve(path.dirname(codeServer), '../../lib/vscode');
  /** By the beginning of an address, where its files are and which of them are served. */
  const served = {
    vscode: { folder: vscode, isServed: () => true },
    // VS Code runs tests in the host of the extension whose folder they are in.
    'extension/tests': { folder: path.join(root, 'out/test/web'), isServed: () => true },
    extension: { folder: root, isServed: isPackaged },
    fileSystem: { folder: path.join(root, 'out/test/web/fileSystem'), isServed: () => true },
  };
  const server = http.createServer((request, response) => {
    const url = new URL(request.url ?? '/', 'http://host');
    if (request.method === 'POST') return receive(request, response, onResult);
    if (url.pathname === '/') return send(response, 'text/html', page(vscode, server.address().port));
    if (url.pathname === workbenchScript) return send(response, 'text/javascript', workbench(vscode));
    if (url.pathname === '/workspace.json')
      return send(response, 'application/json', JSON.stringify(textsIn(workspace)));
    const asked = decodeURIComponent(url.pathname).slice(1);
    const prefix = Object.keys(served).find((one) => asked.startsWith(`${one}/`)) ?? '';
    sendFile(response, served[prefix], path.posix.normalize(asked.slice(prefix.length + 1)));
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    address: `http://127.0.0.1:${server.address().port}/`,
    stop: () => {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(resolve));
    },
  };
}

/** VS Code's own page with its configuration filled in; there is no `remoteAuthority`, so it looks for no server. */
function page(vscode, port) {
  const at = (folder) => ({ scheme: 'http', authority: `127.0.0.1:${port}`, path: `/${folder}` });
  const configuration = {
    folderUri: { scheme: 'lens-remote', authority: 'github', path: '/someone/demo' },
    additionalBuiltinExtensions: [at('fileSystem')],
    developmentOptions: { extensions: [at('extension')], extensionTestsPath: at('extension/tests/runMocha.js') },
    configurationDefaults: quietSettings,
    webviewEndpoint: `http://127.0.0.1:${port}/vscode/out/vs/workbench/contrib/webview/browser/pre/`,
    productConfiguration: { enableTelemetry: false, extensionsGallery: undefined },
    enableWorkspaceTrust: false,
    // code-server's own page insists on these.
    userDataPath: '/',
    isEnabledFileDownloads: false,
    isEnabledFileUploads: false,
    isEnabledCoderGettingStarted: false,
  };
  const values = {
    WORKBENCH_WEB_CONFIGURATION: JSON.stringify(configuration).replaceAll('"', '&quot;'),
    WORKBENCH_WEB_BASE_URL: '/vscode',
    WORKBENCH_NLS_FALLBACK_URL: '/vscode/out/nls.messages.js',
    WORKBENCH_NLS_URL: '/vscode/out/nls.messages.js',
  };
  const template = readFileSync(path.join(vscode, 'out/vs/code/browser/workbench/workbench.html'), 'utf8');
  return template.replaceAll(/\{\{(\w+)\}\}/g, (_, name) => values[name] ?? '');
}

const workbenchScript = '/vscode/out/vs/code/browser/workbench/workbench.js';

/** What code-server has changed in VS Code's page so that there always is a server, changed back. */
const withoutServer = [
  [/remoteAuthority:location\.host/, 'remoteAuthority:undefined'],
  // Settings are kept in the browser.
  [/(userDataPath\)\.with\(\{scheme:\w+\.)vscodeRemote(\}\),"User"\))/, '$1vscodeUserData$2'],
];

function workbench(vscode) {
  const script = readFileSync(path.join(vscode, workbenchScript.slice('/vscode/'.length)), 'utf8');
  return withoutServer.reduce((text, [changed, original]) => {
    if (!changed.test(text)) throw new Error(`There is no ${changed} in this code-server`);
    return text.replace(changed, original);
  }, script);
}

const textsIn = (folder) =>
  Object.fromEntries(
    readdirSync(folder, { recursive: true })
      .map((name) => name.replaceAll('\\', '/'))
      .filter((name) => statSync(path.join(folder, name)).isFile())
      .map((name) => [name, readFileSync(path.join(folder, name), 'utf8')]),
  );

function receive(request, response, onResult) {
  let body = '';
  request.setEncoding('utf8');
  request.on('data', (data) => {
    body += data;
  });
  request.on('end', () => {
    onResult(body);
    send(response, 'text/plain', '');
  });
}

const types = {
  '.css': 'text/css',
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.json': 'application/json',
  '.mjs': 'text/javascript',
  '.svg': 'image/svg+xml',
  '.wasm': 'application/wasm',
};

function sendFile(response, place, name) {
  const file = place === undefined || name.startsWith('..') ? undefined : path.join(place.folder, name);
  if (file === undefined || !place.isServed(name) || !existsSync(file) || !statSync(file).isFile()) {
    response.writeHead(404).end();
    return;
  }
  response.writeHead(200, { 'content-type': types[path.extname(file)] ?? 'application/octet-stream' });
  createReadStream(file).pipe(response);
}

function send(response, type, body) {
  response.writeHead(200, { 'content-type': type }).end(body);
}
