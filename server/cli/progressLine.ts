import type { ScanState } from '../scan/checkInputs.ts';

/** A line on a terminal's standard error that says how far a long scan is, and leaves no trace. */
export interface ProgressLine {
  show(state: ScanState): void;
  /** Takes the line away, for what is to stand there. */
  clear(): void;
}

/** What a line is written to. */
export type Terminal = Pick<NodeJS.WriteStream, 'isTTY' | 'columns' | 'write'>;

/** A scan that ends sooner needs no line, and a line that changes more often cannot be read. */
const firstAfterMilliseconds = 500;
const everyMilliseconds = 100;

/** In pipes and in CI it writes nothing. */
export function progressLine(
  files: number,
  terminal: Terminal = process.stderr,
  environment: NodeJS.ProcessEnv = process.env,
): ProgressLine {
  const isShown = terminal.isTTY === true && environment.CI === undefined && environment.TERM !== 'dumb';
  let next = performance.now() + firstAfterMilliseconds;
  let stands = false;
  return {
    show(state) {
      const now = performance.now();
      if (!isShown || now < next) return;
      next = now + everyMilliseconds;
      stands = true;
      terminal.write(`\r${progressText(files, state).slice(0, (terminal.columns || 80) - 1)}\x1b[K`);
    },
    clear() {
      if (stands) terminal.write('\r\x1b[K');
      stands = false;
    },
  };
}

/** `1,204 of 2,286 files, 3 findings`. */
export function progressText(files: number, { checked, findings }: ScanState): string {
  return `${grouped(checked)} of ${grouped(files)} files, ${grouped(findings)} finding${findings === 1 ? '' : 's'}`;
}

const grouped = (count: number): string => count.toLocaleString('en-US');
