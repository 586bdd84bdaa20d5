import { Edit, type Parser, type Point, type Tree } from 'web-tree-sitter';
import type { Module } from '../core/python/ast.ts';
import type { Span } from '../core/text/span.ts';
import { withLineFeeds } from './lineFeeds.ts';
import type { LoweredUnit } from './lowerStatements.ts';
import { moduleOfTree, type Unit } from './moduleOfTree.ts';
import { moveUnit } from './moveUnit.ts';

/** The parse of a document that changes: each version costs what has changed since the one before. */
export interface TrackedParse {
  /**
   * Statements the change leaves alone are the same objects as before, moved to where they now stand. So the module of the
   * version before must not be read any more.
   */
  update(text: string): Module;
  /** Frees the tree that is kept between versions. */
  dispose(): void;
}

export function trackedParse(parser: Parser): TrackedParse {
  let tree: Tree | undefined;
  let text = '';
  let source = '';
  /** Of the version before, by where they begin. */
  let units: ReadonlyMap<number, Unit> = new Map();
  return {
    update(next) {
      const nextSource = withLineFeeds(next);
      const change = changeBetween(source, nextSource);
      tree?.edit(change.edit);
      const parsed = soundOrFresh(nextSource, tree);
      tree?.delete();
      tree = parsed ?? undefined;
      const delta = next.length - text.length;
      text = next;
      source = nextSource;
      if (parsed === null) {
        units = new Map();
        return { text, body: [], comments: [], unreliable: [{ start: 0, end: text.length }] };
      }
      // A statement at the top without an error means what its own text means; outside the change the text is the same.
      const found = moduleOfTree(parsed, text, (place, type) => unchanged(place, type, change, delta));
      units = new Map(found.units.map((unit) => [unit.start, unit]));
      return found.module;
    },
    dispose() {
      tree?.delete();
      tree = undefined;
    },
  };

  function unchanged({ start, end }: Span, type: number, change: Span, delta: number): LoweredUnit | undefined {
    const isSame = (unit: Unit | undefined, moved: number): unit is Unit =>
      unit?.sound === true && unit.type === type && unit.end === end - moved;
    const before = units.get(start);
    if (end < change.start && isSame(before, 0)) return before.lowered;
    const behind = units.get(start - delta);
    if (start - delta <= change.end || !isSame(behind, delta)) return undefined;
    if (delta !== 0) moveUnit(behind.lowered, delta);
    return behind.lowered;
  }

  /**
   * In broken code tree-sitter's recovery depends on what stood there before. What is said about a text must not, so a tree
   * with an error in it is made anew from the text alone.
   */
  function soundOrFresh(nextSource: string, before: Tree | undefined): Tree | null {
    const parsed = parser.parse(nextSource, before);
    if (before === undefined || parsed?.rootNode.hasError === false) return parsed;
    parsed?.delete();
    return parser.parse(nextSource);
  }
}

/** The smallest stretch of `before` that differs, also as tree-sitter wants to hear of it. */
function changeBetween(before: string, after: string): Span & { readonly edit: Edit } {
  const shorter = Math.min(before.length, after.length);
  const start = commonLength(shorter, (length, at) => before.slice(at, at + length) === after.slice(at, at + length));
  const behind = commonLength(shorter - start, (length, at) => {
    const end = at + length;
    return before.slice(before.length - end, before.length - at) === after.slice(after.length - end, after.length - at);
  });
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

/** How far two texts agree, by halves: comparing whole stretches is many times quicker than unit by unit. */
function commonLength(most: number, agree: (length: number, at: number) => boolean): number {
  let known = 0;
  for (let step = most; step > 0; step = Math.min(step, most - known) >> 1) {
    while (known + step <= most && agree(step, known)) known += step;
  }
  return known;
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
