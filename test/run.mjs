// Runs every test there is, from a fresh clone on. `npm test -- unit lint` runs only the steps named; `npm test -- ui --update`
// takes the pictures that `ui` compares with anew.
import { existsSync, mkdirSync, rmSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { installLocked } from '../extension/host/dependencies.mjs';
import { run } from '../extension/host/run.mjs';
import { lastLines, noResults, oneFailed, onePassed, readResults, summaryLine } from './runner/results.mjs';

const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)));
const inRoot = (...parts) => path.join(root, ...parts);

/** Name → what it does and the seconds after which it counts as hung. A later step needs what `build` made. */
const steps = {
  install: { seconds: 300, run: install },
  build: { seconds: 300, run: buildAll },
  generated: { seconds: 60, run: generatedFilesAreFresh },
  types: { seconds: 600, run: () => tool('node_modules/typescript/bin/tsc', ['-b'], 600) },
  lint: { seconds: 120, run: lint },
  unit: { seconds: 900, run: () => nodeTests('unit', 900) },
  lsp: { seconds: 600, run: () => nodeTests('lsp', 600) },
  cli: { seconds: 900, run: () => nodeTests('cli', 900) },
  webview: { seconds: 600, run: () => nodeTests('webview', 600) },
  torch: { seconds: 1500, run: async () => (await import('./torch/run.mjs')).testTorch(root) },
  package: { seconds: 120, run: packageVsix },
  host: { seconds: 900, run: async () => (await import('./e2e/inHost.mjs')).testInHost(root) },
  web: { seconds: 700, run: async () => (await import('./web/inWeb.mjs')).testInWeb(root) },
  ui: { seconds: 1500, run: async () => (await import('./e2e/inBrowser.mjs')).testInBrowser(root) },
};
const groups = { e2e: ['package', 'host', 'ui'], ui: ['package', 'ui'], gen: ['generated'] };
const always = ['install', 'build'];

if (process.argv.includes('--update')) process.env.E2E_UPDATE = '1';
const asked = process.argv
  .slice(2)
  .filter((name) => name !== '--update')
  .flatMap((name) => groups[name] ?? [name]);
const unknown = asked.filter((name) => !(name in steps));
if (unknown.length > 0) {
  console.error(
    `There is no step ${unknown.join(', ')}; there are ${[...new Set([...Object.keys(steps), ...Object.keys(groups)])].join(', ')}`,
  );
  process.exit(2);
}
process.exit(
  await main(Object.keys(steps).filter((name) => asked.length === 0 || always.includes(name) || asked.includes(name))),
);

async function main(names) {
  // Node's own test runner, were this run inside it, would make the inner one report to it instead of to us.
  delete process.env.NODE_TEST_CONTEXT;
  mkdirSync(inRoot('out', 'results'), { recursive: true });
  const all = [];
  for (const name of names) {
    const started = Date.now();
    const results = await bounded(steps[name]);
    const seconds = ((Date.now() - started) / 1000).toFixed(1);
    all.push(results);
    if (results.passed + results.failed + results.skipped > 0 || name === 'install')
      console.log(
        `${results.failed > 0 ? '✘' : '✔'} ${name.padEnd(10)} ${seconds.padStart(6)} s  ${summaryLine([results])}`,
      );
    for (const failure of results.failures) console.log(indent(failure));
    // Without these nothing after them can say anything true.
    if (always.includes(name) && results.failed > 0) break;
  }
  console.log(summaryLine(all));
  const sum = (key) => all.reduce((total, results) => total + results[key], 0);
  return sum('failed') === 0 && sum('passed') > 0 ? 0 : 1;
}

/** A step that hangs or throws is one failure; it never ends the run, so that the last line is always there. */
async function bounded({ run: step, seconds }) {
  let timer;
  const tooLong = new Promise((resolve) => {
    timer = setTimeout(() => resolve(oneFailed(`did not end within ${seconds} s`)), (seconds + 30) * 1000);
  });
  try {
    return await Promise.race([step(), tooLong]);
  } catch (error) {
    return oneFailed(error?.stack ?? String(error));
  } finally {
    clearTimeout(timer);
  }
}

async function install() {
  await installLocked(root);
  return noResults();
}

async function buildAll() {
  const { code, output } = await run(process.execPath, ['extension/build.mjs', '--tests'], { cwd: root, seconds: 300 });
  return code === 0 ? onePassed() : oneFailed(output);
}

async function generatedFilesAreFresh() {
  const { stale } = await import('../extension/generate.mjs');
  const files = await stale();
  return files.length === 0 ? onePassed() : oneFailed(`stale: ${files.join(', ')}; npm run gen writes them anew`);
}

async function tool(script, args, seconds) {
  const { code, output } = await run(process.execPath, [script, ...args], { cwd: root, seconds });
  return code === 0 ? onePassed() : oneFailed(lastLines(output));
}

async function lint() {
  const args = ['check', '--config-path=.biome.json', '--error-on-warnings', '--max-diagnostics=50', '.'];
  return tool('node_modules/@biomejs/biome/bin/biome', args, 120);
}

async function nodeTests(suite, seconds) {
  const bundle = inRoot('out', 'test', `${suite}.mjs`);
  if (!existsSync(bundle)) return oneFailed(`there are no tests in test/${suite}`);
  const resultsFile = inRoot('out', 'results', `${suite}.jsonl`);
  rmSync(resultsFile, { force: true });
  const reporters = [
    `--test-reporter=${inRoot('test', 'runner', 'nodeReporter.mjs')}`,
    `--test-reporter-destination=${resultsFile}`,
    '--test-reporter=spec',
    '--test-reporter-destination=stdout',
  ];
  const ended = await run(process.execPath, ['--test', ...reporters, bundle], { cwd: root, seconds });
  return readResults(resultsFile, ended);
}

async function packageVsix() {
  const { code, output } = await run(process.execPath, ['extension/package.mjs', '--built'], {
    cwd: root,
    seconds: 120,
  });
  return code === 0 ? onePassed() : oneFailed(lastLines(output));
}

function indent(text) {
  return text.trimEnd().replaceAll(/^/gm, '    ');
}
