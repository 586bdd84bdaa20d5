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
  readonly #text: string;
  #known: readonly number[] | undefined;

  constructor(text: string) {
    this.#text = text;
  }

  /** Most texts have no finding, and then nobody asks for a line of theirs. */
  get #starts(): readonly number[] {
    this.#known ??= this.#text.includes('\r') ? startsOfAny(this.#text) : startsBehindLineFeeds(this.#text);
    return this.#known;
  }

  lineAt(offset: number): number {
    const starts = this.#starts;
    let low = 0;
    let high = starts.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if ((starts[middle] ?? 0) <= offset) low = middle;
      else high = middle - 1;
    }
    return low;
  }

  positionAt(offset: number): Position {
    const line = this.lineAt(offset);
    return { line, column: offset - this.lineStart(line) };
  }

  lineStart(line: number): number {
    return this.#starts[line] ?? this.#text.length;
  }

  /** The line with its line break. */
  lineSpan(line: number): Span {
    return { start: this.lineStart(line), end: this.#starts[line + 1] ?? this.#text.length };
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
