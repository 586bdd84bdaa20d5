import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { connectProcess } from '../support/lspClient.ts';
import type { BenchOptions, Figure } from './figures.ts';
import { largestRelevant } from './pythonFiles.ts';
import { trainingCode } from './trainingCode.ts';

/** What the server's process holds with a workspace around an open file, and after many edits in it. */
export async function measure({ workspace, edits }: BenchOptions): Promise<readonly Figure[]> {
  const made = workspace === undefined ? generatedWorkspace() : undefined;
  const folder = workspace ?? made ?? '.';
  try {
    return await measureIn(folder, edits);
  } finally {
    if (made !== undefined) rmSync(made, { recursive: true, force: true });
  }
}

async function measureIn(folder: string, edits: number): Promise<readonly Figure[]> {
  const heldMemoryFile = path.join(tmpdir(), `checkpoint-lens-bench-held-${process.pid}`);
  process.env.HELD_MEMORY_FILE = heldMemoryFile;
  const client = await connectProcess([process.execPath, ...writesHeldMemory, 'dist/cli.js', 'lsp', '--stdio'], {
    pullsSettings: false,
    facts: true,
    folder,
  });
  const resident = (): number => residentMegabytes(client.process.pid ?? 0);
  console.log(`  server alone${resident().toFixed(0).padStart(40)} MB`);
  const file = await client.open('bench_open_file.py', trainingCode(500));
  await file.diagnostics();
  await file.facts();
  await settle();
  const withOne = resident();
  for (const name of largestRelevant(folder, 5)) {
    const large = await client.open(name, readFileSync(path.join(folder, name), 'utf8'));
    await large.diagnostics();
    await large.facts();
  }
  await settle();
  const withLargest = resident();
  const middle = file.text().indexOf('hidden_states', file.text().length / 2);
  const heldAfter = async (count: number): Promise<number> => {
    for (let edit = 0; edit < count; edit++) {
      const isOdd = edit % 2 === 1;
      await file.edit(middle, isOdd ? middle + 1 : middle, isOdd ? '' : edit % 4 === 0 ? 'x' : '(');
      await file.diagnostics();
    }
    // What is worked out in a pause is held from the first one on.
    await settle();
    client.process.kill('SIGUSR2');
    await settle();
    return Number(readFileSync(heldMemoryFile, 'utf8')) / 1024 / 1024;
  };
  // What is compiled and pooled once comes with the first edits, and does not come again.
  const before = await heldAfter(warmUp);
  const after = await heldAfter(edits);
  await client.close();
  rmSync(heldMemoryFile, { force: true });
  console.log(
    `  still held after a collection: ${before.toFixed(1)} MB, ${edits.toLocaleString('en')} edits later ${after.toFixed(1)} MB`,
  );
  const growth = (100 * (after - before)) / before;
  return [
    { what: 'server memory, one file open, settled', value: withOne, unit: 'MB', atMost: 200 },
    { what: 'server memory, the five largest files open too', value: withLargest, unit: 'MB', atMost: 200 },
    { what: `growth over ${edits.toLocaleString('en')} edits`, value: growth, unit: '%', atMost: 5 },
  ];
}

const warmUp = 1_000;

const writesHeldMemory = ['--expose-gc', '--require', './test/bench/heldMemory.cjs'];

/** Garbage is collected when there is time for it. */
const settle = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 3_000));

/** As the operating system counts it, shared libraries included. */
const residentMegabytes = (pid: number): number =>
  Number(execFileSync('ps', ['-o', 'rss=', '-p', String(pid)], { encoding: 'utf8' })) / 1024;

/** Files that import each other, as a project of that size has them. */
function generatedWorkspace(): string {
  const folder = mkdtempSync(path.join(tmpdir(), 'checkpoint-lens-bench-'));
  for (let index = 0; index < 400; index++) {
    const part = path.join(folder, `part${index % 20}`);
    mkdirSync(part, { recursive: true });
    const neighbour = `from part${(index + 1) % 20}.module${(index + 1) % 400} import Block0\n`;
    writeFileSync(path.join(part, `module${index}.py`), neighbour + trainingCode(100 + index));
  }
  return folder;
}
