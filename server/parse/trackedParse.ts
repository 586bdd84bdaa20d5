import { Edit, type Parser, type Point, type Tree } from 'web-tree-sitter';
import type { Module } from '../core/python/ast.ts';
import type { Span } from '../core/text/span.ts';
import { withLineFeeds } from './lineFeeds.ts';
import type { LoweredUnit } from './lowerStatements.ts';
import { moduleOfTree, type Unit } from './moduleOfTree.ts';
import { shifted } from './shifted.ts';

/** The parse of a document that changes: each version costs what has changed since the one before. */
export interface TrackedParse {
  update(text: string): Module;
  /** Frees the tree that is kept between versions. */
  dispose(): void;
}

export function trackedParse(parser: Parser): TrackedParse {
  let tree: Tree | undefined;
  let text = '';
  /** Of the version before, by where they begin; none where that version had an error. */
  let units: ReadonlyMap<number, Unit> = new Map();
  return {
    update(next) {
      const change = changeBetween(withLineFeeds(text), withLineFeeds(next));
      tree?.edit(change.edit);
      const parsed = soundOrFresh(next, tree);
      tree?.delete();
      tree = parsed ?? undefined;
      if (parsed === null) return { text: next, body: [], comments: [], unreliable: [{ start: 0, end: next.length }] };
      // Without errors a statement at the top means what its own text means; outside the change the text is the same.
      const { module, units: found } = moduleOfTree(parsed, next, (place) =>
        unchanged(place, change, next.length - text.length),
      );
      units = new Map(parsed.rootNode.hasError ? [] : found.map((unit) => [unit.start, unit]));
      text = next;
      return module;
    },
    dispose() {
      tree?.delete();
      tree = undefined;
    },
  };

  function unchanged({ start, end }: Span, change: Span, delta: number): LoweredUnit | undefined {
    if (tree?.rootNode.hasError !== false) return undefined;
    const before = units.get(start);
    if (before !== undefined && before.end === end && end < change.start) return before.lowered;
    const behind = units.get(start - delta);
    if (behind === undefined || behind.end !== end - delta || behind.start <= change.end) return undefined;
    return delta === 0 ? behind.lowered : shifted(behind.lowered, delta);
  }

  /**
   * In broken code tree-sitter's recovery depends on what stood there before. What is said about a text must not, so a tree
   * with an error in it is made anew from the text alone.
   */
  function soundOrFresh(next: string, before: Tree | undefined): Tree | null {
    const source = withLineFeeds(next);
    const parsed = parser.parse(source, before);
    if (before === undefined || parsed?.rootNode.hasError === false) return parsed;
    parsed?.delete();
    return parser.parse(source);
  }
}

/** The smallest stretch of `before` that differs, also as tree-sitter wants to hear of it. */
function changeBetween(before: string, after: string): Span & { readonly edit: Edit } {
  const shorter = Math.min(before.length, after.length);
  let start = 0;
  while (start < shorter && before.charCodeAt(start) === after.charCodeAt(start)) start++;
  let behind = 0;
  while (
    behind < shorter - start &&
    before.charCodeAt(before.length - 1 - behind) === after.charCodeAt(after.length - 1 - behind)
  ) {
    behind++;
  }
  const oldEnd = before.length - behind;
  const newEnd = after.length - behind;
  const edit = new Edit({
    startIndex: start,
    oldEndIndex: oldEnd,
    newEndIndex: newEnd,
    startPosition: pointAt(before, start),
    oldEndPosition: pointAt(before, oldEnd),
    newEndPosition: pointAt(after, newEnd),
  });
  return { start, end: oldEnd, edit };
}

/** tree-sitter counts rows by line feeds alone. */
function pointAt(text: string, offset: number): Point {
  let row = 0;
  let lineStart = 0;
  for (let at = text.indexOf('\n'); at >= 0 && at < offset; at = text.indexOf('\n', at + 1)) {
    row++;
    lineStart = at + 1;
  }
  return { row, column: offset - lineStart };
}
