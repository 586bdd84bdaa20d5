import type { Diagnostic, Fix } from '../lint/rule.ts';
import type { TextEdit } from '../text/edit.ts';
import { inCell, type JoinedCells } from './joinCells.ts';

/**
 * Findings of the joined text without what no cell could show: findings across cells, and fixes that would reach across
 * cells or into the text that stands for a magic.
 */
export function findingsInCells(joined: JoinedCells, diagnostics: readonly Diagnostic[]): Diagnostic[] {
  const possible = ({ edits }: Fix): boolean => edits.every((edit) => editInCell(joined, edit) !== undefined);
  return diagnostics
    .filter(({ at }) => inCell(joined, at) !== undefined)
    .map((one) => (one.fixes.every(possible) ? one : { ...one, fixes: one.fixes.filter(possible) }));
}

export interface CellEdit extends TextEdit {
  readonly cell: number;
}

/** An edit of the joined text as one of the cell it lies in; undefined where there is none. */
export function editInCell(joined: JoinedCells, { span, text }: TextEdit): CellEdit | undefined {
  const place = inCell(joined, span);
  if (place === undefined) return undefined;
  const { cell, start, end } = place;
  const replaced = joined.cells[cell]?.text.slice(start, end);
  return replaced === joined.text.slice(span.start, span.end) ? { cell, span: { start, end }, text } : undefined;
}

/** Edits of the joined text by the cell they change, each cell's in the order given. */
export function editsByCell(joined: JoinedCells, edits: readonly TextEdit[]): ReadonlyMap<number, readonly TextEdit[]> {
  const byCell = new Map<number, TextEdit[]>();
  for (const edit of edits) {
    const placed = editInCell(joined, edit);
    if (placed === undefined) continue;
    const { cell, span, text } = placed;
    byCell.set(cell, [...(byCell.get(cell) ?? []), { span, text }]);
  }
  return byCell;
}
