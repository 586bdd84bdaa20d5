import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { type Client, connectProcess } from '../support/lspClient.ts';
import { type BenchOptions, type Figure, printTimes, summary, type Times } from './figures.ts';
import { largestRelevant } from './pythonFiles.ts';
import { trainingCode } from './trainingCode.ts';
import { typeLines } from './typing.ts';

/** What somebody who edits waits for, from the editor's side of the pipe. */
export async function measure({ workspace }: BenchOptions): Promise<readonly Figure[]> {
  const folder = mkdtempSync(path.join(tmpdir(), 'checkpoint-lens-bench-'));
  try {
    const keystroke = await generated(folder);
    const figures: Figure[] = [
      { what: 'keystroke → findings, 2,000 lines, median', value: keystroke.median, unit: 'ms', atMost: 8 },
      { what: 'keystroke → findings, 2,000 lines, p95', value: keystroke.p95, unit: 'ms', atMost: 16 },
    ];
    if (workspace !== undefined) {
      const worst = await largest(workspace);
      figures.push({
        what: 'keystroke → findings, ten largest files, worst p95',
        value: worst,
        unit: 'ms',
        atMost: 40,
      });
    }
    return figures;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function generated(folder: string): Promise<Times> {
  const client = await serverIn(folder);
  const opened = await milliseconds(async () => {
    const file = await client.open('first.py', trainingCode(2_000));
    await file.diagnostics();
  });
  console.log(`  open → findings, the first file${opened.toFixed(0).padStart(21)} ms`);
  const opens: number[] = [];
  for (let index = 0; index < 5; index++) {
    const text = trainingCode(2_000).replaceAll('Block', `Block${index}_`);
    const file = await client.open(`open${index}.py`, text);
    opens.push(await milliseconds(() => file.diagnostics()));
    await file.close();
  }
  printTimes('open → findings', summary(opens));
  const file = await client.open('train.py', trainingCode(2_000));
  await file.diagnostics();
  await file.facts();
  const keystroke = summary(await typeLines(file, 200));
  printTimes('keystroke → findings', keystroke);
  const asked = (work: () => Promise<unknown>): Promise<Times> => repeatedly(20, work);
  printTimes('hover', await asked(() => file.hoverAt('checkpoint(self.attend')));
  printTimes(
    'save, until the next answer',
    await asked(async () => {
      await file.save();
      await file.hoverAt('checkpoint(self.attend');
    }),
  );
  printTimes(
    'last key → facts in the panel, pause included',
    await asked(async () => {
      await file.edit(0, 0, '#');
      await file.facts();
    }),
  );
  await client.close();
  return keystroke;
}

async function largest(workspace: string): Promise<number> {
  const client = await serverIn(workspace);
  let worst = 0;
  for (const name of largestRelevant(workspace, 10)) {
    const file = await client.open(name, readFileSync(path.join(workspace, name), 'utf8'));
    await file.diagnostics();
    const times = summary(await typeLines(file, 60));
    printTimes(name.length > 44 ? `…${name.slice(-43)}` : name, times, `${file.text().split('\n').length} lines`);
    worst = Math.max(worst, times.p95);
    await file.close();
  }
  await client.close();
  return worst;
}

const serverIn = (folder: string): Promise<Client> =>
  connectProcess([process.execPath, 'dist/cli.js', 'lsp', '--stdio'], { pullsSettings: false, facts: true, folder });

async function repeatedly(runs: number, work: () => Promise<unknown>): Promise<Times> {
  const times: number[] = [];
  for (let run = 0; run < runs; run++) times.push(await milliseconds(work));
  return summary(times);
}

async function milliseconds(work: () => Promise<unknown>): Promise<number> {
  const started = performance.now();
  await work();
  return performance.now() - started;
}
