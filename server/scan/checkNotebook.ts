import { lint } from '../core/lint/engine.ts';
import { preferredFix } from '../core/lint/fixAll.ts';
import { findingsInCells } from '../core/notebook/findingsInCells.ts';
import { type CheckedCells, fixCells } from '../core/notebook/fixCells.ts';
import { type Cell, joinCells } from '../core/notebook/joinCells.ts';
import { type NotebookFile, type NotNotebook, readNotebook } from '../core/notebook/notebookFile.ts';
import { storeCells, storedFindings } from '../core/notebook/storedFindings.ts';
import { sourceFile } from '../core/workspace/sourceFile.ts';
import {
  type Checked,
  codesGone,
  type LintRequest,
  lintOptionsFor,
  type SourceResult,
  wouldNotParse,
} from './checkSource.ts';
import { largestSourceBytes, type PythonSource } from './pythonSource.ts';
import type { Tools } from './tools.ts';

export const isNotebook = (path: string): boolean => path.toLowerCase().endsWith('.ipynb');

/** Most of a notebook is outputs, pictures above all; it may be larger than code is. */
export const largestNotebookBytes = 200_000_000;

/** Lints the Python cells of a notebook as one program and, where asked to, works out the notebook's fixed text. */
export function checkNotebook(
  path: string,
  { text, damage }: PythonSource,
  tools: Tools,
  request: LintRequest,
  fix: boolean,
): SourceResult | NotNotebook {
  const notebook = readNotebook(text);
  if ('problem' in notebook) return notebook;
  const codeLength = notebook.cells.reduce((sum, cell) => sum + cell.text.length, 0);
  if (codeLength > largestSourceBytes) {
    return { problem: `not checked: more than ${largestSourceBytes / 1e6} MB in its cells`, isDamaged: false };
  }
  const { file, options } = lintOptionsFor(path, tools, request);
  const check = (cells: readonly Cell[]): CheckedCells => {
    const joined = joinCells(cells, tools.parse);
    const found = lint(sourceFile(file, joined.module, options.workspace), options);
    return { joined, diagnostics: findingsInCells(joined, found) };
  };
  const before = check(notebook.cells);
  const result: SourceResult = { ...checked(notebook, before), fixed: undefined, notFixed: undefined };
  if (!fix || !before.diagnostics.some(preferredFix)) return result;
  if (damage !== undefined) return { ...result, notFixed: damage };
  const after = fixCells(before, check);
  if (after === before) return result;
  const unreliable = ({ joined }: CheckedCells): number => joined.module.unreliable.length;
  if (unreliable(after) > unreliable(before)) return { ...result, notFixed: wouldNotParse };
  const stored = readNotebook(storeCells(notebook, after.joined));
  if ('problem' in stored) return { ...result, notFixed: wouldNotParse };
  const codes = codesGone(before.diagnostics, after.diagnostics);
  return { ...result, fixed: { ...checked(stored, after), codes } };
}

const checked = (notebook: NotebookFile, cells: CheckedCells): Checked => ({
  text: notebook.json,
  diagnostics: storedFindings(notebook, cells),
  notebook: cells,
});
