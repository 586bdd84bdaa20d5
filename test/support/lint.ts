import { type LintOptions, lint } from '../../server/core/lint/engine.ts';
import type { Diagnostic, Rule } from '../../server/core/lint/rule.ts';
import { allRules } from '../../server/core/rules/generated/registry.ts';
import { LineIndex } from '../../server/core/text/lineIndex.ts';
import { parseVersion, type Version } from '../../server/core/torch/version.ts';
import { sourceFile } from '../../server/core/workspace/workspace.ts';
import { parsePython } from './python.ts';

/** Lints a text with the real parser; a rule that throws fails the test. */
export function lintText(
  text: string,
  options: { rules?: readonly Rule[]; torch?: string; versions?: Readonly<Record<string, string>> } = {},
): Diagnostic[] {
  const named = { ...options.versions, ...(options.torch !== undefined && { torch: options.torch }) };
  const versions: Record<string, Version> = {};
  for (const [library, text] of Object.entries(named)) {
    const version = parseVersion(text);
    if (version !== undefined) versions[library] = version;
  }
  const lintOptions: LintOptions = {
    rules: options.rules ?? allRules,
    versions,
    severities: {},
    onCrash(rule, error) {
      throw new Error(`${rule.code} threw`, { cause: error });
    },
  };
  return lint(sourceFile('test.py', parsePython(text)), lintOptions);
}

/** `line:column+length code` of a finding, line and column one-based. */
export function whereIs(text: string, { at, code }: Diagnostic): string {
  const { line, column } = new LineIndex(text).positionAt(at.start);
  return `${line + 1}:${column + 1}+${at.end - at.start} ${code}`;
}

export const codesIn = (text: string, torch?: string): string[] =>
  lintText(text, torch === undefined ? {} : { torch }).map(({ code }) => code);
