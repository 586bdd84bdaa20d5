import { isMainThread, parentPort, workerData } from 'node:worker_threads';
import { checkForOthers } from './checkingThread.ts';
import type { CheckingStart, ScanStart } from './messages.ts';
import { scanForOthers } from './scanThread.ts';

/** A bundle is also what its threads run. In one of them this does its work and gives true; else it gives false. */
export function servesAsThread(): boolean {
  if (isMainThread || parentPort === null) return false;
  const start: CheckingStart | ScanStart = workerData;
  if (start.role === 'check') void checkForOthers(start, parentPort);
  else void scanForOthers(start, parentPort);
  return true;
}
