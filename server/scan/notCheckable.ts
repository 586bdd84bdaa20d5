import { configFormatOf } from '../core/config/configFile.ts';
import { largestConfigBytes } from '../core/config/relevantConfig.ts';
import { isNotebook, largestNotebookBytes } from './checkNotebook.ts';
import { isBinary, largestSourceBytes } from './pythonSource.ts';

/** Why nothing can be said about a file, in plain words; undefined where something can. */
export function whyNotChecked(path: string, bytes: Uint8Array): string | undefined {
  const largest = isNotebook(path)
    ? largestNotebookBytes
    : configFormatOf(path) === undefined
      ? largestSourceBytes
      : largestConfigBytes;
  if (bytes.byteLength > largest) return `not checked: larger than ${largest / 1e6} MB`;
  // JSON with NUL bytes is broken, and a broken notebook says so itself.
  return isBinary(bytes) && !isNotebook(path)
    ? 'not checked: it has NUL bytes, as a binary file has or UTF-16 without its mark'
    : undefined;
}
