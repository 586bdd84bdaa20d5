import type { Diagnostic } from '../../core/lint/rule.ts';
import type { Dependencies } from '../../disk/dependencies.ts';
import { folderOf } from '../../disk/paths.ts';
import type { Surroundings } from '../../disk/surroundings.ts';
import { absolutePath } from '../absolutePath.ts';
import type { ThreadNotes } from '../threads/messages.ts';
import { hashOf } from './hash.ts';
import { nothing, type Observed, type ObservedDisk, observe } from './observedDisk.ts';
import { type Stamp, settledStampOf, stampOf } from './stamp.ts';
import { type KeptResults, noResults, type Result, readResults, type State, writeResults } from './storedResults.ts';

/** What earlier runs of the same command found, for files about which nothing can be different now. */
export interface KnownResults {
  /** What is known of a file that looks from outside as it did: it need not even be read. */
  unread(path: string): readonly Diagnostic[] | 'irrelevant' | undefined;
  find(path: string, bytes: Uint8Array): readonly Diagnostic[] | undefined;
  /** Findings of a file that was just checked, with plain spans. */
  add(path: string, bytes: Uint8Array, diagnostics: readonly Diagnostic[]): void;
  /** A file without a word that rules are about. */
  addIrrelevant(path: string): void;
  /** What results depend on that another thread has looked at. */
  learn(notes: ThreadNotes): void;
  /** For the next run, where this one has anything new. */
  save(): void;
}

export interface KnownResultsOptions {
  readonly file: string;
  readonly surroundings: Surroundings;
  readonly dependencies: Dependencies;
  readonly disk: ObservedDisk;
}

export function knownResults({ file, surroundings, dependencies, disk }: KnownResultsOptions): KnownResults {
  const start = Date.now();
  const before = readResults(file);
  const now = noResults();
  const added = new Set<string>();
  /** Files that had to be read. */
  const read = new Set<string>();
  let affected: ReadonlySet<string> | undefined;

  return {
    unread(path) {
      const name = absolutePath(path);
      const irrelevant = before.irrelevant.get(name);
      const result = before.results.get(name);
      const stamp = irrelevant ?? result?.stamp;
      if (stamp === undefined || stampOf(path) !== stamp) return undefined;
      if (irrelevant !== undefined) {
        now.irrelevant.set(name, irrelevant);
        return 'irrelevant';
      }
      return result === undefined ? undefined : stillTrue(name, result);
    },
    find(path, bytes) {
      const name = absolutePath(path);
      const result = before.results.get(name);
      if (result?.content !== hashOf(bytes)) return undefined;
      if (stampOf(path) !== result.stamp) read.add(name);
      return stillTrue(name, result);
    },
    add(path, bytes, diagnostics) {
      const name = absolutePath(path);
      now.results.set(name, { content: hashOf(bytes), around: around(name), diagnostics, stamp: undefined });
      added.add(name);
      read.add(name);
    },
    addIrrelevant(path) {
      read.add(absolutePath(path));
    },
    learn({ asked, observed }) {
      for (const [path, others] of asked) for (const other of others) dependencies.note(path, other);
      disk.learn(observed);
    },
    save() {
      const isGone = now.results.size < before.results.size || now.irrelevant.size < before.irrelevant.size;
      // What has changed a moment ago is read again next time in any case.
      const isNew = added.size > 0 || [...read].some((path) => settledStampOf(path, start) !== undefined);
      if (isGone || isNew) writeResults(file, kept());
    },
  };

  function kept(): KeptResults {
    const all = noResults();
    for (const [path, stamp] of now.irrelevant) all.irrelevant.set(path, stamp);
    for (const path of read) {
      const stamp = now.results.has(path) ? undefined : settledStampOf(path, start);
      if (stamp !== undefined) all.irrelevant.set(path, stamp);
    }
    for (const [name, result] of now.results) {
      const isNew = added.has(name);
      const askedBy = isNew ? askedNow : askedBefore;
      const paths = closure(name, askedBy);
      const states = paths.map((path) => [path, isNew ? stateNow(path) : before.states.get(path)] as const);
      // Something changed while it was looked at, or in between: the next run finds out.
      if (states.some(([path, state]) => state === undefined || !isSame(all.states.get(path) ?? state, state)))
        continue;
      for (const [path, state] of states) if (state !== undefined) all.states.set(path, state);
      for (const path of [name, ...paths]) {
        const also = [...askedBy(path)];
        if (also.length > 0) all.asked.set(path, [...new Set([...(all.asked.get(path) ?? []), ...also])]);
      }
      all.results.set(name, read.has(name) ? { ...result, stamp: settledStampOf(name, start) } : result);
    }
    for (const [path, state] of all.states) all.states.set(path, withStamps(path, state, all.folders));
    return all;
  }

  /** Undefined where what the result depends on is different now. */
  function stillTrue(name: string, result: Result): readonly Diagnostic[] | undefined {
    if (result.around !== around(name)) return undefined;
    affected ??= affectedByChanges();
    if (affected.has(name)) return undefined;
    now.results.set(name, result);
    return result.diagnostics;
  }

  function around(name: string): string {
    return JSON.stringify([surroundings.workspaceOf(name).roots, surroundings.versionsFor(name)]);
  }

  /** The files for which something they asked for is different now, directly or through others. */
  function affectedByChanges(): ReadonlySet<string> {
    const askers = new Map<string, string[]>();
    for (const [asker, paths] of before.asked) {
      for (const path of paths) {
        const known = askers.get(path);
        if (known === undefined) askers.set(path, [asker]);
        else known.push(asker);
      }
    }
    const isFolderAsBefore = remembering((folder: string) => stampOf(folder) === before.folders.get(folder));
    const changed = [...before.states].filter(([path, state]) => !isAsBefore(path, state, isFolderAsBefore));
    const found = new Set(changed.flatMap(([path]) => askers.get(path) ?? []));
    // A set hands out what is added to it while one goes through it.
    for (const path of found) for (const asker of askers.get(path) ?? []) found.add(asker);
    return found;
  }

  function isAsBefore(path: string, state: State, isFolderAsBefore: (folder: string) => boolean): boolean {
    if (state.under !== undefined && isFolderAsBefore(state.under)) return true;
    const looksSame = state.stamp !== undefined && stampOf(path) === state.stamp;
    return isSame(state, stateOf(path, looksSame ? state.seen : observe(path)));
  }

  function stateNow(path: string): State | undefined {
    const seen = disk.observed(path);
    return seen === undefined ? undefined : stateOf(path, seen);
  }

  function stateOf(path: string, seen: Observed): State {
    const isCode = seen !== nothing && path.endsWith('.py');
    const roots = isCode ? JSON.stringify(surroundings.workspaceOf(path).roots) : undefined;
    return { seen, roots, stamp: undefined, under: undefined };
  }

  function withStamps(path: string, state: State, folders: Map<string, Stamp>): State {
    if (state.stamp !== undefined || state.under !== undefined) {
      const folder = state.under === undefined ? undefined : before.folders.get(state.under);
      if (folder !== undefined && state.under !== undefined) folders.set(state.under, folder);
      return state;
    }
    if (state.seen !== nothing) return { ...state, stamp: settledStampOf(path, start) };
    const under = stampOf(path) === undefined ? nearestFolder(path) : undefined;
    const stamp = under === undefined ? undefined : settledStampOf(under, start);
    if (under === undefined || stamp === undefined) return state;
    folders.set(under, stamp);
    return { ...state, under };
  }

  function askedNow(path: string): Iterable<string> {
    return dependencies.askedBy(path);
  }

  function askedBefore(path: string): Iterable<string> {
    return before.asked.get(path) ?? [];
  }
}

const isSame = (a: State, b: State | undefined): boolean => a.seen === b?.seen && a.roots === b.roots;

/** The nearest folder above that is there. */
function nearestFolder(path: string): string | undefined {
  let folder = folderOf(path);
  while (stampOf(folder) === undefined) {
    if (folder === folderOf(folder)) return undefined;
    folder = folderOf(folder);
  }
  return folder;
}

function remembering<Result>(find: (key: string) => Result): (key: string) => Result {
  const known = new Map<string, Result>();
  return (key) => {
    const result = known.get(key) ?? find(key);
    known.set(key, result);
    return result;
  };
}

/** All that was asked for while a file was looked at, directly or by what it asked for; without the file itself. */
function closure(name: string, askedBy: (path: string) => Iterable<string>): string[] {
  const all = new Set([name]);
  // A set hands out what is added to it while one goes through it.
  for (const path of all) for (const asked of askedBy(path)) all.add(asked);
  all.delete(name);
  return [...all];
}
