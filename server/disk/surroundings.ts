import { posix } from 'node:path';
import type { Versions } from '../core/torch/version.ts';
import type { Workspace } from '../core/workspace/workspace.ts';
import { configText } from './configText.ts';
import { type DiskFilesOptions, diskFiles } from './diskFiles.ts';
import { Folders } from './folders.ts';
import { projectVersions } from './projectVersions.ts';

/** What lies around a file on disk: the modules it may import and the library versions it runs on. */
export interface Surroundings {
  workspaceOf(file: string): Workspace;
  versionsFor(file: string): Versions;
}

export interface SurroundingsOptions extends Pick<DiskFilesOptions, 'parse' | 'openText'> {
  /** Absolute folders with `/`: an editor's workspace folders, or the folders given on a command line. */
  readonly folders: readonly string[];
  readonly rememberedMilliseconds: number;
}

/**
 * Absolute imports are looked up where Python finds them when a project is installed or run from its own folder: from the
 * first folder above the file that is not itself a package, from the workspace folder, and from its `src`.
 */
export function diskSurroundings(options: SurroundingsOptions): Surroundings {
  const { rememberedMilliseconds } = options;
  const folders = new Folders(rememberedMilliseconds);
  const file = diskFiles({ ...options, folders, workspaceOf });
  const versions = new Map<string, { readonly versions: Versions; readonly until: number }>();
  return {
    workspaceOf,
    versionsFor(path) {
      const folder = posix.dirname(path);
      const now = performance.now();
      const known = versions.get(folder);
      if (known !== undefined && known.until > now) return known.versions;
      const found = projectVersions(folder, rootOf(path), folders);
      versions.set(folder, { versions: found, until: now + rememberedMilliseconds });
      return found;
    },
  };

  function workspaceOf(path: string): Workspace {
    const root = rootOf(path);
    const text = (name: string): string | undefined => options.openText?.(name)?.text ?? configText(name);
    return { roots: [...new Set([aboveItsPackage(path), root, `${root}/src`])], file, text };
  }

  /** The innermost folder given that holds the file; else the nearest one that looks like a project. */
  function rootOf(path: string): string {
    const around = options.folders
      .filter((folder) => path.startsWith(`${folder}/`))
      .sort((a, b) => b.length - a.length);
    if (around[0] !== undefined) return around[0];
    for (let folder = posix.dirname(path); folder !== posix.dirname(folder); folder = posix.dirname(folder)) {
      if (projectMarks.some((mark) => folders.has(`${folder}/${mark}`))) return folder;
    }
    return aboveItsPackage(path);
  }

  function aboveItsPackage(path: string): string {
    let folder = posix.dirname(path);
    while (folder !== posix.dirname(folder) && folders.has(`${folder}/__init__.py`)) folder = posix.dirname(folder);
    return folder;
  }
}

const projectMarks = ['.git', 'pyproject.toml', 'setup.py', 'setup.cfg'];
