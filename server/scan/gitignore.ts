import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import ignore, { type Ignore } from 'ignore';

/** The patterns of one .gitignore, which hold for the folder it lies in and below. */
export interface IgnoreFile {
  readonly folder: string;
  readonly patterns: Ignore;
}

/** Undefined where the folder has none that can be read. */
export const ignoreFileIn = (folder: string): IgnoreFile | undefined => read(path.join(folder, '.gitignore'), folder);

/** What holds in `folder` from above it: up to the top of its git repository, and nothing where it is in none. */
export function ignoreFilesAbove(folder: string): readonly IgnoreFile[] {
  const above: IgnoreFile[] = [];
  for (let current = folder; ; current = path.dirname(current)) {
    const isTop = existsSync(path.join(current, '.git'));
    const own = current === folder ? undefined : ignoreFileIn(current);
    if (own !== undefined) above.unshift(own);
    if (isTop) {
      const exclude = read(path.join(current, '.git', 'info', 'exclude'), current);
      return exclude === undefined ? above : [exclude, ...above];
    }
    if (current === path.dirname(current)) return [];
  }
}

/** Decided by the nearest file that says anything, as git does. */
export function ignoredBy(files: readonly IgnoreFile[], location: string, isFolder: boolean): boolean {
  for (const { folder, patterns } of files.toReversed()) {
    const { ignored, unignored } = patterns.test(relative(folder, location, isFolder));
    if (ignored) return true;
    if (unignored) return false;
  }
  return false;
}

/**
 * The files that still count inside `folder`, which is being searched. One that ignores the whole folder was overruled, by
 * a nearer `!` pattern or by the person who named the folder, and would go on to ignore everything in it.
 */
export const stillCounting = (files: readonly IgnoreFile[], folder: string): readonly IgnoreFile[] =>
  files.filter((file) => file.folder === folder || !file.patterns.ignores(relative(file.folder, folder, true)));

const relative = (folder: string, location: string, isFolder: boolean): string =>
  path.relative(folder, location).replaceAll(path.sep, '/') + (isFolder ? '/' : '');

/** Patterns as a .gitignore in that folder has them. */
export const ignoring = (folder: string, text: string): IgnoreFile => ({
  folder,
  patterns: ignore({ ignorecase: ignoresCase }).add(text),
});

function read(file: string, folder: string): IgnoreFile | undefined {
  try {
    return ignoring(folder, readFileSync(file, 'utf8').replace(/^\ufeff/, ''));
  } catch {
    return undefined;
  }
}

/** As git sets `core.ignoreCase` up on these systems. */
const ignoresCase = process.platform === 'win32' || process.platform === 'darwin';
