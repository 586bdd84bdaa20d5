import { type FileSystemWatcher, WatchKind } from 'vscode-languageserver';

/**
 * Files whose changes on disk the client is asked to tell: code, settings and what says which versions are used. Of what is
 * removed everything: a folder that goes may take files along that nobody names.
 */
export const watchedFiles: readonly FileSystemWatcher[] = [
  { globPattern: '**/*.{py,json,jsonc,yaml,yml,toml,sh,bash}' },
  { globPattern: '**/{uv,poetry}.lock' },
  { globPattern: '**/requirements*.txt' },
  { globPattern: '**/site-packages/*.dist-info/METADATA' },
  { globPattern: '**/*', kind: WatchKind.Delete },
];
