import type { Module } from '../python/ast.ts';
import type { CallIndex } from '../python/calls.ts';
import type { Enclosing } from '../python/enclosing.ts';
import type { Names } from '../python/names.ts';
import type { CheckpointSite } from '../sites/checkpointSite.ts';
import type { TextEdit } from '../text/edit.ts';
import type { Span } from '../text/span.ts';
import type { Versions } from '../torch/version.ts';
import type { SourceFile, Workspace } from '../workspace/workspace.ts';
import type { ChosenStrategy } from './chosen.ts';

/** One place of a text that decides about checkpointing, or could. */
export interface ApplyPlace {
  readonly form: 'arguments' | 'call' | 'loop' | 'model' | 'setting';
  /** What a person calls it: `TrainingArguments`, `the loop over self.blocks`. */
  readonly what: string;
  /** Where an editor offers to change it. */
  readonly at: Span;
  /** It checkpoints as it stands. */
  readonly isOn: boolean;
  readonly put: (chosen: ChosenStrategy) => Change;
}

/** What makes a place say a strategy: nothing where it says it already; or why that cannot be done for certain. */
export type Change = { readonly edits: readonly TextEdit[] } | { readonly why: string };

/** What the forms ask about a Python file; all of it plain data. */
export interface ApplyContext {
  readonly file: SourceFile;
  readonly module: Module;
  readonly names: Names;
  readonly calls: CallIndex;
  readonly sites: readonly CheckpointSite[];
  readonly workspace: Workspace | undefined;
  readonly versions: Versions;
  /** Layers of the model, where they are known. */
  readonly layers: number | undefined;
  readonly lineOf: (place: Span) => number;
  readonly around: (place: Span) => Enclosing;
}

export const cannot = (why: string): Change => ({ why });
export const change = (...edits: readonly TextEdit[]): Change => ({ edits });

/** The change, or why there is none, where a layout could not be followed. */
export const changeOr = (edits: readonly TextEdit[] | undefined, why: string): Change =>
  edits === undefined ? { why } : { edits };
