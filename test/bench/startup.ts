import { execFileSync } from 'node:child_process';
import { connectProcess } from '../support/lspClient.ts';
import { type Figure, printTimes, summary } from './figures.ts';
import { trainingCode } from './trainingCode.ts';

/** From nothing to the first answer, and what VS Code's own thread spends on the extension. */
export async function measure(): Promise<readonly Figure[]> {
  const starts: number[] = [];
  const firstFindings: number[] = [];
  for (let run = 0; run < 5; run++) {
    const started = performance.now();
    const client = await connectProcess([process.execPath, 'dist/cli.js', 'lsp', '--stdio'], { pullsSettings: false });
    starts.push(performance.now() - started);
    const file = await client.open('train.py', trainingCode(200));
    await file.diagnostics();
    firstFindings.push(performance.now() - started);
    await client.close();
  }
  printTimes('server process → first answer', summary(starts));
  printTimes('server process → findings of a small file', summary(firstFindings));
  const activations = Array.from({ length: 7 }, () =>
    Number(execFileSync(process.execPath, ['test/bench/activation.mjs'], { encoding: 'utf8' })),
  );
  printTimes('extension: load and activate', summary(activations));
  const { median } = summary(activations);
  return [{ what: 'extension activation, main thread, median', value: median, unit: 'ms', atMost: 60 }];
}
