/** A half-open range of a text, in UTF-16 code units from its beginning (what VS Code, LSP and tree-sitter count in). */
export interface Span {
  readonly start: number;
  readonly end: number;
}

export const spanOf = (start: number, end: number): Span => ({ start, end });

export const overlaps = (a: Span, b: Span): boolean => a.start < b.end && b.start < a.end;

/** True where `inner` lies wholly in `outer`; a span contains itself. */
export const contains = (outer: Span, inner: Span): boolean => outer.start <= inner.start && inner.end <= outer.end;
