import { configFormatOf } from '../core/config/configFile.ts';
import { largestConfigBytes } from '../core/config/relevantConfig.ts';
import type { FileSystem } from './fileSystem.ts';

/** The text of a configuration file that code names; undefined for anything else, however it is named. */
export function configText(path: string, { readFileSync, statSync }: FileSystem): string | undefined {
  if (configFormatOf(path) === undefined) return undefined;
  try {
    const stat = statSync(path);
    return stat.isFile() && stat.size <= largestConfigBytes ? readFileSync(path, 'utf8') : undefined;
  } catch {
    return undefined;
  }
}
