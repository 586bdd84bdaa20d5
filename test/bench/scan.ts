import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import path from 'node:path';
import { mostThreads } from '../../server/scan/threads/checkingThreads.ts';
import type { BenchOptions, Figure } from './figures.ts';

/** A search for one word is the least that anybody who looks through a folder waits for. */
const mostOfSearch = 3;
/** The linter for torch code that people have: it parses every file. */
const leastOfTorchFix = 1_000;
const mostWarmMilliseconds = 1_000;
/** By itself the command leaves one processor to the rest of the machine. */
const threads = Math.min(availableParallelism(), mostThreads);
/** The fastest counts: what else the machine does only makes a run slower. */
const runs = 3;

interface Run {
  readonly milliseconds: number;
  readonly output: string;
}

/** What a person waits for who checks a whole folder: anew, with what the last run has kept, and beside a mere search. */
export function measure({ workspace }: BenchOptions): readonly Figure[] {
  if (workspace === undefined) {
    console.log('  needs --workspace FOLDER');
    return [];
  }
  const cache = mkdtempSync(path.join(tmpdir(), 'checkpoint-lens-'));
  try {
    const command = (...args: string[]): Run | undefined =>
      fastest(process.execPath, [path.resolve('dist/cli.js'), ...args], cache);
    const search = fastest('rg', ['-l', 'checkpoint', '-g', '*.py', workspace], cache);
    const start = command('--version');
    const alone = command('check', workspace, '--no-cache', '--threads', '1');
    const cold = command('check', workspace, '--no-cache', '--threads', String(threads));
    const warm = command('check', workspace);
    // It takes minutes, so once is enough.
    const torchFix = fastest('torchfix', ['--jobs', String(threads), workspace], cache, 1);
    const found = lastLine(cold);
    print('rg -l checkpoint', search, search === undefined ? 'rg is not installed' : `${lines(search)} files`);
    print('the start of the command alone', start, ratio(start, search));
    print('check, cold, in one thread', alone, ratio(alone, search));
    print(`check, cold, in ${threads} threads`, cold, [ratio(cold, search), found].filter(Boolean).join(', '));
    print('TorchFix', torchFix, torchFix === undefined ? 'TorchFix is not installed' : ratio(torchFix, search));
    print('check, with what the last run kept', warm, ratio(warm, search));
    if (lastLine(warm) !== found) throw new Error(`with what was kept: ${lastLine(warm)}; without: ${found}`);
    return [
      ...(cold === undefined || search === undefined
        ? []
        : [
            figure(
              'check of a folder, cold, to rg -l checkpoint',
              cold.milliseconds / search.milliseconds,
              '×',
              mostOfSearch,
            ),
          ]),
      ...(cold === undefined || torchFix === undefined
        ? []
        : [
            figure(
              `${leastOfTorchFix} checks of a folder, cold, to one of TorchFix`,
              (leastOfTorchFix * cold.milliseconds) / torchFix.milliseconds,
              '×',
              1,
            ),
          ]),
      ...(warm === undefined
        ? []
        : [figure('check of a folder, with what the last run kept', warm.milliseconds, 'ms', mostWarmMilliseconds)]),
    ];
  } finally {
    rmSync(cache, { recursive: true, force: true });
  }
}

/** Undefined where there is no such command. */
function fastest(command: string, args: readonly string[], cache: string, times = runs): Run | undefined {
  let best: Run | undefined;
  for (let run = 0; run < times; run++) {
    const started = performance.now();
    const { error, stdout } = spawnSync(command, args, {
      env: { ...process.env, XDG_CACHE_HOME: cache },
      encoding: 'utf8',
      maxBuffer: 1e9,
    });
    if (error !== undefined) return undefined;
    const milliseconds = performance.now() - started;
    if (best === undefined || milliseconds < best.milliseconds) best = { milliseconds, output: stdout };
  }
  return best;
}

function print(what: string, run: Run | undefined, note: string): void {
  const shown = run === undefined ? '' : `${(run.milliseconds / 1000).toFixed(2).padStart(7)} s`;
  console.log(`  ${what.padEnd(46)}${shown}   ${note}`.trimEnd());
}

const ratio = (run: Run | undefined, search: Run | undefined): string =>
  run === undefined || search === undefined ? '' : `${(run.milliseconds / search.milliseconds).toFixed(1)} × rg`;

const lines = ({ output }: Run): number => output.trimEnd().split('\n').length;
const lastLine = (run: Run | undefined): string => run?.output.trimEnd().split('\n').at(-1) ?? '';

const figure = (what: string, value: number, unit: string, atMost: number): Figure => ({ what, value, unit, atMost });
