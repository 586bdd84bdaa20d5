/** The newest message of each document, and a wait for one that is as wanted. */
export class Latest<T> {
  readonly #messages = new Map<string, T>();
  readonly #counts = new Map<string, number>();
  readonly #waiting = new Set<() => void>();

  set(uri: string, message: T): void {
    this.#messages.set(uri, message);
    this.#counts.set(uri, this.count(uri) + 1);
    for (const look of [...this.#waiting]) look();
  }

  get(uri: string): T | undefined {
    return this.#messages.get(uri);
  }

  /** How many messages have arrived for a document. */
  count(uri: string): number {
    return this.#counts.get(uri) ?? 0;
  }

  until(uri: string, wanted: (message: T) => boolean): Promise<T> {
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        this.#waiting.delete(look);
        reject(new Error(`nothing arrived for ${uri}`));
      }, 20_000);
      const look = (): void => {
        const message = this.#messages.get(uri);
        if (message === undefined || !wanted(message)) return;
        clearTimeout(timer);
        this.#waiting.delete(look);
        resolve(message);
      };
      this.#waiting.add(look);
      look();
    });
  }
}
