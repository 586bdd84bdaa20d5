import { configFormatOf } from './configFile.ts';
import { parseSettings } from './parseSettings.ts';
import { isTooLarge } from './relevantConfig.ts';
import type { ConfigMapping } from './tree.ts';

/** The content of a JSON, YAML or TOML file of any kind. Undefined for what is none, too large, or no mapping. */
export function settingsTree(path: string, text: string): ConfigMapping | undefined {
  const format = configFormatOf(path);
  if (format === undefined || format === 'shell' || isTooLarge(text)) return undefined;
  const { root } = parseSettings(text, format);
  return root?.kind === 'mapping' ? root : undefined;
}
