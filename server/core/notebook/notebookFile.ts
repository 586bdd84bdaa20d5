import { isRecord } from '../settings.ts';
import type { Cell } from './joinCells.ts';
import { type SourcePlace, sourcePlaces } from './sourcePlaces.ts';

/** A notebook as it is stored: JSON in Jupyter's format 4. */
export interface NotebookFile {
  readonly json: string;
  readonly cells: readonly Cell[];
  /** Where each cell's source stands in the JSON. */
  readonly places: readonly SourcePlace[];
}

export interface NotNotebook {
  readonly problem: string;
  /** False where it may well be a notebook, only one of a kind that is not read. */
  readonly isDamaged: boolean;
}

/** Reads a stored notebook. Outputs, whatever their size, are passed over. */
export function readNotebook(json: string): NotebookFile | NotNotebook {
  let content: unknown;
  try {
    content = JSON.parse(json);
  } catch {
    return { problem: 'not a notebook: its JSON is broken', isDamaged: true };
  }
  if (!isRecord(content)) return { problem: 'not a notebook: its JSON is no object', isDamaged: true };
  const format = content.nbformat;
  if (typeof format === 'number' && format !== 4) {
    return { problem: `not checked: notebook format ${format}, only format 4 is read`, isDamaged: false };
  }
  if (!Array.isArray(content.cells)) return { problem: 'not a notebook: it has no cells', isDamaged: true };
  const isPython = isPythonNotebook(content.metadata);
  const cells = content.cells.map((cell) => cellOf(cell, isPython));
  const places = sourcePlaces(json);
  // Both were read from one text; where they differ all the same, nothing may be written back.
  if (places.length !== cells.length) return { problem: 'not a notebook: its cells are unclear', isDamaged: true };
  return { json, cells, places };
}

function cellOf(cell: unknown, inPython: boolean): Cell {
  if (!isRecord(cell)) return { text: '', isPython: false };
  const { source, cell_type: kind, metadata } = cell;
  const text = Array.isArray(source) ? source.filter(isText).join('') : isText(source) ? source : '';
  return { text, isPython: kind === 'code' && languageOf(metadata, inPython) };
}

/** VS Code writes a cell's language into its metadata where it is not the notebook's. */
function languageOf(metadata: unknown, inPython: boolean): boolean {
  const { languageId } = record(record(metadata).vscode);
  return isText(languageId) ? isPythonName(languageId) : inPython;
}

/** A notebook that names no language is taken as Python: that is what Jupyter and Colab do. */
function isPythonNotebook(metadata: unknown): boolean {
  const { language_info: info, kernelspec } = record(metadata);
  const language = record(info).name ?? record(kernelspec).language;
  return !isText(language) || isPythonName(language);
}

const record = (value: unknown): Record<string, unknown> => (isRecord(value) ? value : {});
const isText = (value: unknown): value is string => typeof value === 'string';
const isPythonName = (language: string): boolean => /^i?python\d*$/i.test(language);
