// Measures a sample of the goldens again on a CPU's torch, and compares what it finds with the goldens and with the engine.
//   npm run measure:torch          every sixth row      npm run measure:torch -- 1    every row
import { spawn } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import * as esbuild from 'esbuild';
import { cacheFolder } from '../../../extension/host/cache.mjs';
import { run } from '../../../extension/host/run.mjs';
import { lastLines } from '../../runner/results.mjs';
import { pythonWithTorch, torchVersion } from '../../torch/run.mjs';

const transformersVersion = '5.18.0';
const root = path.dirname(path.dirname(path.dirname(path.dirname(fileURLToPath(import.meta.url)))));
process.chdir(root);
const every = process.argv[2] ?? '6';
mkdirSync('out/accuracy', { recursive: true });

const python = await pythonWithTorch();
if (python === undefined) fail(`no Python with torch ${torchVersion} was found; CHECKPOINT_LENS_PYTHON can name one`);
const packages = await withTransformers();
await esbuild.build({
  entryPoints: ['test/accuracy/measure/compare.ts'],
  outfile: 'out/accuracy/compare.mjs',
  bundle: true,
  format: 'esm',
  platform: 'node',
  packages: 'external',
  loader: { '.md': 'text' },
  logLevel: 'warning',
});
await compare('choose', 'out/accuracy/rows.json');
writeFileSync('out/accuracy/measured.json', await measure('out/accuracy/rows.json'));
process.exit(await compare('compare', 'out/accuracy/measured.json'));

/** A folder of packages beside the torch that was found; empty where that Python has the right transformers itself. */
async function withTransformers() {
  const folder = path.join(cacheFolder(), `transformers-${transformersVersion}`);
  for (const candidate of ['', folder]) if (await hasTransformers(candidate)) return candidate;
  console.log(`installing transformers ${transformersVersion} into ${folder}`);
  const install = ['-m', 'pip', 'install', '--quiet', '--disable-pip-version-check', '--target', folder];
  const { output } = await run(python, [...install, `transformers==${transformersVersion}`], { seconds: 900 });
  if (!(await hasTransformers(folder))) fail(lastLines(output, 5));
  return folder;
}

async function hasTransformers(folder) {
  const command = 'import transformers; print(transformers.__version__)';
  const { code, output } = await run(python, ['-c', command], { env: environment(folder), seconds: 120 });
  return code === 0 && output.includes(transformersVersion);
}

async function measure(rows) {
  const script = path.join('test', 'accuracy', 'measure', 'measure.py');
  const command = `import runpy, sys; sys.stdin = open(${JSON.stringify(rows)}); runpy.run_path(${JSON.stringify(script)}, run_name='__main__')`;
  const { code, output } = await run(python, ['-c', command], { env: environment(packages), seconds: 1800 });
  const line = output.split('\n').findLast((text) => text.startsWith('['));
  if (code !== 0 || line === undefined) fail(lastLines(output));
  return line;
}

function environment(folder) {
  const scripts = path.join(root, 'test', 'accuracy', 'measure');
  return {
    ...process.env,
    PYTHONPATH: [scripts, folder].filter(Boolean).join(path.delimiter),
    PYTHONWARNINGS: 'ignore',
  };
}

/** The comparison ends with its own exit code. */
function compare(task, file) {
  const script = fileURLToPath(pathToFileURL(path.resolve('out/accuracy/compare.mjs')));
  const child = spawn(process.execPath, [script, task, file, every], { stdio: 'inherit' });
  return new Promise((resolve) => child.once('exit', (code) => resolve(code ?? 1)));
}

function fail(message) {
  console.error(message);
  process.exit(1);
}
