import type { Diagnostic } from '../../core/lint/rule.ts';
import { readCacheFile, writeCacheFile } from './cacheFile.ts';
import type { Observed } from './observedDisk.ts';
import type { Stamp } from './stamp.ts';

/** All that a finding can depend on beside the command, which is the cache file's name. By path. */
export interface KeptResults {
  readonly results: Map<string, Result>;
  /** Files without a word that rules are about. */
  readonly irrelevant: Map<string, Stamp>;
  /** The paths that were asked for while a file was read. */
  readonly asked: Map<string, readonly string[]>;
  /** What each of those was. */
  readonly states: Map<string, State>;
  /** The folders that `State` names. */
  readonly folders: Map<string, Stamp>;
}

export interface Result {
  readonly content: string;
  /** Where its imports are looked up, and the library versions it runs on. */
  readonly around: string;
  readonly diagnostics: readonly Diagnostic[];
  readonly stamp: Stamp | undefined;
}

export interface State {
  readonly seen: Observed;
  /** From a file its own imports lead on, and where they are looked up depends on the packages around it. */
  readonly roots: string | undefined;
  readonly stamp: Stamp | undefined;
  /** Of a path at which there is nothing, the nearest folder above that is there. */
  readonly under: string | undefined;
}

export const noResults = (): KeptResults => ({
  results: new Map(),
  irrelevant: new Map(),
  asked: new Map(),
  states: new Map(),
  folders: new Map(),
});

/** In the file paths are numbers: most of them are long and named often. Missing values are null, as JSON has it. */
interface Stored {
  /** Sorted; each as how many characters it shares with the one before, and the rest. */
  readonly paths: readonly (readonly [shared: number, rest: string])[];
  readonly results: readonly (readonly [number, string, string, Stamp | null, readonly Diagnostic[]])[];
  readonly irrelevant: readonly (readonly [number, Stamp])[];
  readonly asked: readonly (readonly [number, readonly number[]])[];
  readonly states: readonly (readonly [number, Observed, string | null, Stamp | null, number | null])[];
  readonly folders: readonly (readonly [number, Stamp])[];
}

export function readResults(file: string): KeptResults {
  const stored = readCacheFile(file) as Stored | undefined;
  if (stored === undefined) return noResults();
  const paths: string[] = [];
  for (const [shared, rest] of stored.paths) paths.push((paths.at(-1) ?? '').slice(0, shared) + rest);
  const at = (index: number): string => paths[index] ?? '';
  return {
    results: new Map(
      stored.results.map(([path, content, around, stamp, diagnostics]) => [
        at(path),
        { content, around, diagnostics, stamp: stamp ?? undefined },
      ]),
    ),
    irrelevant: new Map(stored.irrelevant.map(([path, stamp]) => [at(path), stamp])),
    asked: new Map(stored.asked.map(([path, asked]) => [at(path), asked.map(at)])),
    states: new Map(
      stored.states.map(([path, seen, roots, stamp, under]) => [
        at(path),
        {
          seen,
          roots: roots ?? undefined,
          stamp: stamp ?? undefined,
          under: under === null ? undefined : at(under),
        },
      ]),
    ),
    folders: new Map(stored.folders.map(([path, stamp]) => [at(path), stamp])),
  };
}

export function writeResults(file: string, { results, irrelevant, asked, states, folders }: KeptResults): void {
  const keys = [results, irrelevant, asked, states, folders].flatMap((map: Map<string, unknown>) => [...map.keys()]);
  const paths = [...new Set([...keys, ...[...asked.values()].flat()])].sort();
  const numbers = new Map(paths.map((path, index) => [path, index]));
  const number = (path: string): number => numbers.get(path) ?? -1;
  const stored: Stored = {
    paths: paths.map((path, index) => {
      const shared = sharedLength(path, paths[index - 1] ?? '');
      return [shared, path.slice(shared)];
    }),
    results: [...results].map(([path, { content, around, stamp, diagnostics }]) => [
      number(path),
      content,
      around,
      stamp ?? null,
      diagnostics,
    ]),
    irrelevant: [...irrelevant].map(([path, stamp]) => [number(path), stamp]),
    asked: [...asked].map(([path, others]) => [number(path), others.map(number)]),
    states: [...states].map(([path, { seen, roots, stamp, under }]) => [
      number(path),
      seen,
      roots ?? null,
      stamp ?? null,
      under === undefined ? null : number(under),
    ]),
    folders: [...folders].map(([path, stamp]) => [number(path), stamp]),
  };
  writeCacheFile(file, stored);
}

function sharedLength(a: string, b: string): number {
  let length = 0;
  while (length < a.length && a[length] === b[length]) length++;
  return length;
}
