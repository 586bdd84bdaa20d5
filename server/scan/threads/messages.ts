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

/** What a thread that goes through folders is started with. */
export interface ScanStart {
  readonly role: 'scan';
  readonly folders: readonly ScannedFolder[];
  /** Only these files, whatever the folders hold; absent for all. */
  readonly files?: readonly string[];
  /** Threads that check, at most; one is the one that scans. */
  readonly threads: number;
}

export interface ScannedFolder extends Pick<LintRequest, 'severities' | 'versions'> {
  readonly path: string;
  /** Globs, as editors have them. */
  readonly excluded: readonly string[];
}

/** From a scan, in this order: files once, then states and findings by and by, and an end. */
export type FromScan =
  /** All that it is going to look at, as absolute paths with `/`. */
  | { readonly kind: 'files'; readonly paths: readonly string[] }
  | { readonly kind: 'state'; readonly checked: number }
  /** Of a file that has any. */
  | { readonly kind: 'found'; readonly path: string; readonly findings: readonly PlacedFinding[] }
  /** Something that could not be read, or is too large. */
  | { readonly kind: 'note'; readonly text: string }
  | { readonly kind: 'end'; readonly files: number }
  /** It came to an end that nobody wanted. */
  | { readonly kind: 'failed'; readonly reason: string };

/** A finding by lines and columns, both from zero. */
export interface PlacedFinding extends Pick<Diagnostic, 'code' | 'severity' | 'message'> {
  readonly start: { readonly line: number; readonly column: number };
  readonly end: { readonly line: number; readonly column: number };
}

/** What a thread has asked the disk, which is what its answers depend on. */
export interface ThreadNotes {
  readonly asked: readonly (readonly [file: string, paths: readonly string[]])[];
  /** Undefined of a path that was two things at two times. */
  readonly observed: readonly (readonly [path: string, observed: Observed | undefined])[];
}
