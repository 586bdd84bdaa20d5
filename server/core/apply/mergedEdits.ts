import type { TextEdit } from '../text/edit.ts';

/** Edits that are nearer to each other than this are read as one change. In UTF-16 units. */
const nearest = 400;

/**
 * Edits of one statement as one edit, so that a preview shows `x = checkpoint(block, x, …)` whole and nobody can accept half
 * of it. An empty line keeps edits apart.
 */
export function mergedEdits(text: string, edits: readonly TextEdit[]): TextEdit[] {
  const sorted = edits.toSorted((a, b) => a.span.start - b.span.start || a.span.end - b.span.end);
  const merged: TextEdit[] = [];
  for (const edit of sorted) {
    const last = merged.at(-1);
    const between = last === undefined ? undefined : text.slice(last.span.end, edit.span.start);
    if (last === undefined || between === undefined || between.length > nearest || /\n\s*\n/.test(between)) {
      merged.push(edit);
      continue;
    }
    const span = { start: last.span.start, end: edit.span.end };
    merged.splice(-1, 1, { span, text: `${last.text}${between}${edit.text}` });
  }
  return merged;
}
