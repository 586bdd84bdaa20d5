import type { Diagnostic } from '../lint/rule.ts';
import { applyEdits, type TextEdit } from '../text/edit.ts';
import { LineIndex } from '../text/lineIndex.ts';
import { editsByCell } from './findingsInCells.ts';
import type { CheckedCells } from './fixCells.ts';
import { inCell, type JoinedCells } from './joinCells.ts';
import type { NotebookFile } from './notebookFile.ts';
import { storedSpan, storeSource } from './storedSource.ts';

/**
 * Findings as those of the notebook's file: spans and edits are of its JSON, which is the text that code-scanning services
 * show and patch. The message says which cell it is.
 */
export function storedFindings({ json, places }: NotebookFile, { joined, diagnostics }: CheckedCells): Diagnostic[] {
  return diagnostics.flatMap((diagnostic) => {
    const place = inCell(joined, diagnostic.at);
    const source = place === undefined ? undefined : places[place.cell];
    if (place === undefined || source === undefined) return [];
    const { line } = new LineIndex(joined.cells[place.cell]?.text ?? '').positionAt(place.start);
    const at = storedSpan(json, source, place);
    const message = `${diagnostic.message} (cell ${place.cell + 1}, line ${line + 1})`;
    const fixes = diagnostic.fixes.map((fix) => ({ ...fix, edits: storedEdits({ json, places }, joined, fix.edits) }));
    return [{ ...diagnostic, at, about: at, message, fixes }];
  });
}

/** Whole lines of a list are replaced, so that each stays a string of its own. */
export function storedEdits(
  { json, places }: Pick<NotebookFile, 'json' | 'places'>,
  joined: JoinedCells,
  edits: readonly TextEdit[],
): TextEdit[] {
  return [...editsByCell(joined, edits)].flatMap(([cell, own]) => {
    const place = places[cell];
    const text = joined.cells[cell]?.text;
    return place === undefined || text === undefined ? [] : [storeSource(json, place, applyEdits(text, own))];
  });
}

/** The notebook's JSON with the cells of `after`; a cell that is as it was keeps every character. */
export function storeCells({ json, cells, places }: NotebookFile, after: JoinedCells): string {
  const edits = after.cells.flatMap(({ text }, index) => {
    const place = places[index];
    return place === undefined || text === cells[index]?.text ? [] : [storeSource(json, place, text)];
  });
  return applyEdits(json, edits);
}
