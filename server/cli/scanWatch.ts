import { setImmediate } from 'node:timers/promises';
import type { ScanState } from '../scan/checkInputs.ts';
import { interruption } from './interruption.ts';
import { progressLine } from './progressLine.ts';

/** Watches over a scan of many files for the person who waits for it. */
export interface ScanWatch {
  /** Before each file: whether to go on. */
  next(state: ScanState): Promise<boolean>;
  /** Something is about to be written where the progress stands. */
  clear(): void;
  end(): void;
}

/** Signals are only heard between two turns of the event loop. */
const turnMilliseconds = 50;

export function scanWatch(files: number): ScanWatch {
  const line = progressLine(files);
  const stop = interruption();
  let turned = performance.now();
  return {
    async next(state) {
      if (performance.now() - turned > turnMilliseconds) {
        line.show(state);
        await setImmediate();
        turned = performance.now();
      }
      return !stop.isAsked();
    },
    clear: line.clear,
    end() {
      line.clear();
      stop.end();
    },
  };
}
