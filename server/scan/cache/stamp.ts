import { statSync } from 'node:fs';

/** What a file or folder looks like from outside, which changes when it does. */
export type Stamp = string;

/** A clock that ticks in seconds, as some disks have it, shows a change after that at the latest. In milliseconds. */
const slowestTick = 3_000;

/** Undefined for what is not there. Of a folder it changes when a name in it comes or goes. */
export function stampOf(path: string): Stamp | undefined {
  return stampAndTime(path)?.stamp;
}

/**
 * The same, but for what may have changed since `start`, of which nobody could say what it was then. As git has it: what has
 * the times it had and has had them for a while is what it was.
 */
export function settledStampOf(path: string, start: number): Stamp | undefined {
  const found = stampAndTime(path);
  return found !== undefined && found.changed < start - slowestTick ? found.stamp : undefined;
}

function stampAndTime(path: string): { readonly stamp: Stamp; readonly changed: number } | undefined {
  try {
    const stats = statSync(path, { throwIfNoEntry: false });
    if (stats === undefined) return undefined;
    const { mtimeMs, ctimeMs, size, ino } = stats;
    return { stamp: `${mtimeMs} ${ctimeMs} ${size} ${ino}`, changed: Math.max(mtimeMs, ctimeMs) };
  } catch {
    return undefined;
  }
}
