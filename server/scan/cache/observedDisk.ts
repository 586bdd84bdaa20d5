import { readdirSync, readFileSync, statSync } from 'node:fs';
import { configFormatOf } from '../../core/config/configFile.ts';
import { largestConfigBytes } from '../../core/config/relevantConfig.ts';
import { largestFollowedBytes } from '../../disk/diskFiles.ts';
import type { FileSystem } from '../../disk/fileSystem.ts';
import { hashOf } from './hash.ts';

/** What a path was when it was looked at: a file's content, a folder's names, or nothing that can be read. */
export type Observed = string;

export const nothing: Observed = 'nothing';

export interface ObservedDisk {
  readonly fileSystem: FileSystem;
  /** Undefined where the path was two things at two times: nothing may be concluded from it. */
  observed(path: string): Observed | undefined;
  /** All that has been shown. */
  all(): [path: string, observed: Observed | undefined][];
  /** Adds what another disk of this kind has shown. */
  learn(shown: Iterable<readonly [path: string, observed: Observed | undefined]>): void;
}

/** A disk that remembers what it has shown, which need not be what is there by the time somebody asks. */
export function observedDisk(): ObservedDisk {
  const seen = new Map<string, Observed | undefined>();
  const note = (path: string, observed: Observed | undefined): void => {
    seen.set(path, seen.has(path) && seen.get(path) !== observed ? undefined : observed);
  };
  return {
    fileSystem: {
      statSync,
      readFileSync(path) {
        const bytes = readFileSync(path);
        note(path, ofFile(bytes));
        return bytes.toString('utf8');
      },
      readdirSync(path) {
        const names = readdirSync(path);
        note(path, ofFolder(names));
        return names;
      },
    },
    observed: (path) => (seen.has(path) ? seen.get(path) : nothing),
    all: () => [...seen],
    learn(shown) {
      for (const [path, observed] of shown) note(path, observed);
    },
  };
}

/** What a path is now, in the same words. */
export function observe(path: string): Observed {
  try {
    // Most of what is asked for is not there, and an error for each would take longest of all.
    const stats = statSync(path, { throwIfNoEntry: false });
    if (stats === undefined) return nothing;
    if (stats.isDirectory()) return ofFolder(readdirSync(path));
    const largest = configFormatOf(path) === undefined ? largestFollowedBytes : largestConfigBytes;
    return stats.isFile() && stats.size <= largest ? ofFile(readFileSync(path)) : nothing;
  } catch {
    return nothing;
  }
}

const ofFile = (bytes: Uint8Array): Observed => `file ${hashOf(bytes)}`;
const ofFolder = (names: readonly string[]): Observed => `folder ${hashOf([...names].sort().join('\n'))}`;
