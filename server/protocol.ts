import type { ChosenStrategy } from './core/apply/chosen.ts';
import type { Device } from './core/devices/device.ts';
import type { Place, RunFacts } from './core/facts/facts.ts';
import type { PeakOfRun } from './core/total/peakOfRun.ts';

/**
 * What this server and its own client say to each other beyond LSP. The server sends facts only to a client that asks
 * for them with `initializationOptions: { facts: true }`, so other editors never see an unknown notification.
 */
export const factsMethod = 'checkpointLens/facts';

/** Server → client, after each analysis of an open Python document. Always a whole snapshot, never a difference. */
export interface FactsMessage {
  readonly uri: string;
  readonly version: number;
  /** Undefined where the document says nothing about a model or a run. */
  readonly facts: RunFacts | undefined;
  /** The document could not be read soundly just now; `facts` are from its last sound version. */
  readonly stale: boolean;
  /** The runs that the document is about, the files that start it and its settings included. */
  readonly runs: readonly RunListed[];
  /** The one of them that `facts` are of. */
  readonly chosen: string | undefined;
}

export interface RunListed {
  readonly id: string;
  /** For people: `train.sh: train.py`. */
  readonly title: string;
  readonly place: Place;
}

/** Client → server: facts of this run are wanted for the document. They come as a new `FactsMessage`; the answer is null. */
export const chooseRunMethod = 'checkpointLens/chooseRun';

export interface ChooseRunParams {
  readonly uri: string;
  readonly id: string;
}

/** Client → server: what a step takes of the run that a document's latest facts are of. */
export const peakMethod = 'checkpointLens/peak';

export interface PeakParams {
  readonly uri: string;
  /** Absent where the person has chosen none. */
  readonly device?: Device;
}

/** Of `peakMethod`; null where no figure would be about what the code says. */
export type PeakAnswer = PeakOfRun | null;

/** Client → server: every rule, by code. */
export const rulesMethod = 'checkpointLens/rules';

/** Of `rulesMethod`. */
export interface RuleListed {
  readonly code: string;
  readonly name: string;
  readonly severity: string;
  readonly summary: string;
}

/** Client → server: the Markdown page of one rule, null for a code that no rule has. */
export const rulePageMethod = 'checkpointLens/rulePage';

export interface RulePageParams {
  readonly code: string;
}

export interface InitializationOptions {
  readonly facts?: boolean;
  /** A command of the client that shows the page of the rule whose code is its argument. */
  readonly explainCommand?: string;
  /** The client shows such pages rendered under addresses of this scheme: `checkpoint-lens-rule:/AC101.md`. */
  readonly rulePageScheme?: string;
  /** A command of the client that shows the memory panel. */
  readonly panelCommand?: string;
}

/** Server → client: what is at these URIs. Asked by a server without a disk of its own, the one in a web worker. */
export const readFilesMethod = 'checkpointLens/readFiles';

export interface ReadFilesParams {
  readonly uris: readonly string[];
}

/** In the order of the URIs; null for what is not there or too large. */
export type ReadFilesResult = readonly (FileRead | FolderRead | null)[];

export interface FileRead {
  readonly text: string;
}

export interface FolderRead {
  readonly entries: readonly { readonly name: string; readonly isFolder: boolean }[];
}

/** What a web worker is sent before it speaks the protocol: the addresses of the parser's two files. */
export interface WorkerStart {
  readonly runtime: string;
  readonly grammar: string;
}

/** The worker's answer; from then on messages are the protocol's. */
export interface WorkerReady {
  /** Why there will be no server. */
  readonly failed?: string;
}

/** Client → server: what it takes to put a strategy into an open document. The server changes nothing itself. */
export const applyStrategyMethod = 'checkpointLens/applyStrategy';

export interface ApplyStrategyParams {
  readonly uri: string;
  readonly strategy: ChosenStrategy;
  /** Layers of the model the person looks at, where the document itself does not say. */
  readonly layers?: number;
}

/** Of `applyStrategyMethod`. */
export type ApplyStrategyAnswer =
  | {
      readonly kind: 'edits';
      /** The document's version that the edits belong to. */
      readonly version: number;
      readonly edits: readonly { readonly range: ProtocolRange; readonly newText: string }[];
      /** For the preview: `Checkpointing of every layer`, and where it is put. */
      readonly label: string;
      readonly description: string;
    }
  /** The document says so as it stands. */
  | { readonly kind: 'already'; readonly what: string | undefined }
  | { readonly kind: 'cannot'; readonly why: string };

/** A range as LSP has it. */
export interface ProtocolRange {
  readonly start: { readonly line: number; readonly character: number };
  readonly end: { readonly line: number; readonly character: number };
}

/** Client → server: versions of the libraries that a document's code runs on, as far as the project tells. */
export const versionsMethod = 'checkpointLens/versions';

export interface VersionsParams {
  readonly uri: string;
}

/** Of `versionsMethod`: `{ torch: '2.13' }`. */
export type VersionsAnswer = Readonly<Record<string, string>>;

/**
 * The server's command, for `workspace/executeCommand`, that checks all files of the workspace's folders; findings come as the
 * diagnostics of those files. Only a server that can read a disk has it. Asked for again, it begins anew.
 */
export const checkFoldersCommand = 'checkpointLens.checkFolders';

/** Its argument, which may be absent: standard work-done progress is shown then, where the client takes it. */
export interface CheckFoldersParams {
  /** Comes back in each `checkProgressMethod`. */
  readonly id: number;
}

/** Server → client, by and by while the folders are checked. */
export const checkProgressMethod = 'checkpointLens/checkProgress';

export interface CheckProgressMessage extends CheckFoldersParams, CheckFoldersProgress {}

export interface CheckFoldersProgress {
  readonly checked: number;
  readonly files: number;
  readonly findings: number;
}

/** Its result. Stopped or failed, `checked` is below `files`. */
export interface CheckFoldersResult extends CheckFoldersProgress {
  /** `replaced`: it was asked for again before it was done. */
  readonly ended: 'done' | 'stopped' | 'replaced' | 'failed';
  readonly filesWithFindings: number;
  /** Why it failed. */
  readonly reason?: string;
}
