import type { CodeAction, Diagnostic, Hover, PublishDiagnosticsParams, Range } from 'vscode-languageserver/node';
import type { MessageConnection } from 'vscode-languageserver-protocol/node';
import { TextDocument } from 'vscode-languageserver-textdocument';
import type { FactsMessage } from '../../server/protocol.ts';
import type { Latest } from './latest.ts';

/** A notebook of a client, its cells numbered from zero. */
export interface NotebookInEditor {
  readonly uri: string;
  cellUri(cell: number): string;
  /** Findings of a cell after everything that was done so far. */
  diagnostics(cell: number): Promise<readonly Diagnostic[]>;
  /** Findings of a cell in the first check that follows on what is done. */
  diagnosticsAfter(cell: number, act: () => Promise<unknown>): Promise<readonly Diagnostic[]>;
  /** Findings of any cell that ever was, as last published. */
  publishedFor(cellUri: string): readonly Diagnostic[] | undefined;
  facts(): Promise<FactsMessage>;
  type(cell: number, from: string, to: string): Promise<void>;
  insert(before: number, text: string): Promise<void>;
  remove(cell: number): Promise<void>;
  codeActions(cell: number, range: Range, only?: readonly string[]): Promise<readonly CodeAction[]>;
  hoverAt(cell: number, needle: string): Promise<string | undefined>;
  /** The texts of all cells after an action. */
  after(action: CodeAction | undefined): readonly string[];
  close(): Promise<void>;
}

export async function openNotebook(
  connection: MessageConnection,
  published: Latest<PublishDiagnosticsParams>,
  facts: Latest<FactsMessage>,
  uri: string,
  texts: readonly string[],
): Promise<NotebookInEditor> {
  let nCells = 0;
  let version = 1;
  const newCell = (text: string): TextDocument =>
    TextDocument.create(`${uri.replace('file://', 'vscode-notebook-cell:')}#W${nCells++}`, 'python', 1, text);
  const cells = texts.map(newCell);
  const cellAt = (index: number): TextDocument => {
    const cell = cells[index];
    if (cell === undefined) throw new Error(`there is no cell ${index}`);
    return cell;
  };
  const item = (cell: TextDocument) => ({
    uri: cell.uri,
    languageId: cell.languageId,
    version: cell.version,
    text: cell.getText(),
  });
  const asCell = (cell: TextDocument) => ({ kind: 2, document: cell.uri });
  /** A document that the server tells of once more because of the last change, and what it then says. */
  let awaited: () => Promise<unknown> = async () => undefined;
  const untilVersion = (cell: TextDocument) => () =>
    published.until(cell.uri, (message) => message.version === cell.version);
  const change = (inCells: object): Promise<void> => {
    version++;
    return connection.sendNotification('notebookDocument/didChange', {
      notebookDocument: { uri, version },
      change: { cells: inCells },
    });
  };
  await connection.sendNotification('notebookDocument/didOpen', {
    notebookDocument: { uri, notebookType: 'jupyter-notebook', version, cells: cells.map(asCell) },
    cellTextDocuments: cells.map(item),
  });
  const last = cells.at(-1);
  if (last !== undefined) awaited = untilVersion(last);

  const hoverOf = (cell: TextDocument, offset: number): Promise<Hover | null> =>
    connection.sendRequest('textDocument/hover', {
      textDocument: { uri: cell.uri },
      position: cell.positionAt(offset),
    });
  return {
    uri,
    cellUri: (index) => cellAt(index).uri,
    async diagnostics(index) {
      await awaited();
      // The answer to a request comes behind all findings that were sent before it.
      await hoverOf(cellAt(index), 0);
      return published.get(cellAt(index).uri)?.diagnostics ?? [];
    },
    async diagnosticsAfter(index, act) {
      const { uri: cellUri } = cellAt(index);
      const before = published.count(cellUri);
      await act();
      return (await published.until(cellUri, () => published.count(cellUri) > before)).diagnostics;
    },
    publishedFor: (cellUri) => published.get(cellUri)?.diagnostics,
    facts: () => facts.until(uri, (message) => message.version === version),
    async type(index, from, to) {
      const cell = cellAt(index);
      const start = cell.getText().indexOf(from);
      if (start < 0) throw new Error(`"${from}" is not in the cell`);
      const range = { start: cell.positionAt(start), end: cell.positionAt(start + from.length) };
      const changed = TextDocument.update(cell, [{ range, text: to }], cell.version + 1);
      cells[index] = changed;
      const document = { uri: changed.uri, version: changed.version };
      await change({ textContent: [{ document, changes: [{ range, text: to }] }] });
      awaited = untilVersion(changed);
    },
    async insert(before, text) {
      const cell = newCell(text);
      cells.splice(before, 0, cell);
      const array = { start: before, deleteCount: 0, cells: [asCell(cell)] };
      await change({ structure: { array, didOpen: [item(cell)] } });
      awaited = untilVersion(cell);
    },
    async remove(index) {
      const cell = cellAt(index);
      cells.splice(index, 1);
      const array = { start: index, deleteCount: 1 };
      await change({ structure: { array, didClose: [{ uri: cell.uri }] } });
      awaited = () => published.until(cell.uri, (message) => message.version === undefined);
    },
    codeActions: async (index, range, only) =>
      (await connection.sendRequest<CodeAction[] | null>('textDocument/codeAction', {
        textDocument: { uri: cellAt(index).uri },
        range,
        context: { diagnostics: [], ...(only === undefined ? {} : { only }) },
      })) ?? [],
    async hoverAt(index, needle) {
      const cell = cellAt(index);
      const hover = await hoverOf(cell, cell.getText().indexOf(needle));
      return hover === null ? undefined : (hover.contents as { value: string }).value;
    },
    after: (action) => cells.map((cell) => TextDocument.applyEdits(cell, action?.edit?.changes?.[cell.uri] ?? [])),
    close: () =>
      connection.sendNotification('notebookDocument/didClose', {
        notebookDocument: { uri },
        cellTextDocuments: cells.map(({ uri: cellUri }) => ({ uri: cellUri })),
      }),
  };
}
