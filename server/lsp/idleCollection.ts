import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/**
 * Collects what a check leaves behind as soon as its findings are on their way. Node would do so when the memory for new
 * objects runs out, which is in the middle of a later check, while somebody waits; between two keys nobody does. Undefined
 * where the engine lets nobody ask for it.
 */
export function collectionWhenIdle(): (() => void) | undefined {
  const collect = collectionOfNewObjects();
  if (collect === undefined) return undefined;
  let waiting: NodeJS.Timeout | undefined;
  return () => {
    clearTimeout(waiting);
    waiting = setTimeout(collect, untilSentMilliseconds);
    waiting.unref();
  };
}

/** Findings are written to the client first. */
const untilSentMilliseconds = 2;

function collectionOfNewObjects(): (() => void) | undefined {
  setFlagsFromString('--expose-gc');
  const collect: unknown = runInNewContext('typeof gc === "undefined" ? undefined : gc');
  return typeof collect === 'function' ? () => collect({ type: 'minor' }) : undefined;
}
