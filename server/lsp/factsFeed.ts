import type { TextDocument } from 'vscode-languageserver-textdocument';
import type { ParsedSettings } from '../core/facts/configFiles/nearbyFiles.ts';
import { type FoundRun, mostSpecific } from '../core/facts/configFiles/runs.ts';
import type { RunFacts } from '../core/facts/facts.ts';
import { isRecord } from '../core/settings.ts';
import type { Span } from '../core/text/span.ts';
import type { Surroundings } from '../disk/surroundings.ts';
import type { FactsMessage } from '../protocol.ts';
import type { Analysis } from './analysis.ts';
import { runsOfDocument, runsOfSettings } from './documentRuns.ts';

/**
 * Remembers the last sound facts of each document, and which of its runs a person chose. While a line is half written the
 * parser may lose the model or values of the run; the panel then keeps what was known, marked as stale, instead of going blank
 * or jumping to what would be assumed at every keystroke.
 */
export class FactsFeed {
  readonly #lastSound = new Map<string, Sound>();
  readonly #chosen = new Map<string, string>();
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
    const brokenLength = lengthOf(analysis.module().unreliable);
    if (last !== undefined && brokenLength > 0 && isLost(last, message, brokenLength))
      return { ...message, facts: last.facts, stale: true };
    this.#remember(message, brokenLength);
    return message;
  }

  /** Of a settings file or a shell script. */
  settingsMessage(document: TextDocument): FactsMessage {
    const message = this.#messageOf(document, runsOfSettings(document, this.#surroundings()), (facts) => facts);
    this.#remember(message, 0);
    return message;
  }

  /** The facts that the client has of a document. */
  latest(uri: string): RunFacts | undefined {
    return this.#lastSound.get(uri)?.facts;
  }

  /** From now on this run of the document is shown, for as long as it has it. */
  choose(uri: string, id: string): void {
    this.#chosen.set(uri, id);
  }

  forget(uri: string): void {
    this.#lastSound.delete(uri);
    this.#chosen.delete(uri);
  }

  #remember({ uri, facts, chosen }: FactsMessage, brokenLength: number): void {
    if (facts === undefined) this.#lastSound.delete(uri);
    else this.#lastSound.set(uri, { facts, chosen, brokenLength });
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

interface Sound {
  readonly facts: RunFacts;
  readonly chosen: string | undefined;
  /** How much of the document could not be read even so: code for another Python, for one. In UTF-16 units. */
  readonly brokenLength: number;
}

const lengthOf = (spans: readonly Span[]): number => spans.reduce((sum, { start, end }) => sum + end - start, 0);

/** Whether what was known is gone because it cannot be read, not because it was deleted. */
function isLost(last: Sound, { facts, chosen }: FactsMessage, brokenLength: number): boolean {
  if (last.facts.model !== undefined && facts?.model === undefined) return true;
  if (chosen !== last.chosen || brokenLength <= last.brokenLength) return false;
  return losesWritten(last.facts.run, facts?.run) || losesWritten(last.facts.model, facts?.model);
}

/** Whether a value that stood in code is one now that nothing says. */
const losesWritten = (before: object | undefined, now: object | undefined): boolean =>
  Object.entries(before ?? {}).some(
    ([name, fact]) => isWritten(fact) && !isWritten((now as Readonly<Record<string, unknown>> | undefined)?.[name]),
  );

const isWritten = (fact: unknown): boolean => isRecord(fact) && isRecord(fact.origin) && 'place' in fact.origin;

/** More settings files than this the documents somebody works on do not name. */
const mostParsed = 200;
