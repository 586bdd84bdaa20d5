import type { Comment } from '../python/ast.ts';
import type { LineIndex } from '../text/lineIndex.ts';
import type { Diagnostic } from './rule.ts';

/** A comment that asks for silence on its line, or in its whole file. */
export interface Suppression {
  readonly line: number;
  readonly wholeFile: boolean;
  /** Codes or rule names, lower case; undefined silences everything. */
  readonly rules: ReadonlySet<string> | undefined;
}

// A colon without a code behind it is one still being typed, and silences nothing.
const noqa = /#\s*noqa(?![\w-])(?:\s*:\s*(?<codes>[a-z]+\d+(?:[\s,]+[a-z]+\d+)*)|(?!\s*:))/i;
const ownIgnore = /#\s*checkpoint-lens:\s*(?<what>ignore-file|ignore)\b(?:\[(?<codes>[^\]]*)\])?/i;

export function suppressionsOf(comments: readonly Comment[], lines: LineIndex): Suppression[] {
  return comments.flatMap((comment) => {
    const line = lines.lineAt(comment.start);
    const own = ownIgnore.exec(comment.text)?.groups;
    const plain = noqa.exec(comment.text)?.groups;
    return [
      ...(own === undefined
        ? []
        : [{ line, wholeFile: own.what?.toLowerCase() === 'ignore-file', rules: ruleSet(own.codes) }]),
      ...(plain === undefined ? [] : [{ line, wholeFile: false, rules: ruleSet(plain.codes) }]),
    ];
  });
}

/** A comment counts on the line of the finding, and on the first and last line of the call it is about. */
export function isSuppressed(diagnostic: Diagnostic, suppressions: readonly Suppression[], lines: LineIndex): boolean {
  if (suppressions.length === 0) return false;
  const { at, about } = diagnostic;
  const counting = [
    lines.lineAt(at.start),
    lines.lineAt(about.start),
    lines.lineAt(Math.max(about.start, about.end - 1)),
  ];
  return suppressions.some(
    ({ line, wholeFile, rules }) =>
      (wholeFile || counting.includes(line)) &&
      (rules === undefined || rules.has(diagnostic.code.toLowerCase()) || rules.has(diagnostic.name)),
  );
}

function ruleSet(codes: string | undefined): ReadonlySet<string> | undefined {
  if (codes === undefined) return undefined;
  return new Set(
    codes
      .toLowerCase()
      .split(/[\s,]+/)
      .filter((code) => code !== ''),
  );
}
