import type { Diagnostic } from '../../core/lint/rule.ts';
import type { Dependencies } from '../../disk/dependencies.ts';
import type { Surroundings } from '../../disk/surroundings.ts';
import { absolutePath } from '../absolutePath.ts';
import type { ThreadNotes } from '../threads/messages.ts';
import { readCacheFile, writeCacheFile } from './cacheFile.ts';
import { hashOf } from './hash.ts';
import { nothing, type ObservedDisk, observe } from './observedDisk.ts';

/** What earlier runs of the same command found, for files about which nothing can be different now. */
export interface KnownResults {
  find(path: string, bytes: Uint8Array): readonly Diagnostic[] | undefined;
  /** Findings of a file that was just checked, with plain spans. */
  add(path: string, bytes: Uint8Array, diagnostics: readonly Diagnostic[]): void;
  /** What results depend on that another thread has looked at. */
  learn(notes: ThreadNotes): void;
  /** For the next run, where this one has added anything. */
  save(): void;
}

export interface KnownResultsOptions {
  readonly file: string;
  readonly surroundings: Surroundings;
  readonly dependencies: Dependencies;
  readonly disk: ObservedDisk;
}

/** In the cache's file: all that a finding can depend on beside the command, which is the file's name. */
interface Stored {
  readonly results: Readonly<Record<string, Result>>;
  /** By path, the paths that were asked for while it was read. */
  readonly asked: Readonly<Record<string, readonly string[]>>;
  /** What each path of these was. */
  readonly states: Readonly<Record<string, string>>;
}

interface Result {
  readonly content: string;
  /** Where its imports are looked up, and the library versions it runs on. */
  readonly around: string;
  readonly diagnostics: readonly Diagnostic[];
}

export function knownResults({ file, surroundings, dependencies, disk }: KnownResultsOptions): KnownResults {
  const before = (readCacheFile(file) as Stored | undefined) ?? { results: {}, asked: {}, states: {} };
  const results: Record<string, Result> = {};
  const added = new Set<string>();
  let affected: ReadonlySet<string> | undefined;

  return {
    find(path, bytes) {
      const name = absolutePath(path);
      const known = Object.hasOwn(before.results, name) ? before.results[name] : undefined;
      if (known?.content !== hashOf(bytes) || known.around !== around(name)) return undefined;
      affected ??= affectedByChanges();
      if (affected.has(name)) return undefined;
      results[name] = known;
      return known.diagnostics;
    },
    add(path, bytes, diagnostics) {
      const name = absolutePath(path);
      results[name] = { content: hashOf(bytes), around: around(name), diagnostics };
      added.add(name);
    },
    learn({ asked, observed }) {
      for (const [path, others] of asked) for (const other of others) dependencies.note(path, other);
      disk.learn(observed);
    },
    save() {
      const isAsBefore = added.size === 0 && Object.keys(results).length === Object.keys(before.results).length;
      if (isAsBefore) return;
      const asked: Record<string, readonly string[]> = {};
      const states: Record<string, string> = {};
      const kept: Record<string, Result> = {};
      for (const [name, result] of Object.entries(results)) {
        const askedBy = added.has(name) ? askedNow : askedBefore;
        const paths = closure(name, askedBy);
        const stateIn = added.has(name) ? stateNow : (path: string): string | undefined => before.states[path];
        const found = paths.map((path) => [path, stateIn(path)] as const);
        // Something changed while it was looked at, or in between: the next run finds out.
        if (found.some(([path, state]) => state === undefined || (states[path] ?? state) !== state)) continue;
        for (const [path, state] of found) states[path] = state ?? '';
        for (const path of [name, ...paths]) {
          const also = [...askedBy(path)];
          if (also.length > 0) asked[path] = [...new Set([...(asked[path] ?? []), ...also])];
        }
        kept[name] = result;
      }
      writeCacheFile(file, { results: kept, asked, states } satisfies Stored);
    },
  };

  function around(name: string): string {
    return JSON.stringify([surroundings.workspaceOf(name).roots, surroundings.versionsFor(name)]);
  }

  /** The files for which something they asked for is different now, directly or through others. */
  function affectedByChanges(): ReadonlySet<string> {
    const askers = new Map<string, string[]>();
    for (const [asker, paths] of Object.entries(before.asked)) {
      for (const path of paths) {
        const known = askers.get(path);
        if (known === undefined) askers.set(path, [asker]);
        else known.push(asker);
      }
    }
    const changed = Object.entries(before.states).filter(([path, known]) => known !== state(path, observe(path)));
    const found = new Set(changed.flatMap(([path]) => askers.get(path) ?? []));
    // A set hands out what is added to it while one goes through it.
    for (const path of found) for (const asker of askers.get(path) ?? []) found.add(asker);
    return found;
  }

  function stateNow(path: string): string | undefined {
    const seen = disk.observed(path);
    return seen === undefined ? undefined : state(path, seen);
  }

  /** From a file its own imports lead on, and where they are looked up depends on the packages around it. */
  function state(path: string, seen: string): string {
    return seen !== nothing && path.endsWith('.py')
      ? JSON.stringify([seen, surroundings.workspaceOf(path).roots])
      : seen;
  }

  function askedNow(path: string): Iterable<string> {
    return dependencies.askedBy(path);
  }

  function askedBefore(path: string): Iterable<string> {
    return Object.hasOwn(before.asked, path) ? (before.asked[path] ?? []) : [];
  }
}

/** All that was asked for while a file was looked at, directly or by what it asked for; without the file itself. */
function closure(name: string, askedBy: (path: string) => Iterable<string>): string[] {
  const all = new Set([name]);
  // A set hands out what is added to it while one goes through it.
  for (const path of all) for (const asked of askedBy(path)) all.add(asked);
  all.delete(name);
  return [...all];
}
