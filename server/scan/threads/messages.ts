import type { Diagnostic } from '../../core/lint/rule.ts';
import type { Observed } from '../cache/observedDisk.ts';
import type { LintRequest } from '../checkSource.ts';

/** What a thread that checks files is started with. */
export interface CheckingStart extends Pick<LintRequest, 'isNarrowed' | 'versions' | 'severities'> {
  readonly role: 'check';
  /** Codes of the rules. */
  readonly rules: readonly string[];
  /** Where imports are looked up from. */
  readonly folders: readonly string[];
}

export type ToThread =
  | { readonly kind: 'check'; readonly number: number; readonly path: string; readonly bytes: Uint8Array }
  | { readonly kind: 'notes' };

export type FromThread =
  | { readonly kind: 'ready' }
  | { readonly kind: 'checked'; readonly number: number; readonly answer: ThreadAnswer }
  | { readonly kind: 'notes'; readonly notes: ThreadNotes };

/** Of one file. A rule that threw is told by its code. */
export interface ThreadAnswer {
  readonly diagnostics: readonly Diagnostic[];
  readonly crashes: readonly { readonly code: string; readonly message: string }[];
  /** Why the file could not be checked, where that is so. */
  readonly failed?: string;
}

/** What a thread has asked the disk, which is what its answers depend on. */
export interface ThreadNotes {
  readonly asked: readonly (readonly [file: string, paths: readonly string[]])[];
  /** Undefined of a path that was two things at two times. */
  readonly observed: readonly (readonly [path: string, observed: Observed | undefined])[];
}
