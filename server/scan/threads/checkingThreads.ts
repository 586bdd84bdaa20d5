import { Worker } from 'node:worker_threads';
import { bundleFile } from '../installation.ts';
import type { CheckingStart, FromThread, ThreadAnswer, ThreadNotes, ToThread } from './messages.ts';
import { keepHeapsSmall } from './smallHeaps.ts';

/** Threads that check files beside the one that finds and reads them. */
export interface CheckingThreads {
  /**
   * Undefined where the file is better checked here: so far there was little to do, or no thread is ready. Also the promise
   * may give undefined: the thread came to an end before it was done.
   */
  check(path: string, bytes: Uint8Array): Promise<ThreadAnswer | undefined> | undefined;
  /** So many files may be under way; more would only wait, with their contents in memory. */
  readonly mostUnderWay: number;
  /** What the answers so far depend on. */
  notes(): Promise<readonly ThreadNotes[]>;
  end(): void;
}

/** Each takes memory and learns anew what the others have learnt of the files around: more of them gain little. */
export const mostThreads = 4;

/** It takes a thread this long to be of use, and what is done by then needs none. */
const worthThreadsMilliseconds = 300;

/** A file that waits in a thread is there as soon as the one before it is done. */
const mostInThread = 3;

interface Thread {
  readonly worker: Worker;
  readonly underWay: Map<number, (answer: ThreadAnswer | undefined) => void>;
  isReady: boolean;
  /** Files of one folder import the same others, and whoever has looked at those before is faster. */
  lastFolder: string;
  gotNotes: ((notes: ThreadNotes) => void) | undefined;
}

/** At most `count` threads, which start once it has turned out that there is enough to do. */
export function checkingThreads(count: number, start: CheckingStart): CheckingThreads {
  let threads: Thread[] | undefined;
  let since: number | undefined;
  let number = 0;
  return {
    mostUnderWay: count * mostInThread,
    check(path, bytes) {
      since ??= performance.now();
      if (performance.now() - since < worthThreadsMilliseconds) return undefined;
      threads ??= started(count, start);
      const folder = path.slice(0, Math.max(path.lastIndexOf('/'), path.lastIndexOf('\\')));
      const chosen = freest(threads, folder);
      if (chosen === undefined) return undefined;
      chosen.lastFolder = folder;
      number++;
      send(chosen, { kind: 'check', number, path, bytes });
      return new Promise((resolve) => chosen.underWay.set(number, resolve));
    },
    notes: () => Promise.all((threads ?? []).filter(({ isReady }) => isReady).map(notesOf)),
    end() {
      for (const { worker } of threads ?? []) void worker.terminate();
    },
  };
}

function started(count: number, start: CheckingStart): Thread[] {
  keepHeapsSmall();
  return Array.from({ length: count }, () => thread(start));
}

function freest(threads: readonly Thread[], folder: string): Thread | undefined {
  const load = ({ underWay, lastFolder }: Thread): number => underWay.size + (lastFolder === folder ? -1.5 : 0);
  const [first] = threads
    .filter(({ isReady, underWay }) => isReady && underWay.size < mostInThread)
    .sort((a, b) => load(a) - load(b));
  return first;
}

function thread(start: CheckingStart): Thread {
  const worker = new Worker(bundleFile, { workerData: start });
  const made: Thread = { worker, underWay: new Map(), isReady: false, lastFolder: '', gotNotes: undefined };
  worker.on('message', (message: FromThread) => {
    switch (message.kind) {
      case 'ready':
        made.isReady = true;
        break;
      case 'checked':
        made.underWay.get(message.number)?.(message.answer);
        made.underWay.delete(message.number);
        break;
      case 'notes':
        made.gotNotes?.(message.notes);
    }
  });
  // Out of memory, say. What it had to do is done here, where an error is told as ever.
  worker.on('error', () => undefined);
  worker.on('exit', () => {
    made.isReady = false;
    for (const give of made.underWay.values()) give(undefined);
    made.underWay.clear();
    made.gotNotes?.(noNotes);
  });
  return made;
}

const noNotes: ThreadNotes = { asked: [], observed: [] };

function notesOf(one: Thread): Promise<ThreadNotes> {
  return new Promise((resolve) => {
    one.gotNotes = resolve;
    send(one, { kind: 'notes' });
  });
}

const send = ({ worker }: Thread, message: ToThread): void => worker.postMessage(message);
