import type { Comment } from '../python/ast.ts';
import type { Span } from '../text/span.ts';
import type { ConfigNode } from './tree.ts';

/** What a parser makes of a configuration's text; it always makes something. */
export interface ParsedConfig {
  /** Undefined where there is nothing, or nothing that could be read. */
  readonly root: ConfigNode | undefined;
  /** Whole lines the parser could not make sense of; nothing is said about them. */
  readonly unreliable: readonly Span[];
  /** With `#` in front, whatever the format writes there. Computed when asked for: few files need it. */
  readonly comments: () => readonly Comment[];
}

export const unreadable = (text: string): ParsedConfig => ({
  root: undefined,
  unreliable: [{ start: 0, end: text.length }],
  comments: () => [],
});

/** Spans widened to whole lines: what stands beside an error is as doubtful as the error. */
export function withLines(text: string, spans: readonly Span[]): Span[] {
  return spans.slice(0, mostErrors).map(({ start, end }) => {
    const from = text.lastIndexOf('\n', Math.max(0, start - 1)) + 1;
    const to = text.indexOf('\n', Math.max(start, end));
    return { start: Math.min(from, start), end: to < 0 ? text.length : to };
  });
}

/** A file with more errors is none of ours, and looking each of them up would take long. */
const mostErrors = 1000;
