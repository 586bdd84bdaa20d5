/** What looks at documents again because of a change in another file. */
export interface RecheckTools {
  /** Undefined where nothing around the open documents is read. */
  changed(paths: readonly string[], where: 'editor' | 'disk'): ((path: string) => boolean) | undefined;
  /** URIs of the open documents and notebooks. */
  open(): Iterable<string>;
  pathOf(uri: string): string;
  /** What is known about the document may be wrong now. */
  outdate(uri: string): void;
  check(uri: string): void;
}

/** While somebody types in one file, those that depend on it wait for a pause. */
const pauseMilliseconds = 200;

/**
 * Checks open documents again when a file that they depend on changes. What is known about them is given up at once, so that
 * whoever asks in between gets a right answer; the work itself waits until the changes stop for a moment.
 */
export class Rechecks {
  readonly #tools: RecheckTools;
  readonly #waiting = new Set<string>();
  #timer: NodeJS.Timeout | undefined;

  constructor(tools: RecheckTools) {
    this.#tools = tools;
  }

  changed(paths: readonly string[], where: 'editor' | 'disk'): void {
    const { open, pathOf, outdate } = this.#tools;
    const affects = this.#tools.changed(paths, where);
    if (affects === undefined) return;
    for (const uri of open()) {
      const path = pathOf(uri);
      // A document that is edited is checked because of that already.
      if (!affects(path) || (where === 'editor' && paths.includes(path))) continue;
      outdate(uri);
      this.#waiting.add(uri);
    }
    if (this.#waiting.size === 0) return;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#check(), pauseMilliseconds);
  }

  #check(): void {
    const due = [...this.#waiting];
    this.#waiting.clear();
    for (const uri of due) this.#tools.check(uri);
  }
}
