import type { TextDocument } from 'vscode-languageserver-textdocument';
import type { ParsedSettings } from '../core/facts/configFiles/nearbyFiles.ts';
import { type FoundRun, mostSpecific } from '../core/facts/configFiles/runs.ts';
import type { RunFacts } from '../core/facts/facts.ts';
import type { Surroundings } from '../disk/surroundings.ts';
import type { FactsMessage } from '../protocol.ts';
import type { Analysis } from './analysis.ts';
import { runsOfDocument, runsOfSettings } from './documentRuns.ts';

/**
 * Remembers the last sound facts of each document, and which of its runs a person chose. While a line is half written the
 * parser may lose the model; the panel then keeps what was known, marked as stale, instead of going blank at every keystroke.
 */
export class FactsFeed {
  readonly #lastSound = new Map<string, RunFacts>();
  readonly #chosen = new Map<string, string>();
  /** What the client was told last. */
  readonly #told = new Map<string, RunFacts | undefined>();
  /** Settings files that scripts name are the same from one keystroke in a program to the next. */
  readonly #parsed = new Map<string, ParsedSettings>();
  readonly #surroundings: () => Surroundings | undefined;

  constructor(surroundings: () => Surroundings | undefined) {
    this.#surroundings = surroundings;
  }

  /** `toClient` makes facts of what was analysed into facts of what the client has open, where these are not the same. */
  message(document: TextDocument, analysis: Analysis, toClient = (facts: RunFacts): RunFacts => facts): FactsMessage {
    if (this.#parsed.size > mostParsed) this.#parsed.clear();
    const runs = runsOfDocument(document, analysis, this.#surroundings(), this.#parsed);
    const message = this.#messageOf(document, runs, toClient);
    const last = this.#lastSound.get(document.uri);
    const lost = last !== undefined && last.model !== undefined && message.facts?.model === undefined;
    if (lost && analysis.module().unreliable.length > 0) return this.#tell({ ...message, facts: last, stale: true });
    if (message.facts === undefined) this.#lastSound.delete(document.uri);
    else this.#lastSound.set(document.uri, message.facts);
    return this.#tell(message);
  }

  /** Of a settings file or a shell script. */
  settingsMessage(document: TextDocument): FactsMessage {
    return this.#tell(this.#messageOf(document, runsOfSettings(document, this.#surroundings()), (facts) => facts));
  }

  /** The facts that the client has of a document. */
  latest(uri: string): RunFacts | undefined {
    return this.#told.get(uri);
  }

  /** From now on this run of the document is shown, for as long as it has it. */
  choose(uri: string, id: string): void {
    this.#chosen.set(uri, id);
  }

  forget(uri: string): void {
    this.#lastSound.delete(uri);
    this.#chosen.delete(uri);
    this.#told.delete(uri);
  }

  #tell(message: FactsMessage): FactsMessage {
    this.#told.set(message.uri, message.facts);
    return message;
  }

  #messageOf(
    { uri, version }: TextDocument,
    runs: readonly FoundRun[],
    toClient: (facts: RunFacts) => RunFacts,
  ): FactsMessage {
    const wanted = this.#chosen.get(uri);
    const chosen = runs.find(({ id }) => id === wanted) ?? mostSpecific(runs);
    return {
      uri,
      version,
      facts: chosen && toClient(chosen.facts),
      stale: false,
      runs: runs.map(({ id, title, place }) => ({ id, title, place })),
      chosen: chosen?.id,
    };
  }
}

/** More settings files than this the documents somebody works on do not name. */
const mostParsed = 200;
