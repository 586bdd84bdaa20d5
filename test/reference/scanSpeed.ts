import { spawnSync } from 'node:child_process';

export interface ScanSpeed {
  readonly files: number;
  readonly filesPerSecond: number;
  /** Seconds that tools take which only look for a word in the same files, by name; those that are not there are missing. */
  readonly searchSeconds: Readonly<Record<string, number>>;
  readonly seconds: number;
  /** Resident memory at its highest, in bytes; undefined where this system does not tell. */
  readonly peakBytes: number | undefined;
}

/** Checks a folder with the built command, the quicker of two runs, beside tools that only search for a word. */
export function scanSpeed(folder: string): ScanSpeed {
  const searches: Readonly<Record<string, readonly string[]>> = {
    grep: ['grep', '-rlE', '--include=*.py', '--include=*.ipynb', 'checkpoint', folder],
    ripgrep: ['rg', '-l', '-g', '*.py', '-g', '*.ipynb', 'checkpoint', folder],
  };
  const searchSeconds: Record<string, number> = {};
  for (const [name, command] of Object.entries(searches)) {
    // The first run brings the files into memory, for all.
    const times = [timed(command), timed(command)].map((run) => run?.seconds);
    const seconds = Math.min(...times.map((time) => time ?? Number.POSITIVE_INFINITY));
    if (Number.isFinite(seconds)) searchSeconds[name] = seconds;
  }
  const check = [process.execPath, 'dist/cli.js', 'check', '--format', 'json', folder];
  const runs = [timed(check), timed(['/usr/bin/time', '-f', 'peak %M', ...check]) ?? timed(check)];
  const seconds = Math.min(...runs.map((run) => run?.seconds ?? Number.POSITIVE_INFINITY));
  const { files }: { files: number } = JSON.parse(runs[0]?.stdout ?? '{"files":0}');
  const kilobytes = /^peak (\d+)$/m.exec(runs[1]?.stderr ?? '')?.[1];
  return {
    files,
    seconds,
    filesPerSecond: files / seconds,
    searchSeconds,
    peakBytes: kilobytes === undefined ? undefined : Number(kilobytes) * 1024,
  };
}

function timed([program = '', ...args]: readonly string[]):
  | { readonly seconds: number; readonly stdout: string; readonly stderr: string }
  | undefined {
  const started = performance.now();
  const { error, stdout, stderr } = spawnSync(program, args, { encoding: 'utf8', maxBuffer: 1 << 29 });
  return error === undefined ? { seconds: (performance.now() - started) / 1000, stdout, stderr } : undefined;
}
