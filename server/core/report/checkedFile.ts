import type { Diagnostic } from '../lint/rule.ts';
import type { CheckedCells } from '../notebook/fixCells.ts';
import type { LineIndex } from '../text/lineIndex.ts';
import type { Span } from '../text/span.ts';

/** A file with findings, as every report format takes it. */
export interface CheckedFile {
  /** As the person gave it, or as the walk through a folder they gave made it. */
  readonly path: string;
  /** Without a byte order mark, so that columns do not count it. */
  readonly text: string;
  readonly diagnostics: readonly Diagnostic[];
  /** The same findings by cell; `text` and `diagnostics` are then of the notebook's JSON. */
  readonly notebook?: CheckedCells | undefined;
}

export interface CheckReport {
  /** Files looked at, with and without findings. */
  readonly files: number;
  /** Only files with findings, in the order to show them. */
  readonly withFindings: readonly CheckedFile[];
}

export const findingCount = ({ withFindings }: CheckReport): number =>
  withFindings.reduce((sum, { diagnostics }) => sum + diagnostics.length, 0);

/** One-based lines and columns, columns in UTF-16 units, the end exclusive: what all report formats count in. */
export interface Region {
  readonly startLine: number;
  readonly startColumn: number;
  readonly endLine: number;
  readonly endColumn: number;
}

export function regionOf(lines: LineIndex, span: Span): Region {
  const start = lines.positionAt(span.start);
  const end = lines.positionAt(span.end);
  return {
    startLine: start.line + 1,
    startColumn: start.column + 1,
    endLine: end.line + 1,
    endColumn: end.column + 1,
  };
}

/** `3 findings`, `1 finding`. */
export const counted = (count: number, what: string): string => `${count} ${what}${count === 1 ? '' : 's'}`;
