import {
  CodeActionKind,
  type Connection,
  DidChangeConfigurationNotification,
  DidChangeWatchedFilesNotification,
  type InitializeParams,
  type InitializeResult,
  TextDocumentSyncKind,
  TextDocuments,
} from 'vscode-languageserver';
import { TextDocument } from 'vscode-languageserver-textdocument';
import type { Diagnostic, Rule } from '../core/lint/rule.ts';
import { isRecord, type Settings, settingsSection } from '../core/settings.ts';
import type { ChangingSurroundings } from '../disk/surroundings.ts';
import type { PythonParser } from '../parse/parser.ts';
import { checkFoldersCommand, chooseRunMethod, factsMethod } from '../protocol.ts';
import { analysesWith } from './analysis.ts';
import { applyKind, serveApply } from './applyService.ts';
import { abilitiesOf, type ClientAbilities } from './clientAbilities.ts';
import { clientSettings } from './clientSettings.ts';
import type { StartScan } from './closedFiles.ts';
import { configAnalysesWith } from './configAnalysis.ts';
import { pathOf, toDiagnostic, toRange, toSpan } from './convert.ts';
import { editorCapabilities, serveEditorFeatures } from './editorFeatures.ts';
import { FactsFeed } from './factsFeed.ts';
import { codeActions, fixAllKind, fixFile, fixNotebookKind } from './features/codeActions.ts';
import { hover } from './features/hover.ts';
import { serveNotebooks } from './notebookService.ts';
import { notebookSelector } from './notebooks.ts';
import { servePeak } from './peakService.ts';
import { placesIn } from './places.ts';
import { Rechecks } from './rechecks.ts';
import { type RuleLinks, ruleLinksFor } from './ruleLinks.ts';
import { serveRulePages } from './rulePages.ts';
import { pauseInTyping, Schedule } from './schedule.ts';
import { serveVersions } from './versionService.ts';
import { watchedFiles } from './watchedFiles.ts';
import { serveWorkspaceCheck } from './workspaceCheck.ts';

export interface Host extends PythonParser {
  /**
   * Reads around open files, where there is something to read from. `learned` is for a host that cannot read at once: it
   * calls it when more is known of the files around than it said before.
   */
  surroundings?(folders: readonly string[], openText: OpenText, learned: () => void): ChangingSurroundings;
  /** Goes through whole folders, where there is a disk to go through. */
  readonly scan?: StartScan;
  /** Told when a check is done and its findings are on their way. */
  rest?(): void;
}

type OpenText = (path: string) => { readonly version: number; readonly text: string } | undefined;

/** Serves one client on `connection` until it exits. Everything it knows lives in the open documents. */
export function serve(connection: Connection, host: Host): void {
  const documents = new TextDocuments(TextDocument);
  const crashed = new Set<string>();
  let surroundings: ChangingSurroundings | undefined;
  const onCrash = (rule: Rule, error: unknown): void => {
    if (crashed.has(rule.code)) return;
    crashed.add(rule.code);
    connection.console.error(`${rule.code} failed, its findings are missing: ${describe(error)}`);
  };
  const analyses = analysesWith(host.track, () => surroundings, onCrash);
  const configs = configAnalysesWith(() => surroundings, onCrash);
  /** Documents that are no Python and have findings in the client. */
  const marked = new Set<string>();
  /** Documents of which the client has been sent facts. */
  const told = new Set<string>();
  const facts = new FactsFeed(() => surroundings);
  const schedule = new Schedule(publish);
  const restSchedule = new Schedule(publishAtRest, () => atRestMilliseconds);
  /** After the findings are on their way: a squiggle must not wait for the panel. */
  const factsSchedule = new Schedule(sendFacts, pauseInTyping);
  const settings = clientSettings(connection, () => client);
  const notebooks = serveNotebooks(connection, {
    parse: host.parse,
    analyses,
    facts,
    client: () => client,
    links: () => links,
    settingsOf: settings.of,
    opened: (uri) => closedFiles?.opened(uri),
    forget(uri) {
      forget(uri);
      closedFiles?.changed([pathOf(uri)]);
    },
    failed: (uri, error) => connection.console.error(`${uri} could not be checked: ${describe(error)}`),
  });
  const rechecks = new Rechecks({
    changed: (paths, where) => surroundings?.changed(paths, where),
    open: () => [...documents.keys(), ...notebooks.all()],
    pathOf,
    outdate(uri) {
      analyses.outdate(uri);
      configs.forget(uri);
    },
    check: (uri) => (documents.get(uri) === undefined ? notebooks.check(uri) : schedule.request(uri)),
  });
  let folders: readonly string[] = [];
  const closedFiles = serveWorkspaceCheck(connection, {
    scan: host.scan,
    folders: () => folders,
    open: () => [...documents.keys(), ...notebooks.all()],
    settingsOf: settings.of,
    pullsSettings: () => client.pullsSettings,
    links: () => links,
  });
  let client: ClientAbilities = abilitiesOf({ capabilities: {} });
  let links: RuleLinks = ruleLinksFor(client);

  connection.onInitialize((params: InitializeParams): InitializeResult => {
    client = abilitiesOf(params);
    links = ruleLinksFor(client);
    const options: unknown = params.initializationOptions;
    if (isRecord(options) && 'settings' in options) settings.pushed({ [settingsSection]: options.settings });
    const root = params.rootUri === null ? [] : [params.rootUri];
    lookAround(params.workspaceFolders?.map(({ uri }) => uri) ?? root);
    return {
      serverInfo: { name: 'checkpoint-lens' },
      capabilities: {
        textDocumentSync: { openClose: true, change: TextDocumentSyncKind.Incremental, save: true },
        notebookDocumentSync: { notebookSelector: [notebookSelector] },
        codeActionProvider: { codeActionKinds: [CodeActionKind.QuickFix, fixAllKind, fixNotebookKind, applyKind] },
        hoverProvider: true,
        ...(closedFiles !== undefined && { executeCommandProvider: { commands: [checkFoldersCommand] } }),
        workspace: { workspaceFolders: { supported: true, changeNotifications: true } },
        ...editorCapabilities,
      },
    };
  });

  connection.onInitialized(() => {
    if (client.registersSettings) {
      void connection.client.register(DidChangeConfigurationNotification.type, { section: settingsSection });
    }
    if (client.registersWatchers) {
      void connection.client.register(DidChangeWatchedFilesNotification.type, { watchers: [...watchedFiles] });
    }
    if (client.tellsFolders) {
      connection.workspace.onDidChangeWorkspaceFolders(({ added, removed }) => {
        const gone = removed.map(({ uri }) => uri);
        lookAround([...folders.filter((uri) => !gone.includes(uri)), ...added.map(({ uri }) => uri)]);
        closedFiles?.keepOnly(folders.map(pathOf));
        recheckAll();
      });
    }
  });

  connection.onDidChangeConfiguration((changed) => {
    settings.pushed(changed.settings);
    for (const uri of documents.keys()) schedule.request(uri);
    for (const uri of notebooks.all()) notebooks.check(uri);
    closedFiles?.changedSettings();
  });
  connection.onDidChangeWatchedFiles(({ changes }) => changedOnDisk(changes.map(({ uri }) => uri)));

  documents.onDidOpen(({ document: { uri } }) => closedFiles?.opened(uri));
  documents.onDidChangeContent(({ document: { uri } }) => {
    rechecks.changed([pathOf(uri)], 'editor');
    schedule.request(uri);
  });
  // For clients that watch no files; it also tells of settings that only count once they are on disk.
  documents.onDidSave(({ document: { uri } }) => changedOnDisk([uri]));
  documents.onDidClose(({ document: { uri } }) => {
    rechecks.changed([pathOf(uri)], 'editor');
    schedule.cancel(uri);
    restSchedule.cancel(uri);
    factsSchedule.cancel(uri);
    configs.forget(uri);
    marked.delete(uri);
    forget(uri);
    void connection.sendDiagnostics({ uri, diagnostics: [] });
    closedFiles?.changed([pathOf(uri)]);
  });

  connection.onCodeAction(
    guarded('code actions', async ({ textDocument, range, context }) => {
      const document = documents.get(textDocument.uri);
      if (document === undefined) return notebooks.codeActions(textDocument.uri, range, context.only);
      const found = findingsIn(document, await settings.of(document.uri));
      const rewrites = applying.actions(document, range, context.only);
      if (found === undefined) return rewrites.length > 0 ? rewrites : null;
      const places = placesIn(document);
      const fixes = codeActions(places, found, toSpan(document, range), context.only, [fixFile(found)], links);
      return [...fixes, ...rewrites];
    }),
  );

  connection.onHover(
    guarded('hover', async ({ textDocument, position }) => {
      const document = documents.get(textDocument.uri);
      if (document === undefined) return notebooks.hover(textDocument.uri, position);
      const findings = findingsIn(document, await settings.of(document.uri)) ?? [];
      const analysis = isPython(document) ? analyses.of(document) : undefined;
      const run = analysis?.facts();
      const subjects = {
        places: placesIn(document),
        sites: analysis?.sites() ?? [],
        code: analysis && { module: analysis.module(), names: analysis.names() },
        findings,
        facts: run && { facts: run, path: document.uri },
        takesComments: !document.languageId.startsWith('json'),
      };
      return hover(subjects, document.offsetAt(position), client.readsMarkdown) ?? null;
    }),
  );

  connection.onRequest(chooseRunMethod, (params: unknown): null => {
    const { uri, id } = isRecord(params) ? params : {};
    if (typeof uri !== 'string' || typeof id !== 'string') return null;
    facts.choose(uri, id);
    const document = documents.get(uri);
    if (document === undefined) notebooks.check(uri);
    else void sendFacts(uri);
    return null;
  });

  servePeak(connection, facts, guarded);
  serveRulePages(connection);
  serveVersions(connection, () => surroundings);
  const applying = serveApply(connection, {
    analyses,
    parse: host.parse,
    document: (uri) => documents.get(uri),
    isPython,
    surroundings: () => surroundings,
    guarded,
  });
  serveEditorFeatures(connection, {
    analyses,
    python(uri) {
      const document = documents.get(uri);
      return document !== undefined && isPython(document) ? document : undefined;
    },
    settingsOf: settings.of,
    panelCommand: () => client.panelCommand,
    links: () => links,
    guarded,
  });
  documents.listen(connection);
  connection.listen();

  async function publish(uri: string): Promise<void> {
    try {
      const current = await settings.of(uri);
      // Asking for settings takes a moment in which the document may have been closed or changed again.
      const document = documents.get(uri);
      if (document === undefined) return;
      const found = findingsIn(document, current);
      if (client.wantsFacts) factsSchedule.request(uri);
      // Of somebody else's file nothing is said, not even that there is nothing to say.
      if (found === undefined && !marked.has(uri)) return;
      const diagnostics = (found ?? []).map((diagnostic) =>
        toDiagnostic(toRange(document, diagnostic.at), diagnostic, links.href(diagnostic.code)),
      );
      void connection.sendDiagnostics({ uri, version: document.version, diagnostics });
      host.rest?.();
      if (isPython(document)) {
        restSchedule.request(uri);
        return;
      }
      if (found === undefined) marked.delete(uri);
      else marked.add(uri);
    } catch (error) {
      connection.console.error(`${uri} could not be checked: ${describe(error)}`);
    }
  }

  /** What was put off while the keys came. */
  async function publishAtRest(uri: string): Promise<void> {
    const document = documents.get(uri);
    if (document !== undefined && analyses.of(document).catchUp()) await publish(uri);
  }

  async function sendFacts(uri: string): Promise<void> {
    try {
      const document = documents.get(uri);
      if (document === undefined) return;
      const message = isPython(document)
        ? facts.message(document, analyses.of(document))
        : facts.settingsMessage(document);
      // Most open documents that are no Python have nothing to do with training.
      if (!isPython(document) && message.runs.length === 0 && !told.has(uri)) return;
      told.add(uri);
      await connection.sendNotification(factsMethod, message);
    } catch (error) {
      connection.console.error(`${uri}: its facts could not be read: ${describe(error)}`);
    }
  }

  function changedOnDisk(uris: readonly string[]): void {
    const paths = uris.filter(isOnDisk).map(pathOf);
    rechecks.changed(paths, 'disk');
    closedFiles?.changed(paths);
  }

  /** From now on these are the workspace's folders. */
  function lookAround(uris: readonly string[]): void {
    folders = uris.filter(isOnDisk);
    surroundings = host.surroundings?.(folders.map(pathOf), openText, recheckAll);
  }

  function recheckAll(): void {
    for (const uri of documents.keys()) {
      analyses.outdate(uri);
      configs.forget(uri);
      schedule.request(uri);
    }
    for (const uri of notebooks.all()) {
      analyses.outdate(uri);
      notebooks.check(uri);
    }
  }

  function findingsIn(document: TextDocument, current: Settings): readonly Diagnostic[] | undefined {
    return isPython(document) ? analyses.of(document).diagnostics(current) : configs.diagnostics(document, current);
  }

  function forget(uri: string): void {
    analyses.forget(uri);
    facts.forget(uri);
    told.delete(uri);
    settings.forget(uri);
  }

  function openText(path: string): { version: number; text: string } | undefined {
    const document = documents.all().find(({ uri }) => isOnDisk(uri) && pathOf(uri) === path);
    return document === undefined ? undefined : { version: document.version, text: document.getText() };
  }

  /** A feature that throws answers "nothing" and says so in the log; the server goes on. */
  function guarded<P, R>(feature: string, handle: (params: P) => R | Promise<R>): (params: P) => Promise<R | null> {
    return async (params) => {
      try {
        return await handle(params);
      } catch (error) {
        connection.console.error(`${feature} failed: ${describe(error)}`);
        return null;
      }
    };
  }
}

/** Longer than the fingers of somebody who types take from one key to the next. */
const atRestMilliseconds = 200;

const isOnDisk = (uri: string): boolean => uri.startsWith('file:');

const isPython = (document: TextDocument): boolean => document.languageId === 'python' || document.uri.endsWith('.py');

const describe = (error: unknown): string => (error instanceof Error ? (error.stack ?? error.message) : String(error));
