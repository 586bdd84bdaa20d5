import { type ChildProcess, spawn } from 'node:child_process';
import { PassThrough, type Readable, type Writable } from 'node:stream';
import { pathToFileURL } from 'node:url';
import {
  type CancellationToken,
  type CodeAction,
  createConnection,
  type Diagnostic,
  type FileChangeType,
  type Hover,
  type InitializeResult,
  ProposedFeatures,
  type PublishDiagnosticsParams,
  type Range,
  type Registration,
  StreamMessageReader,
  StreamMessageWriter,
} from 'vscode-languageserver/node';
import { createMessageConnection, type MessageConnection } from 'vscode-languageserver-protocol/node';
import { TextDocument } from 'vscode-languageserver-textdocument';
import { Dependencies } from '../../server/disk/dependencies.ts';
import { diskSurroundings } from '../../server/disk/diskSurroundings.ts';
import { type Host, serve } from '../../server/lsp/server.ts';
import { type FactsMessage, factsMethod, type InitializationOptions } from '../../server/protocol.ts';
import { Latest } from './latest.ts';
import { type NotebookInEditor, openNotebook } from './lspNotebook.ts';
import { pythonParser } from './python.ts';

/** A language client that reads like a person using an editor: open a file, look at findings, apply a fix, type. */
export interface Client {
  readonly capabilities: InitializeResult['capabilities'];
  readonly log: readonly string[];
  /** What the server asked the client to tell it about, by method. */
  readonly registered: ReadonlyMap<string, unknown>;
  open(name: string, text: string, languageId?: string): Promise<OpenFile>;
  /** Opens a notebook with these Python cells. */
  openNotebook(name: string, cells: readonly string[]): Promise<NotebookInEditor>;
  changeSettings(settings: unknown): Promise<void>;
  /** Tells of a file of the folder that something else than the editor has changed. */
  changedOnDisk(name: string, type: FileChangeType): Promise<void>;
  request<T>(method: string, params?: object, cancel?: CancellationToken): Promise<T>;
  notify(method: string, params: object): Promise<void>;
  /** Findings of a file of the folder that have arrived so far, whether it is open or not. */
  published(name: string): readonly Diagnostic[] | undefined;
  /** Waits for findings of a file of the folder that are as wanted. */
  untilPublished(name: string, isWanted: (findings: readonly Diagnostic[]) => boolean): Promise<readonly Diagnostic[]>;
  /** Listens to what the server tells of its own accord. */
  onNotification<Params>(method: string, heard: (params: Params) => void): void;
  close(): Promise<void>;
}

export interface OpenFile {
  readonly uri: string;
  text(): string;
  /** Findings of the newest version. */
  diagnostics(): Promise<readonly Diagnostic[]>;
  /** Findings of the first check that follows on what is done. */
  diagnosticsAfter(act: () => Promise<unknown>): Promise<readonly Diagnostic[]>;
  /** How many times findings have arrived. */
  nChecks(): number;
  /** Findings that have arrived so far, without waiting for any. */
  publishedSoFar(): readonly Diagnostic[] | undefined;
  facts(): Promise<FactsMessage>;
  /** Facts that have arrived so far, without waiting for any. */
  factsSoFar(): FactsMessage | undefined;
  /** Replaces `from` (its first occurrence) by `to`, as an incremental change. */
  type(from: string, to: string): Promise<void>;
  /** Replaces a stretch by offsets, as an incremental change. */
  edit(start: number, end: number, text: string): Promise<void>;
  replaceAll(text: string): Promise<void>;
  codeActions(range: Range, only?: readonly string[]): Promise<readonly CodeAction[]>;
  hoverAt(needle: string): Promise<string | undefined>;
  after(action: CodeAction | undefined): string;
  save(): Promise<void>;
  close(): Promise<void>;
}

export interface ClientOptions extends InitializationOptions {
  /** A folder on disk, which the server may read; else there is nothing around the open files. */
  readonly folder?: string;
  readonly readsMarkdown?: boolean;
  readonly linksCodes?: boolean;
  readonly settings?: unknown;
  /** The workspace's folders, where there are several or one may go. */
  readonly folders?: readonly string[];
  /** The editor's own setting. */
  readonly filesExclude?: Readonly<Record<string, boolean>>;
  /** Whether it shows progress that the server begins. */
  readonly showsProgress?: boolean;
  /** Whether the client answers `workspace/configuration`. */
  readonly pullsSettings?: boolean;
}

/** Server and client in one process, over two streams. */
export function connect(options: ClientOptions = {}): Promise<Client> {
  const toServer = new PassThrough();
  const toClient = new PassThrough();
  serve(
    createConnection(ProposedFeatures.all, new StreamMessageReader(toServer), new StreamMessageWriter(toClient)),
    options.folder === undefined ? pythonParser : onDisk,
  );
  // `exit` would end this very process; closing the streams ends a server that shares it.
  return clientOn(toClient, toServer, options, false);
}

/** What was read is never read again, unless the server hears that it has changed. */
const onDisk: Host = {
  ...pythonParser,
  surroundings: (folders, openText) =>
    diskSurroundings({
      folders,
      openText,
      parse: pythonParser.parse,
      rememberedMilliseconds: Number.POSITIVE_INFINITY,
      dependencies: new Dependencies(),
    }),
};

/** The server as its own process, spoken to over standard input and output as Neovim, Helix or Emacs do it. */
export async function connectProcess(
  command: readonly string[],
  options: ClientOptions = {},
): Promise<Client & { process: ChildProcess }> {
  const [program = '', ...rest] = command;
  const child = spawn(program, rest, { stdio: ['pipe', 'pipe', 'inherit'] });
  const client = await clientOn(child.stdout, child.stdin, options, true);
  return { ...client, process: child };
}

async function clientOn(input: Readable, output: Writable, options: ClientOptions, exits: boolean): Promise<Client> {
  const connection = createMessageConnection(new StreamMessageReader(input), new StreamMessageWriter(output));
  const published = new Latest<PublishDiagnosticsParams>();
  const facts = new Latest<FactsMessage>();
  const log: string[] = [];
  let settings: unknown = options.settings ?? null;
  connection.onNotification('textDocument/publishDiagnostics', (params: PublishDiagnosticsParams) =>
    published.set(params.uri, params),
  );
  connection.onNotification(factsMethod, (message: FactsMessage) => facts.set(message.uri, message));
  connection.onNotification('window/logMessage', ({ message }: { message: string }) => {
    log.push(message);
  });
  const registered = new Map<string, unknown>();
  connection.onRequest('client/registerCapability', ({ registrations }: { registrations: Registration[] }) => {
    for (const { method, registerOptions } of registrations) registered.set(method, registerOptions);
    return null;
  });
  connection.onRequest('workspace/configuration', ({ items }: { items: { section?: string }[] }) =>
    items.map(({ section }) => (section === 'files.exclude' ? options.filesExclude : settings)),
  );
  connection.onRequest('window/workDoneProgress/create', () => null);
  connection.listen();
  const root = options.folder === undefined ? 'file:///workspace' : pathToFileURL(options.folder).href;
  const { facts: wantsFacts = false, explainCommand, rulePageScheme, panelCommand } = options;
  const { capabilities } = await connection.sendRequest<InitializeResult>('initialize', {
    // With a process id the server watches that process for ever, which would keep a test run alive.
    processId: exits ? process.pid : null,
    rootUri: options.folder === undefined ? null : root,
    ...(options.folders !== undefined && {
      workspaceFolders: options.folders.map((each) => ({ uri: pathToFileURL(each).href, name: each })),
    }),
    capabilities: {
      window: { workDoneProgress: options.showsProgress ?? false },
      workspace: {
        workspaceFolders: options.folders !== undefined,
        configuration: options.pullsSettings ?? true,
        didChangeConfiguration: { dynamicRegistration: true },
        didChangeWatchedFiles: { dynamicRegistration: true },
      },
      textDocument: {
        publishDiagnostics: { codeDescriptionSupport: options.linksCodes ?? false },
        ...((options.readsMarkdown ?? true) && { hover: { contentFormat: ['markdown', 'plaintext'] } }),
      },
    },
    initializationOptions: {
      facts: wantsFacts,
      ...(explainCommand !== undefined && { explainCommand }),
      ...(rulePageScheme !== undefined && { rulePageScheme }),
      ...(panelCommand !== undefined && { panelCommand }),
    },
  });
  await connection.sendNotification('initialized', {});
  return {
    capabilities,
    log,
    registered,
    open: (name, text, languageId = 'python') =>
      openFile(connection, published, facts, `${root}/${name}`, text, languageId),
    openNotebook: (name, cells) => openNotebook(connection, published, facts, `${root}/${name}`, cells),
    async changeSettings(changed) {
      settings = changed;
      await connection.sendNotification('workspace/didChangeConfiguration', { settings: { checkpointLens: changed } });
    },
    changedOnDisk: (name, type) =>
      connection.sendNotification('workspace/didChangeWatchedFiles', { changes: [{ uri: `${root}/${name}`, type }] }),
    request: (method, params, cancel) =>
      cancel === undefined ? connection.sendRequest(method, params) : connection.sendRequest(method, params, cancel),
    notify: (method, params) => connection.sendNotification(method, params),
    published: (name) => published.get(`${root}/${name}`)?.diagnostics,
    untilPublished: async (name, isWanted) =>
      (await published.until(`${root}/${name}`, ({ diagnostics }) => isWanted(diagnostics))).diagnostics,
    onNotification(method, heard) {
      connection.onNotification(method, heard);
    },
    async close() {
      await connection.sendRequest('shutdown');
      if (exits) await connection.sendNotification('exit');
      connection.dispose();
    },
  };
}

async function openFile(
  connection: MessageConnection,
  published: Latest<PublishDiagnosticsParams>,
  facts: Latest<FactsMessage>,
  uri: string,
  text: string,
  languageId: string,
): Promise<OpenFile> {
  let document = TextDocument.create(uri, languageId, 1, text);
  const change = async (changes: { range?: Range; text: string }[]): Promise<void> => {
    const version = document.version + 1;
    document = TextDocument.update(document, changes, version);
    await connection.sendNotification('textDocument/didChange', {
      textDocument: { uri, version },
      contentChanges: changes,
    });
  };
  const edit = (start: number, end: number, to: string): Promise<void> =>
    change([{ range: { start: document.positionAt(start), end: document.positionAt(end) }, text: to }]);
  await connection.sendNotification('textDocument/didOpen', { textDocument: { uri, languageId, version: 1, text } });
  const isNow = ({ version }: { version?: number }): boolean => version === document.version;
  return {
    uri,
    text: () => document.getText(),
    diagnostics: async () => (await published.until(uri, isNow)).diagnostics,
    async diagnosticsAfter(act) {
      const before = published.count(uri);
      await act();
      return (await published.until(uri, () => published.count(uri) > before)).diagnostics;
    },
    nChecks: () => published.count(uri),
    publishedSoFar: () => published.get(uri)?.diagnostics,
    facts: () => facts.until(uri, isNow),
    factsSoFar: () => facts.get(uri),
    async type(from, to) {
      const start = document.getText().indexOf(from);
      if (start < 0) throw new Error(`"${from}" is not in the text`);
      await edit(start, start + from.length, to);
    },
    edit,
    replaceAll: (whole) => change([{ text: whole }]),
    codeActions: async (range, only) =>
      (await connection.sendRequest<CodeAction[] | null>('textDocument/codeAction', {
        textDocument: { uri },
        range,
        context: { diagnostics: [], ...(only === undefined ? {} : { only }) },
      })) ?? [],
    async hoverAt(needle) {
      const position = document.positionAt(document.getText().indexOf(needle));
      const hover = await connection.sendRequest<Hover | null>('textDocument/hover', {
        textDocument: { uri },
        position,
      });
      return hover === null ? undefined : (hover.contents as { value: string }).value;
    },
    after(action) {
      const edits = action?.edit?.changes?.[uri];
      if (edits === undefined) throw new Error('no such action');
      return TextDocument.applyEdits(document, edits);
    },
    save: () => connection.sendNotification('textDocument/didSave', { textDocument: { uri } }),
    close: () => connection.sendNotification('textDocument/didClose', { textDocument: { uri } }),
  };
}
