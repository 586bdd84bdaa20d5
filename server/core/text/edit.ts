import type { Span } from './span.ts';

/** Replace `span` of the original text by `text`; an insertion has an empty span. */
export interface TextEdit {
  readonly span: Span;
  readonly text: string;
}

/**
 * Applies edits that all refer to the original text.
 * @throws RangeError when two edits overlap: that is a fault of the caller, never of the user's file.
 */
export function applyEdits(text: string, edits: readonly TextEdit[]): string {
  const sorted = [...edits].sort((a, b) => a.span.start - b.span.start || a.span.end - b.span.end);
  const pieces: string[] = [];
  let done = 0;
  for (const { span, text: replacement } of sorted) {
    if (span.start < done) throw new RangeError(`edits overlap at offset ${span.start}`);
    pieces.push(text.slice(done, span.start), replacement);
    done = span.end;
  }
  pieces.push(text.slice(done));
  return pieces.join('');
}
