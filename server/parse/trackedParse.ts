import { Edit, type Parser, type Point, type Tree } from 'web-tree-sitter';
import type { Module } from '../core/python/ast.ts';
import type { Span } from '../core/text/span.ts';
import { withLineFeeds } from './lineFeeds.ts';
import type { LoweredUnit } from './lowerStatements.ts';
import { moduleOf, type Piece, type Unit } from './moduleOfTree.ts';
import { moveUnit } from './moveUnit.ts';
import { piecesOf } from './piecesOf.ts';

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
  let pieces: readonly Piece[] = [];
  /** Of the version before, by where they begin. */
  let units: ReadonlyMap<number, Unit> = new Map();
  return {
    update(next) {
      const nextSource = withLineFeeds(next);
      const change = changeBetween(source, nextSource);
      tree?.edit(change.edit);
      const parsed = parser.parse(nextSource, tree);
      tree?.delete();
      tree = parsed ?? undefined;
      const delta = next.length - text.length;
      text = next;
      source = nextSource;
      pieces = piecesOf(parser, nextSource, parsed, {
        unit: (place, type) => unchanged(place, type, change, delta),
        section: (place) => unchangedSection(place, change, delta),
      });
      units = new Map(pieces.flatMap((piece) => piece.units.map((unit) => [unit.start, unit])));
      return moduleOf(next, pieces);
    },
    dispose() {
      tree?.delete();
      tree = undefined;
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

  function unchangedSection({ start, end }: Span, change: Span, delta: number): Piece | undefined {
    const moved = end <= change.start ? 0 : delta;
    if (end > change.start && start - delta < change.end) return undefined;
    const before = pieceAt(start - moved, end - moved);
    if (before === undefined || moved === 0) return before;
    for (const { lowered } of before.units) moveUnit(lowered, moved);
    const movedUnits = before.units.map((unit) => ({ ...unit, start: unit.start + moved, end: unit.end + moved }));
    return { start, end, isModule: before.isModule, units: movedUnits };
  }

  /** What the version before had there, where that was parsed as a whole or is a part without any error. */
  function pieceAt(start: number, end: number): Piece | undefined {
    const around = pieces.find((piece) => piece.start <= start && end <= piece.end);
    if (around === undefined || (around.start === start && around.end === end)) return around;
    const own = around.units.filter((unit) => unit.start < end && unit.end > start);
    const isWhole = around.isModule && own.every((unit) => unit.sound && unit.start >= start && unit.end <= end);
    return isWhole ? { start, end, isModule: true, units: own } : undefined;
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
