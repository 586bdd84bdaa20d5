import { sourceFile } from '../../server/core/workspace/sourceFile.ts';
import type { SourceFile, Workspace } from '../../server/core/workspace/workspace.ts';
import { parsePython } from './python.ts';

/** A workspace from texts by path, rooted at the empty path's folder `/w`. */
export function workspaceOf(texts: Readonly<Record<string, string>>): Workspace {
  const files = new Map<string, SourceFile>();
  const workspace: Workspace = {
    roots: ['/w'],
    file(path) {
      const known = files.get(path);
      const text = path.startsWith('/w/') ? texts[path.slice(3)] : undefined;
      if (known !== undefined || text === undefined) return known;
      const file = sourceFile(path, parsePython(text), workspace);
      files.set(path, file);
      return file;
    },
    text: (path) => (path.startsWith('/w/') ? texts[path.slice(3)] : undefined),
  };
  return workspace;
}
