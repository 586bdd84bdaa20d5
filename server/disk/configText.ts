import { readFileSync, statSync } from 'node:fs';
import { configFormatOf, largestConfigText } from '../core/config/configFile.ts';

/** The text of a configuration file that code names; undefined for anything else, however it is named. */
export function configText(path: string): string | undefined {
  if (configFormatOf(path) === undefined) return undefined;
  try {
    const stat = statSync(path);
    // A byte is at most one UTF-16 unit in ASCII, which settings are written in; three only in other scripts.
    return stat.isFile() && stat.size <= 3 * largestConfigText ? readFileSync(path, 'utf8') : undefined;
  } catch {
    return undefined;
  }
}
