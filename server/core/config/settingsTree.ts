import { configFormatOf } from './configFile.ts';
import { parseSettings } from './parseSettings.ts';
import { isTooLarge } from './relevantConfig.ts';
import type { ConfigMapping } from './tree.ts';

/** The content of a JSON, YAML or TOML file of any kind. Undefined for what is none, too large, or no mapping. */
export function settingsTree(path: string, text: string): ConfigMapping | undefined {
  // DeepSpeed's and Accelerate's files are also called `.conf`; YAML is read as it stands, JSON as the YAML that it is.
  const format = path.endsWith('.conf') ? 'yaml' : configFormatOf(path);
  if (format === undefined || format === 'shell') return undefined;
  const settings = isTooLarge(text) && format === 'yaml' ? withoutLongLists(text) : text;
  if (isTooLarge(settings.replace(/^ +$/gm, ''))) return undefined;
  const { root } = parseSettings(settings, format);
  return root?.kind === 'mapping' ? root : undefined;
}

/** A thousand names of data files say nothing about a training: they become blanks, so that all offsets stay what they were. */
const withoutLongLists = (text: string): string =>
  text.replace(/(?:^[ \t]*- [^\n]*\n){40,}/gm, (lines) => lines.replace(/[^\n]/g, ' '));
