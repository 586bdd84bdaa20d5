import type { ConfigMapping } from '../../config/tree.ts';
import type { Versions } from '../../torch/version.ts';
import type { Workspace } from '../../workspace/workspace.ts';
import type { RunFacts } from '../facts.ts';

/** Where runs are looked for: the files around, and how a place names one of them (its URI in the language server). */
export interface RunsAround {
  readonly workspace?: Workspace | undefined;
  placeName(path: string): string;
  /** Versions of the libraries that the project runs on, as far as they are known. */
  readonly versions?: Versions | undefined;
  /** What Python files said, by path, for one pass in which nothing changes: many scripts start the same program. */
  readonly known?: Map<string, KnownFacts>;
  /** Settings files as they were parsed, by path, for whoever asks again and again while others change. */
  readonly parsed?: Map<string, ParsedSettings>;
}

export interface KnownFacts {
  readonly text: string;
  readonly facts: RunFacts | undefined;
}

export interface ParsedSettings {
  readonly text: string;
  readonly root: ConfigMapping | undefined;
}

/** A path that a file or a command line names. */
export interface NamedPath {
  readonly written: string;
  readonly from: string;
}

/** Longer than any path a person writes. */
const longestPath = 500;

/**
 * Where a named path may lead: beside the file, in a folder above it, at the top of the workspace. Programs are started in
 * one of these.
 */
export function pathsMeant({ written, from }: NamedPath, workspace: Workspace): readonly string[] {
  if (written === '' || written.length > longestPath || /[\n$]|^~/.test(written)) return [];
  if (written.startsWith('/')) return [normal(written)];
  const folders = [];
  const tops = workspace.roots;
  const [top] = tops.filter((root) => from.startsWith(`${root}/`)).sort((a, b) => a.length - b.length);
  let folder = folderOf(from);
  for (let step = 0; step < mostFolders; step++) {
    folders.push(folder);
    if (folder === '' || folder === top) break;
    folder = folderOf(folder);
  }
  return [...new Set([...folders, ...tops].map((base) => normal(`${base}/${written}`)))];
}

const mostFolders = 8;

export const folderOf = (path: string): string => path.slice(0, Math.max(0, path.lastIndexOf('/')));

export const baseName = (path: string): string => path.slice(path.lastIndexOf('/') + 1);

/** Without `.` and `..`. */
function normal(path: string): string {
  const parts: string[] = [];
  for (const part of path.split('/')) {
    if (part === '..') parts.pop();
    else if (part !== '.' && (part !== '' || parts.length === 0)) parts.push(part);
  }
  return parts.join('/');
}
