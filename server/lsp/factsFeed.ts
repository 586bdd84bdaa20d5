import type { TextDocument } from 'vscode-languageserver-textdocument';
import type { RunFacts } from '../core/facts/facts.ts';
import type { FactsMessage } from '../protocol.ts';
import type { Analysis } from './analysis.ts';

/**
 * Remembers the last sound facts of each document. While a line is half written the parser may lose the model; the panel
 * then keeps what was known, marked as stale, instead of going blank at every keystroke.
 */
export class FactsFeed {
  readonly #lastSound = new Map<string, RunFacts>();

  /** `toClient` makes facts of what was analysed into facts of what the client has open, where these are not the same. */
  message(document: TextDocument, analysis: Analysis, toClient = (facts: RunFacts): RunFacts => facts): FactsMessage {
    const { uri, version } = document;
    const found = analysis.facts();
    const facts = found === undefined ? undefined : toClient(found);
    const last = this.#lastSound.get(uri);
    const lost = last !== undefined && last.model !== undefined && facts?.model === undefined;
    if (lost && analysis.module.unreliable.length > 0) return { uri, version, facts: last, stale: true };
    if (facts === undefined) this.#lastSound.delete(uri);
    else this.#lastSound.set(uri, facts);
    return { uri, version, facts, stale: false };
  }

  forget(uri: string): void {
    this.#lastSound.delete(uri);
  }
}
