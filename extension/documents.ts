import type * as vscode from 'vscode';
import { isRelevantConfig } from '../server/core/config/relevantConfig.ts';

export const pythonDocuments = [
  { scheme: 'file', language: 'python' },
  { scheme: 'untitled', language: 'python' },
  // The server asks for whole notebooks; this is what lets it answer for their cells.
  { scheme: 'vscode-notebook-cell', language: 'python' },
];

const configurationLanguages = ['json', 'jsonc', 'yaml', 'shellscript', 'toml'];

/** Settings of training libraries and the scripts that start them. TOML by its name: editors know no such language. */
export const configurationDocuments = [
  ...configurationLanguages.map((language) => ({ scheme: 'file', language })),
  { scheme: 'file', pattern: '**/*.toml' },
];

/**
 * Whether there may be something to say about a document. Settings files are everywhere: only one that names what our rules
 * are about is worth a server.
 */
export function needsServer(document: vscode.TextDocument): boolean {
  const { languageId, uri } = document;
  if (pythonDocuments.some(({ scheme, language }) => scheme === uri.scheme && language === languageId)) return true;
  if (uri.scheme !== 'file') return false;
  if (!configurationLanguages.includes(languageId) && !uri.path.endsWith('.toml')) return false;
  return isRelevantConfig(document.getText());
}
