import * as vscode from 'vscode';
import { isRelevantConfig } from '../server/core/config/relevantConfig.ts';

/** Structurally what VS Code and the language client both take as one. */
export interface DocumentFilter {
  readonly scheme: string;
  readonly language?: string;
  readonly pattern?: string;
}

/**
 * Where the user's own files are: on disk, and wherever the folders of the workspace come from (`vscode-vfs` for a repository
 * that is open without a clone). Other schemes are older versions in a diff, or output.
 */
const fileSchemes = (): readonly string[] => [
  ...new Set(['file', ...(vscode.workspace.workspaceFolders ?? []).map(({ uri }) => uri.scheme)]),
];

export const pythonDocuments = (): DocumentFilter[] => [
  ...fileSchemes().map((scheme) => ({ scheme, language: 'python' })),
  { scheme: 'untitled', language: 'python' },
  // The server asks for whole notebooks; this is what lets it answer for their cells.
  { scheme: 'vscode-notebook-cell', language: 'python' },
];

const configurationLanguages = ['json', 'jsonc', 'yaml', 'shellscript', 'toml'];

/** Settings of training libraries and the scripts that start them. TOML by its name: editors know no such language. */
export const configurationDocuments = (): DocumentFilter[] =>
  fileSchemes().flatMap((scheme) => [
    ...configurationLanguages.map((language) => ({ scheme, language })),
    { scheme, pattern: '**/*.toml' },
  ]);

/**
 * Whether there may be something to say about a document. Settings files are everywhere: only one that names what our rules
 * are about is worth a server.
 */
export function needsServer(document: vscode.TextDocument): boolean {
  const { languageId, uri } = document;
  if (pythonDocuments().some(({ scheme, language }) => scheme === uri.scheme && language === languageId)) return true;
  return mayDescribeRun(document) && isRelevantConfig(document.getText());
}

/** Whether it is a settings file or a launch script, whatever it is about. */
export const mayDescribeRun = ({ languageId, uri }: vscode.TextDocument): boolean =>
  fileSchemes().includes(uri.scheme) && (configurationLanguages.includes(languageId) || uri.path.endsWith('.toml'));
