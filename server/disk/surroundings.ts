import type { Versions } from '../core/torch/version.ts';
import type { Workspace } from '../core/workspace/workspace.ts';
import { configText } from './configText.ts';
import type { Dependencies } from './dependencies.ts';
import { type DiskFilesOptions, diskFiles } from './diskFiles.ts';
import type { FileSystem } from './fileSystem.ts';
import { Folders } from './folders.ts';
import { folderOf, nameOf } from './paths.ts';
import { projectVersions, versionScope } from './projectVersions.ts';

/** What lies around a file: the modules it may import and the library versions it runs on. */
export interface Surroundings {
  workspaceOf(file: string): Workspace;
  versionsFor(file: string): Versions;
}

export interface ChangingSurroundings extends Surroundings {
  /**
   * Files have changed, come or gone: forgets what was read of them and with their help. Tells of a file whether something
   * else may be true of it now.
   */
  changed(paths: readonly string[], where: 'editor' | 'disk'): (file: string) => boolean;
}

export interface SurroundingsOptions extends Pick<DiskFilesOptions, 'parse' | 'openText'> {
  /** Absolute folders with `/`: an editor's workspace folders, or the folders given on a command line. */
  readonly folders: readonly string[];
  readonly rememberedMilliseconds: number;
  /** Where to note which file depends on which; absent where nothing changes while this lives. */
  readonly dependencies?: Dependencies;
}

/**
 * Absolute imports are looked up where Python finds them when a project is installed or run from its own folder: from the
 * first folder above the file that is not itself a package, from the workspace folder, and from its `src`.
 */
export function surroundingsIn(fileSystem: FileSystem, options: SurroundingsOptions): ChangingSurroundings {
  const { rememberedMilliseconds, dependencies } = options;
  const folders = new Folders(fileSystem, rememberedMilliseconds);
  const files = diskFiles({ ...options, fileSystem, folders, workspaceOf });
  const versions = new Map<string, { readonly versions: Versions; readonly until: number }>();
  return {
    workspaceOf,
    versionsFor(path) {
      const folder = folderOf(path);
      const now = performance.now();
      const known = versions.get(folder);
      if (known !== undefined && known.until > now) return known.versions;
      const found = projectVersions(folder, rootOf(path), folders, fileSystem);
      versions.set(folder, { versions: found, until: now + rememberedMilliseconds });
      return found;
    },
    changed(paths, where) {
      const scopes = where === 'disk' ? paths.map(scopeOf).filter((scope) => scope !== undefined) : [];
      const isBelow = (file: string): boolean => scopes.some((scope) => file.startsWith(`${scope}/`));
      if (where === 'disk') {
        folders.forget();
        versions.clear();
      }
      const below = scopes.length > 0 ? [...(dependencies?.files() ?? []), ...files.kept()].filter(isBelow) : [];
      // While a file is open in an editor, what is on disk under its name does not matter.
      const other = paths.filter((path) => (where === 'disk' ? openText(path) === undefined : isNews(path)));
      // What was not there is noted by its folder: any file in it makes it a package.
      const gained = other.map((path) => folderOf(path));
      const affected = dependencies?.affectedBy([...other, ...gained, ...below]) ?? new Set<string>();
      // What others know of a file they know from it: whoever depends on one of these is among them.
      for (const path of affected) {
        files.forget(path);
        dependencies?.forget(path);
      }
      return (file) => affected.has(file) || isBelow(file);
    },
  };

  function workspaceOf(path: string): Workspace {
    const root = rootOf(path);
    return {
      roots: [...new Set([aboveItsPackage(path), root, `${root}/src`])],
      file(name) {
        dependencies?.note(path, name);
        return files.file(name);
      },
      mayHold(stem) {
        const isThere = files.mayHold(stem);
        if (!isThere) for (const asked of [stem, `${stem}.py`]) dependencies?.note(path, asked);
        return isThere;
      },
      text(name) {
        dependencies?.note(path, name);
        return openText(name) ?? configText(name, fileSystem);
      },
      names(folder) {
        dependencies?.note(path, folder);
        return [...folders.names(folder)];
      },
    };
  }

  function openText(path: string): string | undefined {
    return options.openText?.(path)?.text;
  }

  /** Opening a file changes nothing, where its text is the one on disk. */
  function isNews(path: string): boolean {
    const known = files.keptText(path);
    return known === undefined || known !== openText(path);
  }

  /** The folder in which everything may be different once a file appears or changes on disk. */
  function scopeOf(path: string): string | undefined {
    const name = nameOf(path);
    const movesRoots = name === '__init__.py' || projectMarks.includes(name);
    if (movesRoots) return folderOf(path);
    // A folder went, and all that was in it: nothing else tells of those files.
    return versionScope(path) ?? (name.includes('.') ? undefined : path);
  }

  /** The innermost folder given that holds the file; else the nearest one that looks like a project. */
  function rootOf(path: string): string {
    const around = options.folders
      .filter((folder) => path.startsWith(`${folder}/`))
      .sort((a, b) => b.length - a.length);
    if (around[0] !== undefined) return around[0];
    for (let folder = folderOf(path); folder !== folderOf(folder); folder = folderOf(folder)) {
      if (projectMarks.some((mark) => folders.has(`${folder}/${mark}`))) return folder;
    }
    return aboveItsPackage(path);
  }

  function aboveItsPackage(path: string): string {
    let folder = folderOf(path);
    while (folder !== folderOf(folder) && folders.has(`${folder}/__init__.py`)) folder = folderOf(folder);
    return folder;
  }
}

const projectMarks = ['.git', 'pyproject.toml', 'setup.py', 'setup.cfg'];
