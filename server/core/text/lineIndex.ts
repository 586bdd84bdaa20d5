import type { Span } from './span.ts';

/** A place in a text: zero-based line, zero-based column in UTF-16 units (LSP's and VS Code's own count). */
export interface Position {
  readonly line: number;
  readonly column: number;
}

/**
 * Answers "which line is this offset on" by binary search. Lines end at `\n`, `\r\n` or a lone `\r`, as LSP has it, so a
 * file with mixed line endings has the same line numbers here, in the editor and on the command line.
 */
export class LineIndex {
  readonly #starts: readonly number[];
  readonly #length: number;

  constructor(text: string) {
    this.#starts = text.includes('\r') ? startsOfAny(text) : startsBehindLineFeeds(text);
    this.#length = text.length;
  }

  lineAt(offset: number): number {
    let low = 0;
    let high = this.#starts.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if ((this.#starts[middle] ?? 0) <= offset) low = middle;
      else high = middle - 1;
    }
    return low;
  }

  positionAt(offset: number): Position {
    const line = this.lineAt(offset);
    return { line, column: offset - this.lineStart(line) };
  }

  lineStart(line: number): number {
    return this.#starts[line] ?? this.#length;
  }

  /** The line with its line break. */
  lineSpan(line: number): Span {
    return { start: this.lineStart(line), end: this.#starts[line + 1] ?? this.#length };
  }
}

function startsBehindLineFeeds(text: string): readonly number[] {
  const starts = [0];
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) starts.push(at + 1);
  return starts;
}

function startsOfAny(text: string): readonly number[] {
  const starts = [0];
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    if (unit === 10 || (unit === 13 && text.charCodeAt(i + 1) !== 10)) starts.push(i + 1);
  }
  return starts;
}
