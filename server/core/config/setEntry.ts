import type { TextEdit } from '../text/edit.ts';
import type { ConfigEntry, ConfigMapping } from './tree.ts';

/**
 * Gives a key of a mapping another value, or adds it behind the last entry in the mapping's own layout. `literal` is the
 * value as the format writes it. Undefined where the place belongs to others, too, or has no pattern to follow.
 */
export function setEntry(text: string, mapping: ConfigMapping, key: string, literal: string): TextEdit[] | undefined {
  const known = mapping.entries.findLast((entry) => entry.key === key);
  if (known !== undefined) return replaceValue(known, literal);
  const last = mapping.entries.at(-1);
  if (last === undefined || last.shared) return undefined;
  const indentation = indentationBefore(text, last.start);
  if (mapping.layout === 'block') {
    if (indentation === undefined) return undefined;
    const end = endOfLine(text, last.end);
    return [insertion(end, `${lineBreakIn(text)}${indentation}${key}: ${literal}`)];
  }
  const quote = /["']/.exec(text[last.keyAt.start] ?? '')?.[0] ?? '';
  const entry = `${quote}${key}${quote}: ${literal}`;
  const comma = /^\s*,/.exec(text.slice(last.end, mapping.end))?.[0].length ?? 0;
  if (indentation === undefined) return [insertion(last.end, `, ${entry}`)];
  const line = `${lineBreakIn(text)}${indentation}${entry}`;
  if (comma > 0) return [insertion(endOfLine(text, last.end + comma), `${line},`)];
  const end = endOfLine(text, last.end);
  // A comment may stand behind the last entry: the comma belongs before it.
  return end >= mapping.end || end === last.end
    ? [insertion(last.end, `,${line}`)]
    : [insertion(last.end, ','), insertion(end, line)];
}

/** Puts another value in the place of the one an entry has; an empty one begins right behind the colon. */
export function replaceValue({ value, shared }: ConfigEntry, literal: string): TextEdit[] | undefined {
  if (shared) return undefined;
  const { start, end } = value;
  if (start < end) return [{ span: { start, end }, text: literal }];
  return undefined;
}

/** Takes the lines of an entry out of a block; undefined where other things stand on them. */
export function removeLines(text: string, { start, end, shared }: ConfigEntry): TextEdit[] | undefined {
  const indentation = indentationBefore(text, start);
  if (shared || indentation === undefined) return undefined;
  const from = start - indentation.length;
  const until = endOfLine(text, end);
  const lineBreak = /^\r?\n/.exec(text.slice(until, until + 2))?.[0].length ?? 0;
  return [{ span: { start: from, end: until + lineBreak }, text: '' }];
}

const insertion = (at: number, text: string): TextEdit => ({ span: { start: at, end: at }, text });

function endOfLine(text: string, from: number): number {
  let offset = from;
  while (offset < text.length && text[offset] !== '\n' && text[offset] !== '\r') offset++;
  return offset;
}

const lineBreakIn = (text: string): string => (text.includes('\r\n') ? '\r\n' : '\n');

/** The white space before `offset`, where nothing else stands before it on its line. */
function indentationBefore(text: string, offset: number): string | undefined {
  const lineStart = text.lastIndexOf('\n', offset - 1) + 1;
  const before = text.slice(lineStart, offset);
  return /^[ \t]*$/.test(before) ? before : undefined;
}
