import * as vscode from 'vscode';
import type { ReadFilesParams, ReadFilesResult } from '../../server/protocol.ts';
import { fromServer } from './serverUris.ts';

/** Larger files are data, not code or settings. In bytes. */
const largestFile = 1_000_000;

/** What the server cannot read itself, in the order in which it asks. */
export const readFiles = ({ uris }: ReadFilesParams): Promise<ReadFilesResult> =>
  Promise.all(uris.map((uri) => read(fromServer(uri))));

async function read(uri: vscode.Uri): Promise<ReadFilesResult[number]> {
  const { fs } = vscode.workspace;
  try {
    const { type, size } = await fs.stat(uri);
    if (isFolder(type)) {
      const entries = await fs.readDirectory(uri);
      return { entries: entries.map(([name, kind]) => ({ name, isFolder: isFolder(kind) })) };
    }
    // File systems of remote repositories may not know a size without the content, and then say 0.
    if (size > largestFile) return null;
    const bytes = await fs.readFile(uri);
    return bytes.byteLength > largestFile ? null : { text: new TextDecoder().decode(bytes) };
  } catch {
    // A file that vanished or may not be read is a file that is not there.
    return null;
  }
}

/** A symbolic link to a folder is one too, so this is a bit and not a value. */
const isFolder = (type: vscode.FileType): boolean => (type & vscode.FileType.Directory) !== 0;
