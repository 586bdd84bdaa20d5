import type { CodeAction, Connection, Hover, Position, Range } from 'vscode-languageserver';
import type { TextDocument } from 'vscode-languageserver-textdocument';
import type { Place, RunFacts } from '../core/facts/facts.ts';
import { movePlaces } from '../core/facts/movePlaces.ts';
import type { Diagnostic } from '../core/lint/rule.ts';
import { findingsInCells } from '../core/notebook/findingsInCells.ts';
import { inCell, inJoined } from '../core/notebook/joinCells.ts';
import type { Settings } from '../core/settings.ts';
import type { ParsePython } from '../parse/parser.ts';
import { factsMethod } from '../protocol.ts';
import type { Analyses, Analysis } from './analysis.ts';
import type { ClientAbilities } from './clientAbilities.ts';
import { toDiagnostic } from './convert.ts';
import type { FactsFeed } from './factsFeed.ts';
import { codeActions, fixAllKind, fixNotebookKind } from './features/codeActions.ts';
import { hover } from './features/hover.ts';
import { type OpenNotebook, openNotebooks } from './notebooks.ts';
import type { RuleLinks } from './ruleLinks.ts';
import { Schedule } from './schedule.ts';

export interface NotebookTools {
  readonly parse: ParsePython;
  readonly analyses: Analyses;
  readonly facts: FactsFeed;
  client(): ClientAbilities;
  links(): RuleLinks;
  settingsOf(uri: string): Promise<Settings>;
  /** Before anything is told of its cells. */
  opened(uri: string): void;
  /** The notebook was closed: what is kept by its URI may go. */
  forget(uri: string): void;
  failed(uri: string, error: unknown): void;
}

/** What the server does for cells of notebooks; undefined or null where the document is no cell, or has nothing to tell. */
export interface NotebookService {
  codeActions(cellUri: string, range: Range, only: readonly string[] | undefined): Promise<CodeAction[] | null>;
  hover(cellUri: string, position: Position): Promise<Hover | null>;
  /** URIs of the open notebooks. */
  all(): readonly string[];
  check(uri: string): void;
}

/** Checks the notebooks a client has open, and tells what it finds in the cells. */
export function serveNotebooks(connection: Connection, tools: NotebookTools): NotebookService {
  const { parse, analyses, settingsOf } = tools;
  const schedule = new Schedule(publish);
  /** By notebook, the cells that have findings in the client. */
  const marked = new Map<string, ReadonlySet<string>>();
  const notebooks = openNotebooks(connection, parse, {
    opened: tools.opened,
    changed: (uri) => schedule.request(uri),
    closed(uri) {
      schedule.cancel(uri);
      clear(marked.get(uri) ?? []);
      marked.delete(uri);
      tools.forget(uri);
    },
  });
  const analysisOf = ({ document, joined }: OpenNotebook): Analysis => analyses.of(document, joined.module);
  const findingsOf = (notebook: OpenNotebook, settings: Settings): Diagnostic[] =>
    findingsInCells(notebook.joined, analysisOf(notebook).diagnostics(settings));

  return {
    async codeActions(cellUri, range, only) {
      const uri = notebooks.ofCell(cellUri)?.uri;
      const settings = uri === undefined ? undefined : await settingsOf(uri);
      const notebook = notebooks.ofCell(cellUri);
      if (notebook === undefined || settings === undefined) return null;
      const start = offsetOf(notebook, cellUri, range.start);
      const end = offsetOf(notebook, cellUri, range.end);
      if (start === undefined || end === undefined) return null;
      const { places } = notebook;
      const found = findingsOf(notebook, settings);
      const inThisCell = found.filter(({ at }) => places.at(at)?.uri === cellUri);
      const all = [
        { kind: fixAllKind, title: 'Fix all Checkpoint Lens findings in this cell', diagnostics: inThisCell },
        { kind: fixNotebookKind, title: 'Fix all Checkpoint Lens findings in this notebook', diagnostics: found },
      ];
      return codeActions(places, inThisCell, { start, end }, only, all, tools.links());
    },
    async hover(cellUri, position) {
      const uri = notebooks.ofCell(cellUri)?.uri;
      const settings = uri === undefined ? undefined : await settingsOf(uri);
      const notebook = notebooks.ofCell(cellUri);
      if (notebook === undefined || settings === undefined) return null;
      const offset = offsetOf(notebook, cellUri, position);
      if (offset === undefined) return null;
      const analysis = analysisOf(notebook);
      const subjects = {
        places: notebook.places,
        sites: analysis.sites(),
        code: { module: analysis.module(), names: analysis.names() },
        findings: findingsOf(notebook, settings),
        takesComments: true,
      };
      return hover(subjects, offset, tools.client().readsMarkdown) ?? null;
    },
    all: () => notebooks.all(),
    check: (uri) => schedule.request(uri),
  };

  async function publish(uri: string): Promise<void> {
    try {
      const settings = await settingsOf(uri);
      const notebook = notebooks.get(uri);
      if (notebook === undefined) return;
      const found = findingsOf(notebook, settings);
      const before = marked.get(uri) ?? new Set();
      marked.set(uri, new Set(notebook.cells.map((cell) => cell.uri)));
      clear([...before].filter((cellUri) => !marked.get(uri)?.has(cellUri)));
      for (const cell of notebook.cells) sendFindings(cell, notebook, found);
      if (tools.client().wantsFacts) {
        const toClient = (facts: RunFacts): RunFacts => movePlaces(facts, (place) => placeInCell(place, notebook));
        const message = tools.facts.message(notebook.document, analysisOf(notebook), toClient);
        void connection.sendNotification(factsMethod, { ...message, version: notebook.version });
      }
    } catch (error) {
      tools.failed(uri, error);
    }
  }

  function sendFindings({ uri, version }: TextDocument, { places }: OpenNotebook, found: readonly Diagnostic[]): void {
    const diagnostics = found.flatMap((diagnostic) => {
      const place = places.at(diagnostic.at);
      return place?.uri === uri ? [toDiagnostic(place.range, diagnostic, tools.links().href(diagnostic.code))] : [];
    });
    void connection.sendDiagnostics({ uri, version, diagnostics });
  }

  function clear(cellUris: Iterable<string>): void {
    for (const uri of cellUris) void connection.sendDiagnostics({ uri, diagnostics: [] });
  }
}

function offsetOf({ cells, joined }: OpenNotebook, cellUri: string, position: Position): number | undefined {
  const index = cells.findIndex(({ uri }) => uri === cellUri);
  const cell = cells[index];
  return cell === undefined ? undefined : inJoined(joined, index, cell.offsetAt(position));
}

/** A place in the joined text, as the client can show it. */
function placeInCell(place: Place, { joined, cells, document }: OpenNotebook): Place {
  const inside = place.path === document.uri ? inCell(joined, place.span) : undefined;
  const cell = inside === undefined ? undefined : cells[inside.cell];
  if (inside === undefined || cell === undefined) return place;
  const { line, character } = cell.positionAt(inside.start);
  const span = { start: inside.start, end: inside.end };
  return { path: cell.uri, span, line: line + 1, column: character + 1 };
}
