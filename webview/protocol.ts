import type { StrategyName } from '../server/core/budget/account.ts';
import type { Device } from '../server/core/devices/device.ts';
import type { Place, RunFacts } from '../server/core/facts/facts.ts';

/**
 * What the extension and its panel say to each other. Every message is a whole snapshot: a hidden view keeps only the
 * newest one, so nothing may depend on the messages before it.
 */
export type ToPanel = {
  readonly type: 'facts';
  /** Undefined until a Python file has been looked at. */
  readonly shown: FileFacts | undefined;
  /** Name of the document that is being read while there is nothing to show yet. */
  readonly awaited: string | undefined;
  readonly server: ServerHealth;
  /** What the person trains on, chosen once for a workspace; undefined until then. */
  readonly device: Device | undefined;
};

/** `idle`: nothing was opened that a server is needed for. */
export type ServerHealth = 'idle' | 'starting' | 'running' | 'stopped';

export type FromPanel =
  /** The panel has loaded (again) and wants the current snapshot. */
  | { readonly type: 'ready' }
  /** Show this place in an editor. */
  | { readonly type: 'reveal'; readonly place: Place }
  /** Preview what it takes to put this strategy into the document. */
  | { readonly type: 'apply'; readonly uri: string; readonly strategy: StrategyName; readonly segment: number }
  /** Show the page that explains all this. */
  | { readonly type: 'learn' }
  /** Ask which device; the answer comes with the next snapshot. */
  | { readonly type: 'choose-device' }
  /** Show this run of a document; its facts come with the next snapshot. */
  | { readonly type: 'choose-run'; readonly uri: string; readonly id: string }
  | { readonly type: 'restart-server' }
  | { readonly type: 'show-log' }
  /** Onto the clipboard; `what` is said when it is there. */
  | { readonly type: 'copy'; readonly text: string; readonly what: string }
  /** Into a file that the person names; `base64` is its content. */
  | { readonly type: 'save'; readonly name: string; readonly base64: string }
  /** Something was drawn; says what a person reads first. Tests wait for it. */
  | { readonly type: 'rendered'; readonly uri: string | undefined; readonly headline: string }
  /** The panel failed, or was told what it does not know; goes to the extension's log. */
  | { readonly type: 'failed'; readonly message: string };

/** The facts of one Python document, and what a person calls that document. */
export interface FileFacts {
  readonly uri: string;
  /** Short name for headings, `train.py`. */
  readonly name: string;
  readonly facts: RunFacts | undefined;
  /** The document does not parse just now; `facts` are from its last sound version. */
  readonly stale: boolean;
  /** Runs the document is about: of the script itself, of files that start it, of its settings. */
  readonly runs: readonly { readonly id: string; readonly title: string }[];
  /** The one that `facts` are of. */
  readonly chosenRun: string | undefined;
}
