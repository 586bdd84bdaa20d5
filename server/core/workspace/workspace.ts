import type { Module } from '../python/ast.ts';
import type { Names, Resolution } from '../python/names.ts';

/** One Python file of the user's workspace, as plain data. */
export interface SourceFile {
  /** As its owner names it: a file path, or a URI's path. Always with `/`. */
  readonly path: string;
  readonly text: string;
  readonly module: Module;
  readonly names: Names;
  /** What names of this file stand for elsewhere, kept by whoever keeps the file even where its tree is let go. */
  readonly answers?: Map<string, Resolution | undefined>;
  /** `names.follow` of a file that need not be parsed for it. */
  follow?(qualified: string): Resolution;
  /**
   * Answers a question about a name of this module from a file with no more of its statements than the answer takes. They are
   * not those of `module`, though they say the same. Absent where that saves nothing.
   */
  inPart?<Answer>(name: string, ask: (part: SourceFile) => Answer): Answer;
}

/**
 * The files around the one being looked at. The core asks by path and never reads anything itself; whoever implements this
 * decides where texts come from, keeps a bounded number of parsed files, and answers undefined for what is not there.
 */
export interface Workspace {
  /** Folders from which absolute imports are looked up, nearest first (the workspace folder, its `src`). */
  readonly roots: readonly string[];
  file(path: string): SourceFile | undefined;
  /**
   * False where there is neither a module nor a package at this path without an ending: most names belong to libraries, and
   * then there is no need to ask for each of their parts. Absent where that is not known.
   */
  mayHold?(stem: string): boolean;
  /** The text of a file that is not Python: a configuration that code names. Absent where none can be read. */
  text?(path: string): string | undefined;
  /** Names of the files and folders in a folder. Absent where folders cannot be looked into. */
  names?(folder: string): readonly string[];
}
