import { mostRounds, preferredEdits } from '../lint/fixAll.ts';
import type { Diagnostic } from '../lint/rule.ts';
import { applyEdits, type TextEdit } from '../text/edit.ts';
import { editsByCell } from './findingsInCells.ts';
import type { Cell, JoinedCells } from './joinCells.ts';

/** A notebook with what was found in it. */
export interface CheckedCells {
  readonly joined: JoinedCells;
  readonly diagnostics: readonly Diagnostic[];
}

/** Makes preferred fixes until none is left, as `fixAll` does for a file. `check` looks at the cells anew after each round. */
export function fixCells(before: CheckedCells, check: (cells: readonly Cell[]) => CheckedCells): CheckedCells {
  let current = before;
  for (let round = 0; round < mostRounds; round++) {
    const edits = preferredEdits(current.diagnostics);
    if (edits.length === 0) break;
    const next = check(withEdits(current.joined, edits));
    if (next.diagnostics.length >= current.diagnostics.length) break;
    current = next;
  }
  return current;
}

function withEdits(joined: JoinedCells, edits: readonly TextEdit[]): Cell[] {
  const byCell = editsByCell(joined, edits);
  return joined.cells.map((cell, index) => {
    const own = byCell.get(index);
    return own === undefined ? cell : { ...cell, text: applyEdits(cell.text, own) };
  });
}
