import { type Dirent, existsSync, readdirSync, realpathSync, statSync } from 'node:fs';
import path from 'node:path';
import { settingsAmong } from './configNames.ts';
import { type IgnoreFile, ignoredBy, ignoreFileIn, ignoreFilesAbove, stillCounting } from './gitignore.ts';
import { attempt, type Problem } from './problem.ts';

export interface FoundFiles {
  /** As the person would write them: relative to where they wrote a relative path. Sorted, each file once. */
  readonly files: readonly string[];
  /** Those of them that were given themselves, not found in a folder. */
  readonly given: ReadonlySet<string>;
  readonly problems: readonly Problem[];
  /** Given folders in which there was nothing to check. */
  readonly emptyFolders: readonly string[];
}

/**
 * The files that paths given on a command line mean. A given file is always meant, whatever it is called and whether or
 * not git ignores it; a given folder means its files of the wanted kind, less what nobody wrote or nobody keeps, and less
 * what is excluded.
 */
export function findFiles(
  paths: readonly string[],
  wanted: WantedFiles,
  excluded: readonly IgnoreFile[] = [],
): FoundFiles {
  const problems: Problem[] = [];
  const byLocation = new Map<string, string>();
  const emptyFolders: string[] = [];
  const given = new Set<string>();
  const add = (file: string): string => {
    const location = path.resolve(file);
    const known = byLocation.get(location) ?? path.normalize(file);
    byLocation.set(location, known);
    return known;
  };
  for (const each of paths) {
    const stats = attempt(each, problems, () => statSync(each));
    if (stats === undefined) continue;
    if (!stats.isDirectory()) {
      given.add(add(each));
      continue;
    }
    const found = filesUnder(path.normalize(each), problems, wanted, excluded);
    if (found.length === 0) emptyFolders.push(each);
    found.forEach(add);
  }
  return { files: [...byLocation.values()].sort(byCodeUnits), given, problems, emptyFolders };
}

/** Settings: what may be configuration or a script of a training. */
export type WantedFiles = 'python' | 'python and notebooks' | 'python, notebooks and settings';

/** Not `localeCompare`: the order must not depend on the machine. */
const byCodeUnits = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

function filesUnder(
  folder: string,
  problems: Problem[],
  wanted: WantedFiles,
  excluded: readonly IgnoreFile[],
): string[] {
  const files: string[] = [];
  const links: string[] = [];
  const walk = (current: string, inherited: readonly IgnoreFile[]): void => {
    const entries = attempt(current, problems, () => readdirSync(current, { withFileTypes: true }));
    if (entries === undefined) return;
    const location = path.resolve(current);
    const own = ignoreFileIn(location);
    const ignoreFiles = own === undefined ? inherited : [...inherited, own];
    const maySet = settingsAmong(entries);
    const isMeant = (entry: Dirent, file: string): boolean =>
      entry.name.endsWith('.py') ||
      (wanted !== 'python' && entry.name.endsWith('.ipynb')) ||
      (wanted === 'python, notebooks and settings' && maySet(entry, file));
    for (const entry of entries) {
      const inside = path.join(current, entry.name);
      const isFolder = entry.isDirectory();
      if (isFolder ? isNeverSearched(entry, inside) : !isMeant(entry, inside)) continue;
      const there = path.join(location, entry.name);
      if (ignoredBy(excluded, there, isFolder) || ignoredBy(ignoreFiles, there, isFolder)) continue;
      if (isFolder) walk(inside, stillCounting(ignoreFiles, there));
      else if (entry.isFile()) files.push(inside);
      else if (entry.isSymbolicLink()) links.push(inside);
    }
  };
  const location = path.resolve(folder);
  walk(folder, stillCounting(ignoreFilesAbove(location), location));
  return [...files, ...linkedFiles(links, files)];
}

const neverSearched = new Set([
  '.git',
  '.hg',
  '.svn',
  '.jj',
  'node_modules',
  '__pycache__',
  '__pypackages__',
  'site-packages',
  '.venv',
  'venv',
  '.tox',
  '.nox',
  '.eggs',
  '.ipynb_checkpoints',
  '.mypy_cache',
  '.pytest_cache',
  '.ruff_cache',
]);

/** Also a virtual or conda environment under any name. A folder of such a name that is given itself is searched. */
const isNeverSearched = (entry: Dirent, folder: string): boolean =>
  neverSearched.has(entry.name) ||
  existsSync(path.join(folder, 'pyvenv.cfg')) ||
  existsSync(path.join(folder, 'conda-meta'));

/**
 * A link to a file counts where the file itself was not found; a link to a folder is not followed, as git has it, so that
 * links can neither make a circle nor lead out to a whole data disk.
 */
function linkedFiles(links: readonly string[], files: readonly string[]): string[] {
  if (links.length === 0) return [];
  const known = new Set(files.map((file) => realpathSync(file)));
  return [...links].sort(byCodeUnits).filter((link) => {
    try {
      const target = realpathSync(link);
      if (!statSync(target).isFile() || known.has(target)) return false;
      known.add(target);
      return true;
    } catch {
      // A link to nothing is no file, whatever it is called.
      return false;
    }
  });
}
