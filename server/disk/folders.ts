import type { FileSystem } from './fileSystem.ts';
import { folderOf, nameOf } from './paths.ts';

/** Names in a folder, remembered for a while: asking the same few folders hundreds of times must not cost a system call each. */
export class Folders {
  readonly #listings = new Map<string, { readonly names: ReadonlySet<string>; readonly until: number }>();
  readonly #fileSystem: FileSystem;
  readonly #rememberedMilliseconds: number;

  constructor(fileSystem: FileSystem, rememberedMilliseconds: number) {
    this.#fileSystem = fileSystem;
    this.#rememberedMilliseconds = rememberedMilliseconds;
  }

  /** Whether a file or folder is there. A folder that cannot be read has nothing in it. */
  has(file: string): boolean {
    return this.names(folderOf(file)).has(nameOf(file));
  }

  names(folder: string): ReadonlySet<string> {
    const now = performance.now();
    const known = this.#listings.get(folder);
    if (known !== undefined && known.until > now) return known.names;
    const parent = folderOf(folder);
    const names = parent !== folder && !this.has(folder) ? none : listing(folder, this.#fileSystem);
    if (this.#listings.size > mostListings) this.#listings.clear();
    this.#listings.set(folder, { names, until: now + this.#rememberedMilliseconds });
    return names;
  }

  /** Files came or went. */
  forget(): void {
    this.#listings.clear();
  }
}

const none: ReadonlySet<string> = new Set();
const mostListings = 20_000;

function listing(folder: string, { readdirSync }: FileSystem): ReadonlySet<string> {
  try {
    return new Set(readdirSync(folder));
  } catch {
    return none;
  }
}
