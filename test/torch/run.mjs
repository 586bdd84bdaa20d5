// Proves rules on real PyTorch: each script in proofs/ runs the flagged shape and the fixed one, and must see what the rule's
// page says. Run by `npm run test:torch` and as a step of `npm test`.
import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import path from 'node:path';
import { cacheFolder } from '../../extension/host/cache.mjs';
import { isInstalled, run } from '../../extension/host/run.mjs';
import { lastLines, noResults, oneFailed } from '../runner/results.mjs';
import { operationsDiffer } from './operations/check.mjs';

/** The version whose behaviour the pages describe. */
export const torchVersion = '2.13';

export async function testTorch(root) {
  const folder = path.join(root, 'test', 'torch', 'proofs');
  const proofs = readdirSync(folder)
    .filter((name) => name.endsWith('.py'))
    .sort();
  const python = await pythonWithTorch();
  if (python === undefined) {
    const missing = `no Python with torch ${torchVersion} was found; CHECKPOINT_LENS_PYTHON can name one`;
    // Where a Python was promised, its lack of torch is a failure; elsewhere torch is a person's to install.
    if (process.env.CHECKPOINT_LENS_PYTHON) return oneFailed(missing);
    console.log(`\n!! ${proofs.length} proofs and the table of operations on real PyTorch are SKIPPED: ${missing}.\n`);
    return { ...noResults(), skipped: proofs.length + 1 };
  }
  const results = noResults();
  const proven = [];
  // Each proof spends most of its time importing torch, so they run side by side.
  const waiting = [...proofs];
  const work = async () => {
    for (let name = waiting.shift(); name !== undefined; name = waiting.shift()) {
      const { proof, failure } = await prove(python, path.join(folder, name));
      if (proof === undefined) results.failures.push(`${name}\n${failure}`);
      else proven.push(proof);
    }
  };
  await Promise.all(Array.from({ length: availableParallelism() }, work));
  results.passed = proven.length;
  const difference = await operationsDiffer(root, python);
  if (difference === undefined) results.passed++;
  else results.failures.push(difference);
  results.failed = results.failures.length;
  proven.sort((a, b) => (a.code < b.code ? -1 : 1));
  mkdirSync(path.join(root, 'out'), { recursive: true });
  writeFileSync(path.join(root, 'out', 'proven.md'), table(proven));
  return results;
}

/** A proof prints `{code, flagged, fixed}` and ends with 0; anything else is a failure. */
async function prove(python, file) {
  const { code, output } = await run(python, [file], {
    seconds: 120,
    env: { ...process.env, PYTHONWARNINGS: 'ignore' },
  });
  if (code !== 0) return { failure: `ended with exit code ${code}\n${lastLines(output)}` };
  const line = output.split('\n').findLast((text) => text.startsWith('{'));
  try {
    const proof = JSON.parse(line ?? '');
    const isWhole = [proof.code, proof.flagged, proof.fixed].every((part) => typeof part === 'string' && part !== '');
    return isWhole ? { proof } : { failure: `printed ${line}` };
  } catch {
    return { failure: `printed no result\n${lastLines(output)}` };
  }
}

function table(proven) {
  const cell = (text) => text.replace(/\s+/g, ' ').replaceAll('|', '\\|').slice(0, 160);
  const rows = proven.map(({ code, flagged, fixed }) => `| ${code} | ${cell(flagged)} | ${cell(fixed)} |`);
  return [`| rule | flagged code on torch ${torchVersion} | fixed code |`, '|---|---|---|', ...rows, ''].join('\n');
}

/**
 * A Python that can import this torch: the one named, the machine's own, the one in our cache. CI installs it there; on a
 * person's machine a download of this size is theirs to decide.
 */
export async function pythonWithTorch() {
  const named = process.env.CHECKPOINT_LENS_PYTHON;
  if (named) return (await hasTorch(named)) ? named : undefined;
  if (!(await isInstalled('python3'))) return undefined;
  const environment = path.join(cacheFolder(), `torch-${torchVersion}`);
  const python = path.join(environment, process.platform === 'win32' ? 'Scripts/python.exe' : 'bin/python');
  for (const candidate of ['python3', python]) if (await hasTorch(candidate)) return candidate;
  if (!process.env.CI) return undefined;
  console.log(`installing torch ${torchVersion} into ${environment}`);
  rmSync(environment, { recursive: true, force: true });
  mkdirSync(path.dirname(environment), { recursive: true });
  await run('python3', ['-m', 'venv', environment], { seconds: 120 });
  const install = [
    '-m',
    'pip',
    'install',
    '--quiet',
    '--disable-pip-version-check',
    `torch==${torchVersion}.*`,
    'numpy',
  ];
  const { output } = await run(python, install, { seconds: 900 });
  if (await hasTorch(python)) return python;
  console.log(lastLines(output, 5));
  rmSync(environment, { recursive: true, force: true });
  return undefined;
}

async function hasTorch(python) {
  const { code, output } = await run(python, ['-c', 'import torch; print(torch.__version__)'], { seconds: 60 });
  return code === 0 && output.includes(`${torchVersion}.`);
}
