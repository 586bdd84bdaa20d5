import type { Connection } from 'vscode-languageserver';
import { peakOfRun } from '../core/total/peakOfRun.ts';
import { type PeakAnswer, type PeakParams, peakMethod } from '../protocol.ts';
import type { FactsFeed } from './factsFeed.ts';

/** Tells what the run takes that the client has the facts of. */
export function servePeak(
  connection: Connection,
  facts: FactsFeed,
  guarded: <P, R>(feature: string, handle: (params: P) => R) => (params: P) => Promise<R | null>,
): void {
  connection.onRequest(
    peakMethod,
    guarded('peak', ({ uri, device }: PeakParams): PeakAnswer => {
      const latest = facts.latest(uri);
      return (latest && peakOfRun(latest, device)) ?? null;
    }),
  );
}
