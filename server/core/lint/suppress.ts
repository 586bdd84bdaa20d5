import type { Comment } from '../python/ast.ts';
import { oncePer } from '../python/oncePer.ts';
import type { LineIndex } from '../text/lineIndex.ts';
import type { Span } from '../text/span.ts';
import type { Diagnostic } from './rule.ts';

/** A comment that asks for silence on its line, or in its whole file. */
export interface Suppression {
  readonly wholeFile: boolean;
  /** Codes or rule names as written, in any case; undefined silences everything. */
  readonly rules: readonly AskedRule[] | undefined;
  /** `noqa` is also other tools' word. */
  readonly isOwn: boolean;
  /** The asking part of the comment from its `#` on: `# checkpoint-lens: ignore[AC101]`. */
  readonly span: Span;
  readonly comment: Comment;
}

export interface AskedRule {
  readonly name: string;
  readonly span: Span;
}

// A colon without a code behind it is one still being typed, and silences nothing.
const noqa = /#\s*noqa(?![\w-])(?:\s*:\s*(?<codes>[a-z]+\d+(?:[\s,]+[a-z]+\d+)*)|(?!\s*:))/di;
const ownIgnore = /#\s*checkpoint-lens:\s*(?<what>ignore-file|ignore)\b(?:\[(?<codes>[^\]]*)\])?/di;

/** A cheap look, at a whole text or at one comment. */
export const mayAskForSilence = (text: string): boolean => /noqa|checkpoint-lens:/i.test(text);

export function suppressionsOf(comments: readonly Comment[]): Suppression[] {
  return comments.filter(asksForSilence).flatMap((comment) =>
    [ownIgnore, noqa].flatMap((pattern) => {
      const match = pattern.exec(comment.text);
      if (match === null) return [];
      const start = placeIn(comment, match.index);
      return [
        {
          wholeFile: match.groups?.what?.toLowerCase() === 'ignore-file',
          rules: askedRules(match, comment),
          isOwn: pattern === ownIgnore,
          span: { start, end: placeIn(comment, match.index + match[0].length) },
          comment,
        },
      ];
    }),
  );
}

/** Of a document that is edited most comments stay as they are. */
const asksForSilence = oncePer(({ text }: Comment) => mayAskForSilence(text));

/** A comment counts on the line of the finding, and on the first and last line of the call it is about. */
export function silences(
  { comment, wholeFile, rules }: Suppression,
  diagnostic: Diagnostic,
  lines: LineIndex,
): boolean {
  const { at, about } = diagnostic;
  const line = lines.lineAt(comment.start);
  const isHere =
    wholeFile ||
    [at.start, about.start, Math.max(about.start, about.end - 1)].some((one) => lines.lineAt(one) === line);
  return isHere && (rules === undefined || rules.some((asked) => asksFor(asked, diagnostic)));
}

export const asksFor = ({ name }: AskedRule, rule: { readonly code: string; readonly name: string }): boolean =>
  name.toLowerCase() === rule.code.toLowerCase() || name.toLowerCase() === rule.name;

function askedRules(match: RegExpExecArray, comment: Comment): readonly AskedRule[] | undefined {
  const codes = match.groups?.codes;
  const [start] = match.indices?.groups?.codes ?? [];
  if (codes === undefined || start === undefined) return undefined;
  return Array.from(codes.matchAll(/[^\s,]+/g), ({ 0: name, index }) => {
    const from = placeIn(comment, start + index);
    return { name, span: { start: from, end: from + name.length } };
  });
}

/** Where a place of a comment's text stands in its file: some languages begin a comment with more than one `#`. */
const placeIn = ({ start, end, text }: Comment, index: number): number =>
  index === 0 ? start : end - (text.length - index);
