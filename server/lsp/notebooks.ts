import { type Connection, NotebookCellKind, type NotebookDocument, NotebookDocuments } from 'vscode-languageserver';
import { TextDocument } from 'vscode-languageserver-textdocument';
import { type Cell, inCell, type JoinedCells, joinCells } from '../core/notebook/joinCells.ts';
import type { ParsePython } from '../parse/parser.ts';
import { largestDocument } from './analysis.ts';
import { toRange } from './convert.ts';
import type { Places } from './places.ts';

/** One version of an open notebook. */
export interface OpenNotebook {
  readonly uri: string;
  readonly version: number;
  readonly joined: JoinedCells;
  /** The joined cells under the notebook's own URI: what is analysed. */
  readonly document: TextDocument;
  /** In the order of `joined.cells`. */
  readonly cells: readonly TextDocument[];
  readonly places: Places;
}

export interface OpenNotebooks {
  get(uri: string): OpenNotebook | undefined;
  /** The notebook that a cell is in. */
  ofCell(cellUri: string): OpenNotebook | undefined;
  all(): readonly string[];
}

export interface NotebookEvents {
  opened(uri: string): void;
  changed(uri: string): void;
  closed(uri: string): void;
}

/** What the client is asked to send: notebooks of every kind, of their cells those in Python. */
export const notebookSelector = { notebook: '*', cells: [{ language: 'python' }] };

/** Follows the notebooks that a client has open, and joins their cells when somebody asks. */
export function openNotebooks(connection: Connection, parse: ParsePython, events: NotebookEvents): OpenNotebooks {
  const synchronized = new NotebookDocuments(TextDocument);
  const open = new Map<string, Joined | undefined>();
  let joins = 0;
  const changed = ({ uri }: NotebookDocument): void => {
    if (!open.has(uri)) {
      open.set(uri, undefined);
      events.opened(uri);
    }
    events.changed(uri);
  };
  synchronized.onDidOpen(changed);
  synchronized.onDidChange(({ notebookDocument }) => changed(notebookDocument));
  synchronized.onDidClose(({ uri }) => {
    open.delete(uri);
    events.closed(uri);
  });
  synchronized.listen(connection);
  return {
    get: (uri) => current(synchronized.getNotebookDocument(uri)),
    ofCell: (cellUri) => current(synchronized.findNotebookDocumentForCell(cellUri)),
    all: () => [...open.keys()],
  };

  function current(notebook: NotebookDocument | undefined): OpenNotebook | undefined {
    if (notebook === undefined || !open.has(notebook.uri)) return undefined;
    const { uri, version } = notebook;
    const cells = notebook.cells.flatMap((cell) => {
      const document = cell.kind === NotebookCellKind.Code ? synchronized.getCellTextDocument(cell) : undefined;
      return document === undefined ? [] : [document];
    });
    // Not the notebook's version: not every client counts changes inside cells in it, and moved cells are told of late.
    const signature = cells.map((cell) => `${cell.uri} ${cell.version} ${cell.languageId}`).join('\n');
    const known = open.get(uri);
    if (known?.signature === signature) return known.notebook;
    const length = cells.reduce((sum, cell) => sum + cell.getText().length, 0);
    const joined = joinCells(length > largestDocument ? [] : cells.map(asCell), parse);
    const document = TextDocument.create(uri, 'python', ++joins, joined.text);
    const result = { uri, version, joined, document, cells, places: placesInCells(joined, cells) };
    open.set(uri, { signature, notebook: result });
    return result;
  }
}

interface Joined {
  readonly signature: string;
  readonly notebook: OpenNotebook;
}

const asCell = (document: TextDocument): Cell => ({
  text: document.getText(),
  isPython: document.languageId === 'python',
});

const placesInCells = (joined: JoinedCells, cells: readonly TextDocument[]): Places => ({
  at(span) {
    const place = inCell(joined, span);
    const cell = place === undefined ? undefined : cells[place.cell];
    return place === undefined || cell === undefined ? undefined : { uri: cell.uri, range: toRange(cell, place) };
  },
});
