import assert from 'node:assert/strict';
import { type ConfigFormat, configFile } from '../../server/core/config/configFile.ts';
import { type LintOptions, lint, lintConfig } from '../../server/core/lint/engine.ts';
import { isRelevant } from '../../server/core/lint/relevant.ts';
import type { Diagnostic, Rule } from '../../server/core/lint/rule.ts';
import type { Module } from '../../server/core/python/ast.ts';
import { allRules } from '../../server/core/rules/generated/registry.ts';
import { LineIndex } from '../../server/core/text/lineIndex.ts';
import type { Span } from '../../server/core/text/span.ts';
import { parseVersion, type Version } from '../../server/core/torch/version.ts';
import { sourceFile } from '../../server/core/workspace/sourceFile.ts';
import type { Workspace } from '../../server/core/workspace/workspace.ts';
import { parsePython } from './python.ts';

interface LintTextOptions {
  readonly rules?: readonly Rule[];
  readonly torch?: string;
  readonly versions?: Readonly<Record<string, string>>;
  readonly workspace?: Workspace;
}

/** Lints a text with the real parser; a rule that throws fails the test, and so does a finding where none would be looked for. */
export function lintText(text: string, options: LintTextOptions = {}): Diagnostic[] {
  const found = lintModule(parsePython(text), options);
  assert.ok(found.length === 0 || isRelevant(`${text}\n#${'-'.repeat(4_000)}`), `not judged to matter:\n${text}`);
  return found;
}

export const lintModule = (module: Module, options: LintTextOptions = {}): Diagnostic[] =>
  lint(sourceFile('test.py', module), lintOptions(options));

/** Lints a configuration or a shell script; a text that is none a rule knows has no findings. */
export function lintConfigText(text: string, format: ConfigFormat, options: LintTextOptions = {}): Diagnostic[] {
  const file = configFile(`test.${format}`, text, format);
  return file === undefined ? [] : lintConfig(file, lintOptions(options));
}

/** Stretches that the parser of a language could not make sense of. */
export const unreliableIn = (text: string, language: 'python' | ConfigFormat): readonly Span[] =>
  language === 'python' ? parsePython(text).unreliable : (configFile('test', text, language)?.unreliable ?? []);

function lintOptions({ rules = allRules, torch, versions: given, workspace }: LintTextOptions): LintOptions {
  const versions: Record<string, Version> = {};
  for (const [library, text] of Object.entries({ ...given, ...(torch !== undefined && { torch }) })) {
    const version = parseVersion(text);
    if (version !== undefined) versions[library] = version;
  }
  return {
    rules,
    versions,
    workspace,
    severities: {},
    onCrash(rule, error) {
      throw new Error(`${rule.code} threw`, { cause: error });
    },
  };
}

/** `line:column+length code` of a finding, line and column one-based. */
export function whereIs(text: string, { at, code }: Diagnostic): string {
  const { line, column } = new LineIndex(text).positionAt(at.start);
  return `${line + 1}:${column + 1}+${at.end - at.start} ${code}`;
}

export const codesIn = (text: string, torch?: string): string[] =>
  lintText(text, torch === undefined ? {} : { torch }).map(({ code }) => code);
