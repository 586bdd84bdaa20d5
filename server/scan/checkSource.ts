import { configFile, configFormatOf } from '../core/config/configFile.ts';
import { type LintOptions, lint, lintConfig } from '../core/lint/engine.ts';
import { fixAll, preferredFix } from '../core/lint/fixAll.ts';
import type { Diagnostic, Rule } from '../core/lint/rule.ts';
import type { CheckedFile } from '../core/report/checkedFile.ts';
import type { Span } from '../core/text/span.ts';
import { sourceFile } from '../core/workspace/sourceFile.ts';
import { absolutePath } from './absolutePath.ts';
import type { PythonSource } from './pythonSource.ts';
import type { Tools } from './tools.ts';

/** Text and findings, and for a notebook the findings by cell. */
export type Checked = Pick<CheckedFile, 'text' | 'diagnostics' | 'notebook'>;

export interface SourceResult extends Checked {
  /** Undefined where nothing was to be fixed, or could be. */
  readonly fixed: FixedSource | undefined;
  /** Why fixes that exist were not made. */
  readonly notFixed: string | undefined;
}

/** The fixed text with what is left. */
export interface FixedSource extends Checked {
  /** The code of each finding that is gone. */
  readonly codes: readonly string[];
}

export const wouldNotParse = 'the fixed code would not parse, a fault of Checkpoint Lens';

export type LintRequest = Pick<LintOptions, 'rules' | 'isNarrowed' | 'versions' | 'severities' | 'onCrash'>;

/** Lints one source and, where asked to, works out its fixed text; writing it is the caller's. */
export function checkSource(
  path: string,
  source: PythonSource,
  tools: Tools,
  request: LintRequest,
  fix: boolean,
): SourceResult {
  const { check, unreliable } = checkerFor(path, tools, request);
  const { text, damage } = source;
  const diagnostics = check(text);
  const result = { text, diagnostics, fixed: undefined, notFixed: undefined };
  if (!fix || !diagnostics.some(preferredFix)) return result;
  if (damage !== undefined) return { ...result, notFixed: damage };
  const fixed = fixAll(text, check).text;
  if (fixed === text) return result;
  // A fix that breaks the code is a fault of ours, and the person's file is not the place to find out.
  if (unreliable(fixed).length > unreliable(text).length) {
    return { ...result, notFixed: wouldNotParse };
  }
  const left = check(fixed);
  return { ...result, fixed: { text: fixed, diagnostics: left, codes: codesGone(diagnostics, left) } };
}

interface Checker {
  check(text: string): readonly Diagnostic[];
  /** Stretches that cannot be read. */
  unreliable(text: string): readonly Span[];
}

/** By the name's ending a configuration or a shell script, otherwise Python. */
function checkerFor(path: string, tools: Tools, request: LintRequest): Checker {
  const { parse } = tools;
  const { file, options } = lintOptionsFor(path, tools, request);
  const format = configFormatOf(path);
  if (format === undefined) {
    return {
      check: (text) => lint(sourceFile(file, parse(text), options.workspace), options),
      unreliable: (text) => parse(text).unreliable,
    };
  }
  return {
    check(text) {
      const config = configFile(file, text, format);
      return config === undefined ? [] : lintConfig(config, options);
    },
    unreliable: (text) => configFile(file, text, format)?.unreliable ?? [],
  };
}

/** The absolute path of a file, and everything that is known around it. */
export function lintOptionsFor(
  path: string,
  { surroundings }: Tools,
  request: LintRequest,
): { readonly file: string; readonly options: LintOptions } {
  const file = absolutePath(path);
  const workspace = surroundings.workspaceOf(file);
  const versions = { ...surroundings.versionsFor(file), ...request.versions };
  return { file, options: { ...request, versions, workspace } };
}

/** The code of each finding that was there before and is no more. */
export function codesGone(before: readonly Diagnostic[], after: readonly Diagnostic[]): string[] {
  const left = after.map(({ code }) => code);
  return before.flatMap(({ code }) => {
    const index = left.indexOf(code);
    if (index < 0) return [code];
    left.splice(index, 1);
    return [];
  });
}

/** Says once per rule that it failed, however many files make it fail. */
export function crashReporter(say: (line: string) => void): (rule: Rule, error: unknown) => void {
  const said = new Set<string>();
  return ({ code }, error) => {
    if (said.has(code)) return;
    said.add(code);
    say(
      `${code} failed, a fault of Checkpoint Lens, and its findings may be incomplete; the other rules go on (${error})`,
    );
  };
}
