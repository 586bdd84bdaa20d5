import { type Dirent, statSync } from 'node:fs';
import { configFormatOf } from '../core/config/configFile.ts';
import { largestConfigBytes } from '../core/config/relevantConfig.ts';

/** Files that every project has and no trainer reads. */
const neverSettings =
  /^(\.|package(-lock)?\.json$|tsconfig.*\.json$|pyproject\.toml$|cargo\.toml$|mkdocs\.yml$|(pnpm|conda)-lock\.|tokenizer.*\.json$|vocab.*\.json$|.*\.index\.json$)/i;

/** A folder with more files of one format holds data. */
const mostOfOneFormat = 200;

/** Tells which files of a folder may be settings or scripts of a training, by name, number and size. No links. */
export function settingsAmong(entries: readonly Dirent[]): (entry: Dirent, file: string) => boolean {
  const counts = new Map<string, number>();
  for (const { name } of entries) {
    const format = configFormatOf(name);
    if (format !== undefined) counts.set(format, (counts.get(format) ?? 0) + 1);
  }
  return (entry, file) => {
    const format = configFormatOf(entry.name);
    if (format === undefined || (counts.get(format) ?? 0) > mostOfOneFormat) return false;
    if (!entry.isFile() || neverSettings.test(entry.name)) return false;
    try {
      return statSync(file).size <= largestConfigBytes;
    } catch {
      // A file that vanished just now is not worth a word.
      return false;
    }
  };
}
