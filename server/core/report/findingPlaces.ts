import type { Diagnostic } from '../lint/rule.ts';
import { inCell } from '../notebook/joinCells.ts';
import { LineIndex } from '../text/lineIndex.ts';
import type { Span } from '../text/span.ts';
import { type CheckedFile, type Region, regionOf } from './checkedFile.ts';

/** A file's findings as a person looks for them: in a notebook that is by cell. */
export interface ShownFile {
  readonly diagnostics: readonly Diagnostic[];
  place(span: Span): ShownPlace;
}

export interface ShownPlace extends Region {
  /** One-based among all cells; undefined outside notebooks. */
  readonly cell: number | undefined;
  /** The cell or the file, and the span in it. */
  readonly text: string;
  readonly lines: LineIndex;
  readonly span: Span;
}

export function shownFile({ text, diagnostics, notebook }: CheckedFile): ShownFile {
  const indexes = new Map<number | undefined, LineIndex>();
  const shown = (cell: number | undefined, own: string, span: Span): ShownPlace => {
    const lines = indexes.get(cell) ?? new LineIndex(own);
    indexes.set(cell, lines);
    return { cell, text: own, lines, span, ...regionOf(lines, span) };
  };
  if (notebook === undefined) return { diagnostics, place: (span) => shown(undefined, text, span) };
  const { joined } = notebook;
  return {
    diagnostics: notebook.diagnostics,
    place(span) {
      const place = inCell(joined, span);
      const own = place === undefined ? undefined : joined.cells[place.cell]?.text;
      if (place === undefined || own === undefined) return shown(undefined, joined.text, span);
      return shown(place.cell + 1, own, { start: place.start, end: place.end });
    },
  };
}
