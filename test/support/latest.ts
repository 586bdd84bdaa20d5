/** The newest message of each document, and a wait for one that is as wanted. */
export class Latest<T> {
  readonly #messages = new Map<string, T>();
  readonly #waiting = new Set<() => void>();

  set(uri: string, message: T): void {
    this.#messages.set(uri, message);
    for (const look of [...this.#waiting]) look();
  }

  get(uri: string): T | undefined {
    return this.#messages.get(uri);
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
