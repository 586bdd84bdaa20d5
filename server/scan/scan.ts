import path from 'node:path';
import type { Rule } from '../core/lint/rule.ts';
import { Dependencies } from '../disk/dependencies.ts';
import { cacheFolder } from './cache/cacheFolder.ts';
import { hashOf } from './cache/hash.ts';
import { type KnownResults, knownResults } from './cache/knownResults.ts';
import { observedDisk } from './cache/observedDisk.ts';
import type { LintRequest } from './checkSource.ts';
import { bundleHash } from './installation.ts';
import { type CheckingThreads, checkingThreads } from './threads/checkingThreads.ts';
import { type LoadableTools, loadableTools } from './tools.ts';

/** What going through whole folders works with. */
export interface Scan {
  readonly tools: LoadableTools;
  readonly known?: KnownResults | undefined;
  readonly threads?: CheckingThreads | undefined;
}

export interface ScanRequest extends Pick<LintRequest, 'isNarrowed' | 'versions' | 'severities'> {
  readonly rules: readonly Rule[];
  /** Where imports are looked up from. */
  readonly folders: readonly string[];
  /** What tells this scan from others, beside all else here: results are kept for the next one that is the same. */
  readonly name: readonly unknown[];
  readonly usesCache: boolean;
  /** At most so many; one is the thread that asks. */
  readonly threads: number;
}

/** Whoever asks for it ends its threads. */
export function scanFor({ rules, folders, name, usesCache, threads, ...request }: ScanRequest): Scan {
  const codes = rules.map(({ code }) => code);
  const others =
    threads > 1 ? checkingThreads(threads, { role: 'check', rules: codes, folders, ...request }) : undefined;
  if (!usesCache) return { tools: loadableTools(folders), threads: others };
  const { isNarrowed, versions, severities } = request;
  const command = JSON.stringify([bundleHash(), folders, name, codes, isNarrowed, versions, severities]);
  const file = path.join(cacheFolder(), `${hashOf(command).replaceAll(/\W/g, '').slice(0, 32)}.json`);
  const disk = observedDisk();
  const dependencies = new Dependencies();
  const tools = loadableTools(folders, disk.fileSystem, dependencies);
  return {
    tools,
    known: knownResults({ file, surroundings: tools.surroundings, dependencies, disk }),
    threads: others,
  };
}
