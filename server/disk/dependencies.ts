/**
 * Which files were asked for while a file was read, whether they were there or not. What is known of a file may be different
 * once one of them changes, appears or goes.
 */
export class Dependencies {
  readonly #asked = new Map<string, Set<string>>();
  readonly #askedBy = new Map<string, Set<string>>();

  note(file: string, asked: string): void {
    add(this.#asked, file, asked);
    add(this.#askedBy, asked, file);
  }

  /** The files themselves, and all that asked for one of them, directly or through others. */
  affectedBy(changed: Iterable<string>): Set<string> {
    const affected = new Set(changed);
    // A set hands out what is added to it while one goes through it.
    for (const file of affected) for (const one of this.#askedBy.get(file) ?? []) affected.add(one);
    return affected;
  }

  /** What was asked for while the file was read. */
  askedBy(file: string): Iterable<string> {
    return this.#asked.get(file) ?? [];
  }

  /** The file is about to be read anew, and may ask for others then. */
  forget(file: string): void {
    for (const asked of this.#asked.get(file) ?? []) {
      const askers = this.#askedBy.get(asked);
      askers?.delete(file);
      if (askers?.size === 0) this.#askedBy.delete(asked);
    }
    this.#asked.delete(file);
  }

  /** Each file with all that was asked for while it was read. */
  asked(): [file: string, asked: string[]][] {
    return [...this.#asked].map(([file, asked]) => [file, [...asked]]);
  }

  /** Every file that has asked or was asked for. */
  files(): readonly string[] {
    return [...this.#asked.keys(), ...this.#askedBy.keys()];
  }
}

function add(map: Map<string, Set<string>>, key: string, value: string): void {
  const known = map.get(key);
  if (known === undefined) map.set(key, new Set([value]));
  else known.add(value);
}
