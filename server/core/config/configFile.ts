import type { Comment } from '../python/ast.ts';
import type { Span } from '../text/span.ts';
import type { FlagList } from './flags.ts';
import { type ConfigKind, kindOf } from './kind.ts';
import { parseSettings } from './parseSettings.ts';
import { isRelevantConfig } from './relevantConfig.ts';
import { parseShell } from './shell.ts';
import { flagListsOf } from './shellFlags.ts';
import type { ConfigMapping } from './tree.ts';

export type ConfigFormat = 'json' | 'yaml' | 'toml' | 'shell';

/** A configuration file of a library we know, or a shell script, as plain data. */
export type ConfigFile = SettingsFile | ScriptFile;

interface ConfigText {
  /** As its owner names it, always with `/`. */
  readonly path: string;
  readonly text: string;
  readonly unreliable: readonly Span[];
  /** With `#` in front, whatever the format writes there. */
  readonly comments: () => readonly Comment[];
}

export interface SettingsFile extends ConfigText {
  readonly format: 'json' | 'yaml' | 'toml';
  readonly kind: ConfigKind;
  readonly root: ConfigMapping;
}

export interface ScriptFile extends ConfigText {
  readonly format: 'shell';
  readonly kind: 'shell';
  readonly flags: readonly FlagList[];
}

const formats: Readonly<Record<string, ConfigFormat>> = {
  json: 'json',
  jsonc: 'json',
  yaml: 'yaml',
  yml: 'yaml',
  toml: 'toml',
  sh: 'shell',
  bash: 'shell',
};

/** By a name's ending. */
export function configFormatOf(path: string): ConfigFormat | undefined {
  const ending = /\.(\w+)$/.exec(path)?.[1]?.toLowerCase() ?? '';
  return Object.hasOwn(formats, ending) ? formats[ending] : undefined;
}

/** Undefined for what is no configuration of a known library, or not readable as one. Never throws. */
export function configFile(path: string, text: string, format: ConfigFormat): ConfigFile | undefined {
  if (!isRelevantConfig(text)) return undefined;
  if (format === 'shell') {
    const script = parseShell(text);
    const flags = flagListsOf(script);
    if (flags.length === 0) return undefined;
    return { path, text, format, kind: 'shell', flags, unreliable: [], comments: () => script.comments };
  }
  const { root, unreliable, comments } = parseSettings(text, format);
  if (root?.kind !== 'mapping') return undefined;
  const kind = kindOf(root);
  return kind === undefined ? undefined : { path, text, format, kind, root, unreliable, comments };
}
