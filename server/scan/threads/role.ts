import { isMainThread, parentPort, workerData } from 'node:worker_threads';
import { checkForOthers } from './checkingThread.ts';
import type { CheckingStart } from './messages.ts';

/** A bundle is also what its threads run. In one of them this does its work and gives true; else it gives false. */
export function servesAsThread(): boolean {
  if (isMainThread || parentPort === null) return false;
  const start: CheckingStart = workerData;
  void checkForOthers(start, parentPort);
  return true;
}
