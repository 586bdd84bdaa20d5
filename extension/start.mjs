// From a fresh clone to Checkpoint Lens at work on a folder:   npm start [-- FOLDER] [--no-open] [--browser] [--yes]
//   --no-open   stop after findings and budget (also CHECKPOINT_LENS_NO_OPEN=1)
//   --browser   VS Code in the browser even where desktop VS Code is installed
//   --yes       download without asking
import { existsSync, readdirSync, statSync } from 'node:fs';
import path from 'node:path';
import { createInterface } from 'node:readline/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { installLocked } from './host/dependencies.mjs';
import { startHost } from './host/host.mjs';
import { installedHost, isHostPlatform, whatIsDownloaded } from './host/install.mjs';
import { isInstalled, run } from './host/run.mjs';

const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)));
const usage = 'npm start [-- FOLDER] [--no-open] [--browser] [--yes]';

process.exit(await main().catch(fail));

async function main() {
  const { folder, noOpen, browser, yes } = readArguments();
  await installLocked(root);
  await (await import('./build.mjs')).build();
  await showFindings(folder);
  await showBudget(folder);
  if (noOpen) return 0;
  const vsix = await packageQuietly();
  if (!browser && (await openDesktop(folder, vsix))) return 0;
  return openBrowser(folder, vsix, yes);
}

function readArguments() {
  const { values, positionals } = parseArgs({
    args: process.argv.slice(2),
    allowPositionals: true,
    options: { 'no-open': { type: 'boolean' }, browser: { type: 'boolean' }, yes: { type: 'boolean' } },
  });
  if (positionals.length > 1) throw new Error(`One folder, please: ${usage}`);
  // npm runs this in the project's folder; a relative FOLDER means the folder the person is in.
  const here = process.env.INIT_CWD ?? process.cwd();
  const folder =
    positionals[0] === undefined ? path.join(root, 'test/corpus/demo') : path.resolve(here, positionals[0]);
  if (!existsSync(folder) || !statSync(folder).isDirectory()) throw new Error(`There is no folder ${folder}`);
  return {
    folder,
    noOpen: values['no-open'] === true || isOn(process.env.CHECKPOINT_LENS_NO_OPEN),
    browser: values.browser === true,
    yes: values.yes === true || isOn(process.env.CI),
  };
}

function isOn(value) {
  return value !== undefined && value !== '' && value !== '0' && value !== 'false';
}

async function showFindings(folder) {
  console.log(`\n── Findings in ${folder}\n`);
  const { code } = await cli(folder, ['check', '.']);
  if (code > 1) throw new Error(`checkpoint-lens check ended with exit code ${code}`);
}

async function showBudget(folder) {
  console.log('\n── Activation budget\n');
  for (const file of likelyTrainingFiles(folder)) {
    const { code, output } = await cli(folder, ['budget', file], { inherit: false });
    if (code !== 0) continue;
    console.log(output);
    return;
  }
  console.log('No file here says which model it trains; `node dist/cli.js budget --help` takes it from flags.');
}

/** Runs in the folder, so that what it prints is as short as when a person types it there. */
function cli(folder, args, { inherit = true } = {}) {
  return run(process.execPath, [path.join(root, 'dist', 'cli.js'), ...args], { cwd: folder, seconds: 120, inherit });
}

/** Python files with what is named after training first, nearest the top first; a handful is enough to find one model. */
function likelyTrainingFiles(folder) {
  const ignored = /(^|\/)(\.[^/]+|node_modules|__pycache__|venv|site-packages|tests?)(\/|$)/;
  const rank = (file) => (/train/i.test(path.basename(file)) ? 0 : 100) + file.split('/').length;
  return readdirSync(folder, { recursive: true })
    .map((file) => file.replaceAll('\\', '/'))
    .filter((file) => file.endsWith('.py') && !ignored.test(file))
    .sort((a, b) => rank(a) - rank(b) || a.localeCompare(b))
    .slice(0, 20);
}

async function packageQuietly() {
  const { code, output } = await run(process.execPath, [path.join(root, 'extension', 'package.mjs'), '--built'], {
    cwd: root,
    seconds: 120,
  });
  if (code !== 0) throw new Error(output);
  return path.join(root, 'out', 'checkpoint-lens.vsix');
}

/** Opens desktop VS Code with the extension in it; false where there is none, or none that can be opened from here. */
async function openDesktop(folder, vsix) {
  if (!(await isInstalled('code'))) return false;
  // A `code` that talks to a window elsewhere (WSL, SSH, a container) cannot develop an extension there, only install it.
  const isRemote = process.env.VSCODE_IPC_HOOK_CLI !== undefined || process.env.WSL_DISTRO_NAME !== undefined;
  const commands = isRemote
    ? [['--install-extension', vsix, '--force'], [folder]]
    : [['--new-window', `--extensionDevelopmentPath=${root}`, folder]];
  for (const args of commands) {
    const { code, output } = await run('code', args, { seconds: 60 });
    if (code !== 0) {
      console.log(`\nDesktop VS Code could not be opened:\n${output.trim()}`);
      return false;
    }
  }
  const how = isRemote ? 'installed in it' : 'loaded in that window only, nothing is installed';
  console.log(`\nVS Code opens ${folder}. Checkpoint Lens is ${how}.`);
  return true;
}

async function openBrowser(folder, vsix, yes) {
  if (installedHost() === undefined) {
    if (!isHostPlatform()) {
      console.log(`\nInstall VS Code and its \`code\` command, then: code --install-extension ${vsix}`);
      return 1;
    }
    console.log(
      `\nThere is no desktop VS Code here. VS Code in the browser needs a download, once:\n${whatIsDownloaded()}`,
    );
    if (!yes && !(await agrees())) return 0;
  }
  // Stopping it by hand is no failure; that the server goes with us is the host's own care.
  for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => process.exit(0));
  const host = await startHost({ vsix });
  console.log(`\nVS Code with Checkpoint Lens:  ${host.address(folder)}`);
  console.log('It listens on 127.0.0.1 only, without a password for users of this machine. Ctrl+C stops it.');
  await host.ended;
  console.error(host.log());
  return 1;
}

/** Asks where somebody can answer; a script that started us has already said what it wants. */
async function agrees() {
  if (!process.stdin.isTTY) return true;
  const terminal = createInterface({ input: process.stdin, output: process.stdout });
  const answer = await terminal.question('Download it? [Y/n] ');
  terminal.close();
  return !/^n/i.test(answer.trim());
}

function fail(error) {
  console.error(error.message);
  return 2;
}
