import type { TextEdit } from '../text/edit.ts';
import type { AskedRule, Suppression } from './suppress.ts';

/**
 * Takes rules out of a comment that asks for silence; the whole asking part with its reason where none is left; the comment
 * where it says nothing else; and its line where nothing else stands there.
 */
export function removeSuppression(text: string, suppression: Suppression, unwanted: readonly AskedRule[]): TextEdit[] {
  const { rules, comment } = suppression;
  const kept = rules?.filter((asked) => !unwanted.includes(asked)) ?? [];
  const [first] = rules ?? [];
  const last = rules?.at(-1);
  if (kept.length > 0 && first !== undefined && last !== undefined) {
    const names = kept.map(({ name }) => name).join(', ');
    return [{ span: { start: first.span.start, end: last.span.end }, text: names }];
  }
  const { start } = suppression.span;
  const next = text.slice(suppression.span.end, comment.end).indexOf('#');
  const end = next < 0 ? comment.end : suppression.span.end + next;
  if (next >= 0) return [{ span: { start, end }, text: '' }];
  return [{ span: widened(text, start, end), text: '' }];
}

/** With the blanks before it, and with the line break behind it where it has its line for itself. */
function widened(text: string, start: number, end: number): { readonly start: number; readonly end: number } {
  let from = start;
  while (text[from - 1] === ' ' || text[from - 1] === '\t') from--;
  const hasOwnLine = from === 0 || text[from - 1] === '\n' || text[from - 1] === '\r';
  if (!hasOwnLine) return { start: from, end };
  if (text.startsWith('\r\n', end)) return { start: from, end: end + 2 };
  return { start: from, end: end < text.length ? end + 1 : end };
}
