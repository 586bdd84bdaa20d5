import { unreadSourceFile } from '../core/workspace/sourceFile.ts';
import type { SourceFile, Workspace } from '../core/workspace/workspace.ts';
import type { ParsePython } from '../parse/parser.ts';
import type { FileSystem } from './fileSystem.ts';
import type { Folders } from './folders.ts';

export interface DiskFilesOptions {
  readonly fileSystem: FileSystem;
  readonly folders: Folders;
  /** Where the names of a file are followed to. */
  workspaceOf(path: string): Workspace;
  readonly parse: ParsePython;
  /** How long what is on disk may be taken as unchanged. */
  readonly rememberedMilliseconds: number;
  /** The text of a file that is open in an editor, where it is newer than the one on disk. */
  openText?(path: string): { readonly version: number; readonly text: string } | undefined;
}

/** Files kept at most; the one not used for longest goes first. */
const mostFiles = 600;
/** Of the texts kept, together. In UTF-16 units. */
const mostText = 3_000_000;
/** Of the texts of which the tree is kept too, together: a tree takes about a hundred times as much. In UTF-16 units. */
const mostParsedText = 1_500_000;
/** Larger files are data or generated; following names into them is not worth the wait. In bytes. */
export const largestFollowedBytes = 1_000_000;

interface Kept {
  readonly file: SourceFile | undefined;
  /** Changes when the file does. */
  readonly stamp: string;
  readonly until: number;
}

export interface DiskFiles {
  file(path: string): SourceFile | undefined;
  /** Whether there is a file `stem.py`, or anything in a folder `stem`. */
  mayHold(stem: string): boolean;
  /** The text of a file as it was last read, if it is still kept. */
  keptText(path: string): string | undefined;
  forget(path: string): void;
  /** Paths of the files that are kept. */
  kept(): Iterable<string>;
}

/** The files of the user's folders, parsed when a name leads to them. Nothing is scanned ahead. */
export function diskFiles(options: DiskFilesOptions): DiskFiles {
  const { fileSystem, folders, parse, rememberedMilliseconds } = options;
  const kept = new Map<string, Kept>();
  let keptLength = 0;
  // In the order in which they were used.
  const parsed = new Map<string, number>();
  let parsedLength = 0;
  const dropTree = (path: string): void => {
    parsedLength -= parsed.get(path) ?? 0;
    parsed.delete(path);
  };
  const drop = (path: string): void => {
    keptLength -= kept.get(path)?.file?.text.length ?? 0;
    kept.delete(path);
    dropTree(path);
  };
  return {
    file(path) {
      const now = performance.now();
      const known = kept.get(path);
      if (known !== undefined && known.until > now) {
        moveToEnd(kept, path, known);
        const length = parsed.get(path);
        if (length !== undefined) moveToEnd(parsed, path, length);
        return known.file;
      }
      const open = options.openText?.(path);
      if (open === undefined && !folders.has(path)) return undefined;
      const stamp = open === undefined ? stampOf(path, fileSystem) : `open ${open.version}`;
      if (stamp === undefined) return undefined;
      const file = known?.stamp === stamp ? known.file : read(path, open?.text);
      const length = file === known?.file ? parsed.get(path) : undefined;
      drop(path);
      if (length !== undefined) noteTree(path, length);
      kept.set(path, { file, stamp, until: now + rememberedMilliseconds });
      keptLength += file?.text.length ?? 0;
      while (kept.size > mostFiles || (keptLength > mostText && kept.size > 1)) drop(kept.keys().next().value ?? path);
      return file;
    },
    mayHold: (stem) =>
      [`${stem}.py`, stem].some((path) => folders.has(path)) ||
      [`${stem}.py`, `${stem}/__init__.py`].some((path) => options.openText?.(path) !== undefined),
    keptText: (path) => kept.get(path)?.file?.text,
    forget: drop,
    kept: () => kept.keys(),
  };

  function read(path: string, openText: string | undefined): SourceFile | undefined {
    try {
      return unread(path, openText ?? fileSystem.readFileSync(path, 'utf8'), new Map());
    } catch {
      // A file that vanished or may not be read is a file that is not there.
      return undefined;
    }
  }

  function unread(path: string, text: string, answers: NonNullable<SourceFile['answers']>): SourceFile {
    const file = unreadSourceFile(
      path,
      text,
      (source, section) => {
        // One that was dropped since is somebody else's to keep.
        const length = section === undefined ? source.length : section.end - section.start + (parsed.get(path) ?? 0);
        if (kept.get(path)?.file === file) noteTree(path, length);
        return parse(source, section);
      },
      options.workspaceOf(path),
      answers,
    );
    return file;
  }

  function noteTree(path: string, length: number): void {
    dropTree(path);
    parsed.set(path, length);
    parsedLength += length;
    while (parsedLength > mostParsedText && parsed.size > 1) {
      const [oldest] = parsed.keys();
      const known = oldest === undefined ? undefined : kept.get(oldest);
      if (oldest === undefined) return;
      dropTree(oldest);
      if (known?.file === undefined) continue;
      // The same file with its tree still to be made.
      const { text, answers } = known.file;
      kept.set(oldest, { ...known, file: unread(oldest, text, answers ?? new Map()) });
    }
  }
}

/** What was set last is last among a map's keys. */
function moveToEnd<Key, Value>(map: Map<Key, Value>, key: Key, value: Value): void {
  map.delete(key);
  map.set(key, value);
}

/** Undefined for what cannot be a source file: folders, links in a circle, very large files. */
function stampOf(path: string, { statSync }: FileSystem): string | undefined {
  try {
    const stat = statSync(path);
    return stat.isFile() && stat.size <= largestFollowedBytes ? `${stat.mtimeMs} ${stat.size}` : undefined;
  } catch {
    return undefined;
  }
}
