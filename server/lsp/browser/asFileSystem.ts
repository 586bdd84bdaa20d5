import type { FileSystem } from '../../disk/fileSystem.ts';
import type { ClientFiles } from './clientFiles.ts';

/** The client's files as what is looked around in, which takes every error for "not there". */
export function asFileSystem(files: ClientFiles): FileSystem {
  const textOf = (path: string): string => {
    const read = files.at(path);
    return read !== undefined && 'text' in read ? read.text : missing(path);
  };
  return {
    readFileSync: textOf,
    readdirSync(folder) {
      const read = files.at(folder);
      return read !== undefined && 'entries' in read ? read.entries.map(({ name }) => name) : missing(folder);
    },
    statSync(path) {
      const kind = files.kindOf(path);
      if (kind === undefined) return missing(path);
      // That a file changed is told, so its time says nothing.
      if (kind === 'folder') return { isFile: () => false, size: 0, mtimeMs: 0 };
      return { isFile: () => true, size: textOf(path).length, mtimeMs: 0 };
    },
  };
}

function missing(path: string): never {
  throw new Error(`ENOENT: no such file or directory, '${path}'`);
}
