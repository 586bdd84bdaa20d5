import * as vscode from 'vscode';

/**
 * The server thinks in files on a disk. Folders of the workspace that come from elsewhere are shown to it as if they were on
 * one, below a folder for where they come from: `vscode-vfs://github/owner/name/train.py` is
 * `file:///vscode-vfs/github/owner/name/train.py` there. Everything else it is told as it is.
 */
export function toServer(uri: vscode.Uri): string {
  if (!mappedSchemes().includes(uri.scheme)) return uri.toString();
  const authority = uri.authority === '' ? noAuthority : encodeURIComponent(uri.authority);
  return uri.with({ scheme: 'file', authority: '', path: `/${uri.scheme}/${authority}${uri.path}` }).toString();
}

export function fromServer(text: string): vscode.Uri {
  const uri = vscode.Uri.parse(text);
  if (uri.scheme !== 'file') return uri;
  const [, scheme = '', authority = '', path = ''] = /^\/([^/]+)\/([^/]+)(\/.*)?$/.exec(uri.path) ?? [];
  if (!mappedSchemes().includes(scheme)) return uri;
  return uri.with({ scheme, authority: authority === noAuthority ? '' : decodeURIComponent(authority), path });
}

/** A path cannot have an empty folder in it. */
const noAuthority = '-';

const mappedSchemes = (): readonly string[] =>
  (vscode.workspace.workspaceFolders ?? []).map(({ uri }) => uri.scheme).filter((scheme) => scheme !== 'file');
