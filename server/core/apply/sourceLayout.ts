import type { Module, Statement } from '../python/ast.ts';
import { partsOf, statementsOf } from '../python/walk.ts';
import type { TextEdit } from '../text/edit.ts';
import type { Span } from '../text/span.ts';

export const insertion = (at: number, text: string): TextEdit => ({ span: { start: at, end: at }, text });

export const replacement = ({ start, end }: Span, text: string): TextEdit => ({ span: { start, end }, text });

export const writtenIn = ({ text }: Module, { start, end }: Span): string => text.slice(start, end);

export const lineBreakOf = (text: string): string => (text.includes('\r\n') ? '\r\n' : '\n');

/** Where the line break begins. A comment's span may end between the two halves of one. */
export function endOfLine(text: string, from: number): number {
  let offset = text[from] === '\n' && text[from - 1] === '\r' ? from - 1 : from;
  while (offset < text.length && text[offset] !== '\n' && text[offset] !== '\r') offset++;
  return offset;
}

/** The white space a statement's line begins with; undefined where other code stands before it on the line. */
export function indentationOf(text: string, { start }: Span): string | undefined {
  const before = text.slice(Math.max(text.lastIndexOf('\n', start - 1), text.lastIndexOf('\r', start - 1)) + 1, start);
  return /^[ \t]*$/.test(before) ? before : undefined;
}

/** What one more level of indentation is in this block. */
export function indentUnitOf(text: string, { body }: { readonly body: readonly Span[] }, outer: string): string {
  const [first] = body;
  const inner = first === undefined ? undefined : indentationOf(text, first);
  return inner?.startsWith(outer) && inner.length > outer.length ? inner.slice(outer.length) : '    ';
}

/** The statement has its lines for itself: nothing but a comment follows it. */
export function standsAlone({ text }: Module, statement: Span): boolean {
  const rest = text.slice(statement.end, endOfLine(text, statement.end));
  return indentationOf(text, statement) !== undefined && /^[ \t]*(#.*)?$/.test(rest);
}

/** A line behind a statement, with its indentation; undefined where the statement shares its line. */
export function lineAfter(module: Module, statement: Span, lines: readonly string[]): TextEdit | undefined {
  const indentation = indentationOf(module.text, statement);
  if (indentation === undefined || !standsAlone(module, statement)) return undefined;
  const lineBreak = lineBreakOf(module.text);
  const text = lines.map((line) => `${lineBreak}${line === '' ? '' : indentation}${line}`).join('');
  return insertion(endOfLine(module.text, statement.end), text);
}

/** Takes a statement out with its line, or leaves `pass` where its block would be empty. */
export function removeStatement(module: Module, statement: Statement): TextEdit | undefined {
  const { text } = module;
  if (!standsAlone(module, statement)) return undefined;
  if (isOnlyOne(module, statement)) return replacement(statement, 'pass');
  const lineStart = statement.start - (indentationOf(text, statement) ?? '').length;
  const end = endOfLine(text, statement.end);
  const lineBreak = text.startsWith('\r\n', end) ? 2 : end < text.length ? 1 : 0;
  return replacement({ start: lineStart, end: end + lineBreak }, '');
}

function isOnlyOne({ body }: Module, statement: Statement): boolean {
  for (const outer of statementsOf(body)) {
    if (partsOf(outer).blocks.some((block) => block.length === 1 && block[0] === statement)) return true;
  }
  return false;
}
