import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';
import { bundleFile } from '../installation.ts';
import { mostThreads } from './checkingThreads.ts';
import type { FromScan, ScanStart } from './messages.ts';

export interface RunningScan {
  /** Ends it at once; nothing more is told of it then. */
  end(): void;
}

/**
 * Scans in a thread of its own, so that whoever has asked for it can do something else. All that it has kept in memory goes
 * when it ends.
 */
export function startScan(start: Omit<ScanStart, 'role' | 'threads'>, tell: (message: FromScan) => void): RunningScan {
  const threads = Math.min(availableParallelism() - 1, mostThreads);
  const workerData: ScanStart = { ...start, role: 'scan', threads };
  const worker = new Worker(bundleFile, { workerData });
  let isOver = false;
  const last = (message: FromScan): void => {
    if (!isOver) tell(message);
    isOver = true;
  };
  worker.on('message', (message: FromScan) => {
    if (message.kind === 'end' || message.kind === 'failed') last(message);
    else if (!isOver) tell(message);
  });
  worker.on('error', (error) => last({ kind: 'failed', reason: String(error) }));
  worker.on('exit', () => last({ kind: 'failed', reason: 'its thread has ended' }));
  return {
    end() {
      isOver = true;
      void worker.terminate();
    },
  };
}
