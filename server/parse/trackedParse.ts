import { Edit, type Parser, type Point, type Tree } from 'web-tree-sitter';
import type { Module } from '../core/python/ast.ts';
import { sectionsOf } from '../core/python/sections.ts';
import type { Span } from '../core/text/span.ts';
import { withLineFeeds } from './lineFeeds.ts';
import type { LoweredUnit } from './lowerStatements.ts';
import { moduleOf, type Piece, pieceOfTree, type Unit } from './moduleOfTree.ts';
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
  let text = '';
  let source = '';
  /** Of the version before, by where they begin. */
  let pieces: ReadonlyMap<number, Piece> = new Map();
  let units: ReadonlyMap<number, Unit> = new Map();
  /** Of long sections without an error, by where they begin. */
  let trees: ReadonlyMap<number, Tree> = new Map();
  return {
    update(next) {
      const before = source;
      const change = changeBetween(before, withLineFeeds(next));
      const delta = next.length - text.length;
      text = next;
      source = withLineFeeds(next);
      const kept = new Map<number, Tree>();
      const found = sectionsOf(source).map((place) => {
        const moved = place.end <= change.start ? 0 : delta;
        const tree = trees.get(place.start - moved);
        const same = unchangedSection(place, change, moved);
        if (same !== undefined) {
          if (tree !== undefined) kept.set(place.start, tree);
          return same;
        }
        const parsed = parseSection(place, change, before);
        const piece = pieceOfTree(parsed, source, place, (here, type) => unchanged(here, type, change, delta));
        if (parsed !== null && place.end - place.start > longSection && !parsed.rootNode.hasError)
          kept.set(place.start, parsed);
        else parsed?.delete();
        return piece;
      });
      const stillUsed = new Set(kept.values());
      for (const tree of trees.values()) if (!stillUsed.has(tree)) tree.delete();
      trees = kept;
      pieces = new Map(found.map((piece) => [piece.start, piece]));
      units = new Map(found.flatMap((piece) => piece.units.map((unit) => [unit.start, unit])));
      return moduleOf(next, found);
    },
    dispose() {
      for (const tree of trees.values()) tree.delete();
      trees = new Map();
    },
  };

  /** A statement at the top without an error means what its own text means; outside the change the text is the same. */
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

  /** Whatever a section means, with its errors, it means by its own text. */
  function unchangedSection({ start, end }: Span, change: Span, moved: number): Piece | undefined {
    if (end > change.start && start - moved < change.end) return undefined;
    const before = pieces.get(start - moved);
    if (before?.end !== end - moved) return undefined;
    if (moved === 0) return before;
    for (const { lowered } of before.units) moveUnit(lowered, moved);
    const movedUnits = before.units.map((unit) => ({ ...unit, start: unit.start + moved, end: unit.end + moved }));
    return { start, end, isModule: before.isModule, units: movedUnits };
  }

  /**
   * In broken code tree-sitter's recovery depends on what stood there before. What is said about a text must not, so only a
   * tree without an error is made from the one before.
   */
  function parseSection({ start, end }: Span, change: Change, before: string): Tree | null {
    const own = source.slice(start, end);
    const known = pieces.get(start);
    const tree = trees.get(start);
    const isInside = known !== undefined && change.start >= start && change.end <= known.end;
    if (tree === undefined || !isInside || end - change.newEnd !== known.end - change.end) return parser.parse(own);
    tree.edit(editOf(before.slice(start, known.end), own, start, change));
    const parsed = parser.parse(own, tree);
    if (parsed?.rootNode.hasError === false) return parsed;
    parsed?.delete();
    return parser.parse(own);
  }
}

/** A fresh parse of less than this is as quick as to look for what has changed. In UTF-16 units. */
const longSection = 10_000;

/** The stretch of the text before that is another one now, and where that ends now. */
interface Change extends Span {
  readonly newEnd: number;
}

function changeBetween(before: string, after: string): Change {
  const shorter = Math.min(before.length, after.length);
  const start = commonLength(shorter, (length, at) => before.slice(at, at + length) === after.slice(at, at + length));
  const behind = commonLength(shorter - start, (length, at) => {
    const end = at + length;
    return before.slice(before.length - end, before.length - at) === after.slice(after.length - end, after.length - at);
  });
  return { start, end: before.length - behind, newEnd: after.length - behind };
}

/** A change within a section that begins at `start`, as tree-sitter wants to hear of it. */
function editOf(before: string, after: string, start: number, change: Change): Edit {
  const [startIndex, oldEndIndex, newEndIndex] = [change.start - start, change.end - start, change.newEnd - start];
  return new Edit({
    startIndex,
    oldEndIndex,
    newEndIndex,
    startPosition: pointAt(before, startIndex),
    oldEndPosition: pointAt(before, oldEndIndex),
    newEndPosition: pointAt(after, newEndIndex),
  });
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
