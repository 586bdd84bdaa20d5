/**
 * Runs work for a document after the messages that are already waiting, so that ten keystrokes in one packet cost one
 * analysis. Only where the last analysis was slow does it wait for a pause in typing.
 */
export class Schedule {
  /** What calls the work off that is to be done. */
  readonly #waiting = new Map<string, () => void>();
  readonly #lastCost = new Map<string, number>();
  readonly #run: (key: string) => Promise<void> | void;
  readonly #pauseFor: (costMilliseconds: number) => number;

  /** `pauseFor` tells how long to wait for another request, by what the work cost last time. */
  constructor(run: (key: string) => Promise<void> | void, pauseFor = pauseOfChecks) {
    this.#run = run;
    this.#pauseFor = pauseFor;
  }

  request(key: string): void {
    this.#waiting.get(key)?.();
    const pause = this.#pauseFor(this.#lastCost.get(key) ?? 0);
    const run = (): void => void this.#now(key);
    this.#waiting.set(key, pause === 0 ? behindMessages(run) : later(run, pause));
  }

  cancel(key: string): void {
    this.#waiting.get(key)?.();
    this.#waiting.delete(key);
    this.#lastCost.delete(key);
  }

  async #now(key: string): Promise<void> {
    this.#waiting.delete(key);
    const started = performance.now();
    await this.#run(key);
    // The first time a document is looked at everything is cold; that says nothing about the next keystroke.
    const cost = this.#lastCost.has(key) ? performance.now() - started : 0;
    this.#lastCost.set(key, cost);
  }
}

function later(run: () => void, milliseconds: number): () => void {
  const timer = setTimeout(run, milliseconds);
  return () => clearTimeout(timer);
}

/** A timer of Node takes a millisecond at least. The connection handles one message in each turn, the next one in between. */
function behindMessages(run: () => void): () => void {
  if (typeof setImmediate === 'undefined') return later(run, 0);
  let turn = setImmediate(() => {
    turn = setImmediate(run);
  });
  return () => clearImmediate(turn);
}

/** Below 100 ms nobody notices; above it, a pause as long as the work keeps the server free for other requests. */
const pauseOfChecks = (costMilliseconds: number): number =>
  costMilliseconds < 100 ? 0 : Math.min(costMilliseconds, 500);

/**
 * For work that nobody waits for while typing, such as the panel's: one that costs more than a frame would hold up the next
 * keystroke, so it waits until no key has come for longer than the fingers of somebody who types take from one to the next.
 */
export const pauseInTyping = (costMilliseconds: number): number =>
  costMilliseconds < 4 ? 0 : Math.min(Math.max(2 * costMilliseconds, 200), 1_000);
