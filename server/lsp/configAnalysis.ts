import type { TextDocument } from 'vscode-languageserver-textdocument';
import { type ConfigFormat, configFile, configFormatOf } from '../core/config/configFile.ts';
import { lintConfig } from '../core/lint/engine.ts';
import type { Diagnostic, Rule } from '../core/lint/rule.ts';
import { allRules } from '../core/rules/generated/registry.ts';
import type { Settings } from '../core/settings.ts';
import type { Surroundings } from '../disk/surroundings.ts';
import { pathOf } from './convert.ts';

export interface ConfigAnalyses {
  /** Undefined for a document that is no configuration of a library we know. */
  diagnostics(document: TextDocument, settings: Settings): readonly Diagnostic[] | undefined;
  forget(uri: string): void;
}

interface Known {
  readonly version: number;
  readonly settings: Settings;
  readonly diagnostics: readonly Diagnostic[] | undefined;
}

/** Findings in open configuration files and shell scripts, kept for the newest version of each. */
export function configAnalysesWith(
  surroundings: () => Surroundings | undefined,
  onCrash: (rule: Rule, error: unknown) => void,
): ConfigAnalyses {
  const newest = new Map<string, Known>();
  return {
    diagnostics(document, settings) {
      const { uri, version } = document;
      const known = newest.get(uri);
      if (known?.version === version && known.settings === settings) return known.diagnostics;
      const diagnostics = analyse(document, settings, surroundings(), onCrash);
      newest.set(uri, { version, settings, diagnostics });
      return diagnostics;
    },
    forget: (uri) => newest.delete(uri),
  };
}

const formats: Readonly<Record<string, ConfigFormat>> = {
  json: 'json',
  jsonc: 'json',
  yaml: 'yaml',
  toml: 'toml',
  shellscript: 'shell',
};

function analyse(
  document: TextDocument,
  settings: Settings,
  around: Surroundings | undefined,
  onCrash: (rule: Rule, error: unknown) => void,
): readonly Diagnostic[] | undefined {
  const path = pathOf(document.uri);
  // Many editors know no TOML and call it plain text; the name's ending still says it.
  const format = formats[document.languageId] ?? configFormatOf(path);
  const file = format === undefined ? undefined : configFile(path, document.getText(), format);
  if (file === undefined) return undefined;
  if (!settings.lintEnabled) return [];
  const { severities } = settings;
  const versions = around?.versionsFor(path) ?? {};
  return lintConfig(file, { rules: allRules, versions, workspace: around?.workspaceOf(path), severities, onCrash });
}
