import {
  condaVersions,
  installedVersions,
  lockVersions,
  pyprojectVersions,
  requirementVersions,
} from '../core/torch/declaredVersions.ts';
import type { Versions } from '../core/torch/version.ts';
import type { FileSystem } from './fileSystem.ts';
import type { Folders } from './folders.ts';
import { folderOf, nameOf } from './paths.ts';

/** A lock file larger than this is not read. In bytes. */
const largestFile = 8_000_000;

/** What is installed beats what is locked, and that beats what is asked for. */
const declaring: readonly (readonly [name: RegExp, read: (text: string) => Versions])[] = [
  [/^(uv|poetry)\.lock$/, lockVersions],
  [/^requirements[\w.-]*\.txt$/, requirementVersions],
  [/^environment[\w.-]*\.ya?ml$/, condaVersions],
  [/^pyproject\.toml$/, pyprojectVersions],
];

/** The folder below which a file on disk decides library versions; undefined for one that declares none. */
export function versionScope(path: string): string | undefined {
  const folder = folderOf(path);
  const name = nameOf(path);
  if (declaring.some(([pattern]) => pattern.test(name))) return folder;
  const installed = /^(.*)\/(?:\.venv|venv|env)\/[Ll]ib\/.*?([^/]+\.dist-info)(?:\/METADATA)?$/.exec(path);
  const isOurs = installed?.[2] !== undefined && Object.keys(installedVersions([installed[2]])).length > 0;
  return isOurs ? installed[1] : undefined;
}

/**
 * Library versions for code in `folder`: the virtual environment beside it or above it, then lock and requirement files, up
 * to and including `root`. Only names and small files are read; nothing is imported or run.
 */
export function projectVersions(folder: string, root: string, folders: Folders, fileSystem: FileSystem): Versions {
  let versions: Versions = {};
  for (let current = folder; ; current = folderOf(current)) {
    versions = { ...declaredIn(current, folders, fileSystem), ...environmentIn(current, folders), ...versions };
    if (current === root || current === folderOf(current) || !current.startsWith(root)) return versions;
  }
}

function declaredIn(folder: string, folders: Folders, fileSystem: FileSystem): Versions {
  const names = [...folders.names(folder)].sort();
  const found = declaring.flatMap(([pattern, read]) =>
    names.filter((name) => pattern.test(name)).map((name) => read(textOf(`${folder}/${name}`, fileSystem))),
  );
  return Object.assign({}, ...found.reverse());
}

/** `.venv/lib/python3.12/site-packages`, or Windows' `.venv/Lib/site-packages`. */
function environmentIn(folder: string, folders: Folders): Versions {
  for (const name of ['.venv', 'venv', 'env']) {
    for (const library of ['lib', 'Lib']) {
      const base = `${folder}/${name}/${library}`;
      const python = [...folders.names(base)].find((entry) => entry.startsWith('python3'));
      const packages =
        library === 'lib' && python !== undefined ? `${base}/${python}/site-packages` : `${base}/site-packages`;
      const found = installedVersions(folders.names(packages));
      if (Object.keys(found).length > 0) return found;
    }
  }
  return {};
}

function textOf(file: string, { readFileSync, statSync }: FileSystem): string {
  try {
    const stat = statSync(file);
    return stat.isFile() && stat.size <= largestFile ? readFileSync(file, 'utf8') : '';
  } catch {
    return '';
  }
}
