import type { ExitCode } from './exitCode.ts';

/** What a shell expects of a command that Ctrl+C has ended: 128 and the number of the signal. */
export const interruptedExitCode: ExitCode = 130;

export interface Interruption {
  /** Whether somebody has pressed Ctrl+C. */
  isAsked(): boolean;
  /** From here on Ctrl+C does what it does by itself. */
  end(): void;
}

/** Lets the file at hand be finished and what was found be said; a second Ctrl+C waits for nothing. */
export function interruption(): Interruption {
  let isAsked = false;
  const stop = (): void => {
    if (isAsked) process.exit(interruptedExitCode);
    isAsked = true;
  };
  process.on('SIGINT', stop);
  return { isAsked: () => isAsked, end: () => process.off('SIGINT', stop) };
}
