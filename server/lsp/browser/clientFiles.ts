import { folderOf, nameOf } from '../../disk/paths.ts';
import type { FileRead, FolderRead, ReadFilesParams, ReadFilesResult } from '../../protocol.ts';
import { uriOf } from '../convert.ts';

/** Asks the client; rejects when it cannot answer. */
export type ReadClientFiles = (params: ReadFilesParams) => Promise<ReadFilesResult>;

export interface ClientFiles {
  /** The file or folder, as far as it is known. Undefined for what is not there, and for what is only asked for now. */
  at(path: string): FileRead | FolderRead | undefined;
  /** Whether there is such a file or folder, by the listing of the folder it is in. */
  kindOf(path: string): 'file' | 'folder' | undefined;
  /** Asks again for what was known of these paths. */
  refresh(paths: Iterable<string>): void;
}

/** Files and folders asked for at most: where each one is a request over the network, reading on has an end. */
const mostKnown = 2_000;

/**
 * The client's files by path, asked for when somebody looks for them. `learned` is called when more or something else is
 * known than before. Outside `folders` there is nothing, and above them only the way down to them.
 */
export function clientFiles(folders: readonly string[], read: ReadClientFiles, learned: () => void): ClientFiles {
  const known = new Map<string, FileRead | FolderRead | null>();
  const wanted = new Set<string>();
  let isAsking = false;
  return {
    at(path) {
      const above = wayDown(path, folders);
      if (above.length > 0) return { entries: above.map((name) => ({ name, isFolder: true })) };
      if (!folders.some((folder) => path === folder || path.startsWith(`${folder}/`))) return undefined;
      if (!known.has(path)) want(path);
      return known.get(path) ?? undefined;
    },
    kindOf(path) {
      const folder = this.at(folderOf(path));
      const name = nameOf(path);
      const entry =
        folder !== undefined && 'entries' in folder ? folder.entries.find((one) => one.name === name) : undefined;
      if (entry === undefined) return undefined;
      return entry.isFolder ? 'folder' : 'file';
    },
    refresh(paths) {
      for (const path of paths) {
        if (known.has(path)) want(path);
        // A file may come with folders that nobody knew of, so what changed is the listing of the nearest one known.
        let folder = folderOf(path);
        while (folder !== '/' && !known.has(folder)) folder = folderOf(folder);
        if (known.has(folder)) want(folder);
      }
    },
  };

  function want(path: string): void {
    if (known.size + wanted.size >= mostKnown && !known.has(path)) return;
    wanted.add(path);
    if (isAsking) return;
    isAsking = true;
    // Whoever looks for one file looks for others right after: they go in one request.
    setTimeout(() => void ask());
  }

  async function ask(): Promise<void> {
    const paths = [...wanted];
    wanted.clear();
    const answers = await read({ uris: paths.map(uriOf) }).catch(() => []);
    const news = paths.filter((path, index) => remember(path, answers[index] ?? null));
    isAsking = false;
    if (news.length > 0) learned();
    const [next] = wanted;
    if (next !== undefined) want(next);
  }

  /** Whether it says anything that was not known: that something unknown is not there, for one, does not. */
  function remember(path: string, answer: FileRead | FolderRead | null): boolean {
    const before = known.get(path) ?? null;
    known.set(path, answer);
    return JSON.stringify(before) !== JSON.stringify(answer);
  }
}

/** Of a folder above some of `folders`, the names that lead to them. */
function wayDown(path: string, folders: readonly string[]): string[] {
  const start = path === '/' ? '/' : `${path}/`;
  const names = folders
    .filter((folder) => folder.startsWith(start))
    .map((folder) => folder.slice(start.length).split('/')[0] ?? '');
  return [...new Set(names)];
}
