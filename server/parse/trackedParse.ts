import { Edit, type Parser, type Point, type Tree } from 'web-tree-sitter';
import type { Module } from '../core/python/ast.ts';
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
  let units: ReadonlyMap<number, Unit> = new Map();
  return {
    update(next) {
      const change = changeBetween(text, next);
      tree?.edit(change.edit);
      const parsed = soundOrFresh(next, tree);
      tree?.delete();
      tree = parsed ?? undefined;
      if (parsed === null) return { text: next, body: [], comments: [], unreliable: [{ start: 0, end: next.length }] };
      // Subtrees outside the change keep their identity in tree-sitter's new tree; their text is the same by definition.
      const { module, units: found } = moduleOfTree(parsed, next, (id, { start, end }) => {
        const unit = units.get(id);
        if (unit === undefined) return undefined;
        const delta = start - unit.start;
        const isBefore = unit.end < change.start && delta === 0;
        const isBehind = unit.start > change.oldEnd && delta === next.length - text.length;
        if (end - start !== unit.end - unit.start || !(isBefore || isBehind)) return undefined;
        return delta === 0 ? unit.lowered : shifted(unit.lowered, delta);
      });
      units = new Map(found.map((unit) => [unit.id, unit]));
      text = next;
      return module;
    },
    dispose() {
      tree?.delete();
      tree = undefined;
    },
  };

  /**
   * In broken code tree-sitter's recovery depends on what stood there before. What is said about a text must not, so a tree
   * with an error in it is made anew from the text alone.
   */
  function soundOrFresh(next: string, before: Tree | undefined): Tree | null {
    const parsed = parser.parse(next, before);
    if (before === undefined || parsed?.rootNode.hasError === false) return parsed;
    parsed?.delete();
    return parser.parse(next);
  }
}

/** The smallest stretch that differs, as tree-sitter wants to hear of it. */
function changeBetween(before: string, after: string): { start: number; oldEnd: number; edit: Edit } {
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
  return { start, oldEnd, edit };
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
