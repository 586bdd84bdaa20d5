import * as vscode from 'vscode';

/** Files that only an extension can read, as those of a repository on vscode.dev are: in memory, fetched when the page opens. */
export async function activate(context: vscode.ExtensionContext): Promise<void> {
  const response = await fetch(context.extensionUri.with({ path: '/workspace.json' }).toString(true));
  const texts = (await response.json()) as Record<string, string>;
  const files = new Map<string, Uint8Array>();
  for (const [name, text] of Object.entries(texts)) files.set(`${folder}/${name}`, new TextEncoder().encode(text));
  context.subscriptions.push(
    vscode.workspace.registerFileSystemProvider('lens-remote', inMemory(files)),
    // VS Code's own comes from npm without its part for browsers. What is read and written does not matter here.
    vscode.workspace.registerNotebookSerializer('jupyter-notebook', {
      deserializeNotebook: () => new vscode.NotebookData([]),
      serializeNotebook: () => new Uint8Array(),
    }),
  );
}

const folder = '/someone/demo';

function inMemory(files: Map<string, Uint8Array>): vscode.FileSystemProvider {
  const changed = new vscode.EventEmitter<vscode.FileChangeEvent[]>();
  const tell = (uri: vscode.Uri, type: vscode.FileChangeType) => changed.fire([{ uri, type }]);
  const isFolder = (path: string) => [...files.keys()].some((file) => file.startsWith(`${path}/`));
  let time = 1;
  return {
    onDidChangeFile: changed.event,
    watch: () => new vscode.Disposable(() => undefined),
    stat(uri) {
      const file = files.get(uri.path);
      if (file === undefined && !isFolder(uri.path)) throw vscode.FileSystemError.FileNotFound(uri);
      const type = file === undefined ? vscode.FileType.Directory : vscode.FileType.File;
      return { type, ctime: 0, mtime: time, size: file?.byteLength ?? 0 };
    },
    readDirectory(uri) {
      const found = new Map<string, vscode.FileType>();
      for (const file of files.keys()) {
        if (!file.startsWith(`${uri.path}/`)) continue;
        const [name = '', below] = file.slice(uri.path.length + 1).split('/');
        found.set(name, below === undefined ? vscode.FileType.File : vscode.FileType.Directory);
      }
      return [...found];
    },
    readFile(uri) {
      const file = files.get(uri.path);
      if (file === undefined) throw vscode.FileSystemError.FileNotFound(uri);
      return file;
    },
    writeFile(uri, content) {
      const type = files.has(uri.path) ? vscode.FileChangeType.Changed : vscode.FileChangeType.Created;
      files.set(uri.path, content);
      time++;
      tell(uri, type);
    },
    delete(uri) {
      files.delete(uri.path);
      tell(uri, vscode.FileChangeType.Deleted);
    },
    createDirectory: () => undefined,
    rename: () => {
      throw vscode.FileSystemError.NoPermissions('nothing is renamed here');
    },
  };
}
