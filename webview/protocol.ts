import type { Place, RunFacts } from '../server/core/facts/facts.ts';

/**
 * What the extension and its panel say to each other. Every message is a whole snapshot: a hidden view keeps only the
 * newest one, so nothing may depend on the messages before it.
 */
export type ToPanel = {
  readonly type: 'facts';
  /** Undefined until a Python file has been looked at. */
  readonly shown: FileFacts | undefined;
};

export type FromPanel =
  /** The panel has loaded (again) and wants the current snapshot. */
  | { readonly type: 'ready' }
  /** Show this place in an editor. */
  | { readonly type: 'reveal'; readonly place: Place }
  /** Something was drawn; says what a person reads first. Tests wait for it. */
  | { readonly type: 'rendered'; readonly uri: string | undefined; readonly headline: string }
  /** The panel failed; goes to the extension's log. */
  | { readonly type: 'failed'; readonly message: string };

/** The facts of one Python document, and what a person calls that document. */
export interface FileFacts {
  readonly uri: string;
  /** Short name for headings, `train.py`. */
  readonly name: string;
  readonly facts: RunFacts | undefined;
  /** The document does not parse just now; `facts` are from its last sound version. */
  readonly stale: boolean;
}
