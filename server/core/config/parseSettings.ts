import { parseJson } from './json.ts';
import { type ParsedConfig, unreadable } from './parsedConfig.ts';
import { parseToml } from './toml.ts';
import { parseYaml } from './yaml.ts';

/** The parsers recurse, so a file of nothing but brackets ends in a RangeError; it is no configuration. */
export function parseSettings(text: string, format: 'json' | 'yaml' | 'toml'): ParsedConfig {
  try {
    return format === 'json' ? parseJson(text) : format === 'yaml' ? parseYaml(text) : parseToml(text);
  } catch {
    return unreadable(text);
  }
}
