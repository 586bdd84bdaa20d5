import type { Connection } from 'vscode-languageserver';
import type { FromScan, PlacedFinding, ScannedFolder, ScanStart } from '../scan/threads/messages.ts';
import type { RunningScan } from '../scan/threads/startScan.ts';
import { pathOf, toDiagnostic, uriOf } from './convert.ts';
import type { RuleLinks } from './ruleLinks.ts';

export type StartScan = (start: Omit<ScanStart, 'role' | 'threads'>, tell: (message: FromScan) => void) => RunningScan;

export interface ClosedFilesTools {
  readonly connection: Connection;
  readonly scan: StartScan;
  links(): RuleLinks;
  /** URIs of the open documents and notebooks. */
  open(): Iterable<string>;
  foldersToScan(): Promise<readonly ScannedFolder[]>;
}

/** Other programs change many files at once, and each look at some takes a thread. */
const pauseMilliseconds = 300;

/**
 * The findings of files that nobody has open, as a check of the workspace has left them. What an open file says is not
 * touched. One that is closed again, or changes on disk, is looked at anew.
 */
export class ClosedFiles {
  readonly #tools: ClosedFilesTools;
  /** All that was checked, by path. */
  readonly #known = new Set<string>();
  /** Those that have findings in the client. */
  readonly #marked = new Set<string>();
  readonly #due = new Set<string>();
  #timer: NodeJS.Timeout | undefined;
  #running: RunningScan | undefined;

  constructor(tools: ClosedFilesTools) {
    this.#tools = tools;
  }

  /** These are going to be checked, and nothing is known of any other file. */
  startAnew(paths: readonly string[]): void {
    this.clear();
    for (const path of paths) this.#known.add(path);
  }

  found(path: string, findings: readonly PlacedFinding[]): void {
    if (this.#openPaths().has(path)) return;
    const { connection, links } = this.#tools;
    const diagnostics = findings.map((finding) => {
      const [start, end] = [finding.start, finding.end].map(({ line, column }) => ({ line, character: column }));
      const nowhere = { line: 0, character: 0 };
      return toDiagnostic({ start: start ?? nowhere, end: end ?? nowhere }, finding, links().href(finding.code));
    });
    this.#marked.add(path);
    void connection.sendDiagnostics({ uri: uriOf(path), diagnostics });
  }

  /** From now on the open document tells what is in it. */
  opened(uri: string): void {
    this.#unmark(pathOf(uri));
  }

  /** Some of these may have been checked, or be folders in which files were. */
  changed(paths: Iterable<string>): void {
    for (const path of paths) {
      if (this.#known.has(path)) this.#due.add(path);
      else for (const one of this.#marked) if (one.startsWith(`${path}/`)) this.#due.add(one);
    }
    if (this.#due.size > 0) this.#wait();
  }

  /** Other settings hold, or other rules. */
  changedSettings(): void {
    this.changed([...this.#marked]);
  }

  /** What is in none of these folders is nobody's any more. */
  keepOnly(folders: readonly string[]): void {
    const isInside = (path: string): boolean => folders.some((folder) => path.startsWith(`${folder}/`));
    for (const path of [...this.#known]) {
      if (isInside(path)) continue;
      this.#known.delete(path);
      this.#unmark(path);
    }
  }

  clear(): void {
    clearTimeout(this.#timer);
    this.#running?.end();
    this.#running = undefined;
    this.#due.clear();
    this.#known.clear();
    for (const path of [...this.#marked]) this.#unmark(path);
  }

  #unmark(path: string): void {
    if (this.#marked.delete(path)) void this.#tools.connection.sendDiagnostics({ uri: uriOf(path), diagnostics: [] });
  }

  #openPaths(): ReadonlySet<string> {
    return new Set([...this.#tools.open()].map(pathOf));
  }

  #wait(): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.#lookAgain(), pauseMilliseconds);
  }

  async #lookAgain(): Promise<void> {
    // One after another: what is due while one runs is looked at behind it.
    if (this.#running !== undefined) return;
    const open = this.#openPaths();
    const files = [...this.#due].filter((path) => !open.has(path));
    this.#due.clear();
    const folders = files.length === 0 ? [] : await this.#tools.foldersToScan();
    const clean = new Set(files);
    if (folders.length === 0) return;
    this.#running = this.#tools.scan({ folders, files }, (message) => {
      if (message.kind === 'found') {
        clean.delete(message.path);
        this.found(message.path, message.findings);
      }
      if (message.kind !== 'end' && message.kind !== 'failed') return;
      this.#running = undefined;
      for (const path of clean) this.#unmark(path);
      if (this.#due.size > 0) this.#wait();
    });
  }
}
