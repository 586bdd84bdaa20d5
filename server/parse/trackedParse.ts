import { Edit, type Parser, type Point, type Tree } from 'web-tree-sitter';
import type { Module } from '../core/python/ast.ts';
import { type Cuts, cutsAgain, cutsOf, sectionsAt } from '../core/python/sections.ts';
import { type Stretches, stretchesIn } from '../core/python/stretches.ts';
import { type Change, changeBetween } from '../core/text/change.ts';
import type { Span } from '../core/text/span.ts';
import { withLineFeeds } from './lineFeeds.ts';
import type { LoweredUnit, Unit } from './lowerStatements.ts';
import type { PartsBefore } from './members.ts';
import { moduleOf, type ReadSection, readSection } from './moduleOfSections.ts';
import { type Piece, parsedText, pieceOfTree, type Stretch } from './moduleOfTree.ts';
import { movePiece, moveSection, moveUnit } from './moveSection.ts';

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
  let sections: ReadonlyMap<number, ReadSection> = new Map();
  let cuts: Cuts | undefined;
  let stretches: Stretches | undefined;
  let pieces = byPlace<Piece>([]);
  /** In this version, each by itself: a section may be read a second time, and then in other units. */
  let moved = new Set<Unit>();
  /** Of long pieces; of one with an error the last tree without one, which has been told of all edits since. */
  let trees = new Map<Piece, Tree>();
  return {
    update(next) {
      const before = source;
      const delta = next.length - text.length;
      text = next;
      source = withLineFeeds(next);
      const change = changeBetween(before, source);
      const parsed = new Map<Piece, Tree>();
      moved = new Set();
      const read = (stretch: Stretch): Piece =>
        unchangedPiece(stretch, change, delta) ?? parse(stretch, change, before, delta, parsed);
      cuts = cuts === undefined ? cutsOf(source) : cutsAgain(source, cuts, change);
      const found = sectionsAt(cuts, source.length).map(
        (place) =>
          unchangedSection(place, change, delta) ?? readSection(place, source, read, partsBefore(place, change, delta)),
      );
      const current = found.flatMap((section) => section.pieces);
      trees = stillUsed(current, [...trees, ...parsed]);
      sections = new Map(found.map((section) => [section.start, section]));
      pieces = byPlace(current);
      const module = moduleOf(next, found);
      stretches = stretchesIn(module.body, current, stretches);
      return { ...module, stretches };
    },
    dispose() {
      for (const tree of trees.values()) tree.delete();
      trees = new Map();
    },
  };

  /** A statement without an error means what its own text means; outside the change the text is the same. */
  function unchangedUnit(
    { start, end }: Span,
    type: string,
    unitAt: PlacedParts<Unit>['at'],
    change: Span,
    delta: number,
  ): LoweredUnit | undefined {
    const isSame = (unit: Unit | undefined, moved: number): unit is Unit =>
      unit?.sound === true && unit.type === type && unit.start === start - moved && unit.end === end - moved;
    const before = unitAt(start);
    if (end < change.start && isSame(before, 0)) return before.lowered;
    const behind = unitAt(start - delta);
    if (start - delta <= change.end || !isSame(behind, delta)) return undefined;
    if (delta === 0) return behind.lowered;
    if (holdsMoved(behind)) return undefined;
    moveUnit(behind, delta);
    moved.add(behind);
    return behind.lowered;
  }

  function holdsMoved({ lowered }: Unit): boolean {
    return lowered.inner.some((one) => moved.has(one) || holdsMoved(one));
  }

  /** Whatever a section means, with its errors, it means by its own text. */
  function unchangedSection(place: Span, change: Span, delta: number): ReadSection | undefined {
    const moved = movedBy(place, change, delta);
    const before = moved === undefined ? undefined : sections.get(place.start - moved);
    if (moved === undefined || before === undefined || !isAt(before, place, moved)) return undefined;
    if (moved !== 0) moveSection(before, moved);
    return before;
  }

  /** Only where the change lies within the class, all of it. */
  function partsBefore({ start, end }: Span, change: Change, delta: number): PartsBefore | undefined {
    const known = sections.get(start);
    const isInside = change.start > start && known?.start === start && known.end === end - delta;
    if (!isInside || known.parts === undefined || change.end > known.end) return undefined;
    const inClass = { start: change.start - start, end: change.end - start, newEnd: change.newEnd - start };
    return { parts: known.parts, change: inClass };
  }

  function unchangedPiece(place: Stretch, change: Span, delta: number): Piece | undefined {
    const moved = movedBy(place, change, delta);
    const before = moved === undefined ? undefined : pieces.at(place.start - moved);
    if (moved === undefined || before === undefined || !isAt(before, place, moved)) return undefined;
    if (before.role !== place.role || before.indent !== place.indent) return undefined;
    if (moved !== 0) movePiece(before, moved);
    return before;
  }

  function parse(stretch: Stretch, change: Change, before: string, delta: number, parsed: Map<Piece, Tree>): Piece {
    const { tree, sound } = treesOf(stretch, change, before);
    const units = byPlace(unitsOf(pieces.over(placeBefore(stretch, change, delta))));
    const piece = pieceOfTree(tree, source, stretch, (here, type) =>
      unchangedUnit(here, type, units.at, change, delta),
    );
    if (sound !== undefined) parsed.set(piece, sound);
    if (tree !== sound) tree?.delete();
    return piece;
  }

  /**
   * The tree of a stretch, and the last one without an error that there was, which is kept for the next version if it is long.
   * In broken code tree-sitter's recovery depends on what stood there before. What is said about a text must not, so only a
   * tree without an error is made from the one before.
   */
  function treesOf(
    stretch: Stretch,
    change: Change,
    before: string,
  ): { readonly tree: Tree | null; readonly sound: Tree | undefined } {
    const { start, end, role, indent } = stretch;
    const now = parsedText(source, stretch);
    const known = pieces.at(start);
    const last = known && trees.get(known);
    const isInside =
      known?.role === role && known.indent === indent && change.start >= start && change.end <= known.end;
    if (last === undefined || !isInside || end - change.newEnd !== known.end - change.end) return parsedAnew(now.text);
    last.edit(editOf(parsedText(before, known).text, now.text, start - now.before, change));
    const again = parser.parse(now.text, last);
    if (again?.rootNode.hasError === false) return { tree: again, sound: again };
    again?.delete();
    const anew = parsedAnew(now.text);
    // It has been told of this edit, and will be of the next.
    trees.delete(known);
    return { tree: anew.tree, sound: last };
  }

  function parsedAnew(text: string): { readonly tree: Tree | null; readonly sound: Tree | undefined } {
    const tree = parser.parse(text);
    const isKept = tree !== null && text.length > longPiece && !tree.rootNode.hasError;
    return { tree, sound: isKept ? tree : undefined };
  }
}

/** Sorted parts, by where they stood when they were put together: some of them may have been moved since. */
interface PlacedParts<Part> {
  /** The one that began there. */
  at(start: number): Part | undefined;
  /** All that reached into the place, and perhaps the one in front of it. */
  over(place: Span): readonly Part[];
}

/** A map would take longer to make. */
function byPlace<Part extends Span>(parts: readonly Part[]): PlacedParts<Part> {
  const starts = new Int32Array(parts.length);
  parts.forEach(({ start }, index) => {
    starts[index] = start;
  });
  const firstFrom = (start: number): number => {
    let low = 0;
    let high = starts.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((starts[middle] ?? 0) < start) low = middle + 1;
      else high = middle;
    }
    return low;
  };
  return {
    at(start) {
      const index = firstFrom(start);
      return starts[index] === start ? parts[index] : undefined;
    },
    over: ({ start, end }) => parts.slice(Math.max(firstFrom(start) - 1, 0), firstFrom(end)),
  };
}

/** Where a stretch of the text as it is now was before. */
function placeBefore({ start, end }: Span, change: Change, delta: number): Span {
  return {
    start: start < change.newEnd ? Math.min(start, change.start) : start - delta,
    end: Math.max(end - delta, change.start),
  };
}

/** All units of some pieces, in source order, also those within others. */
function unitsOf(pieces: readonly Piece[]): readonly Unit[] {
  const found: Unit[] = [];
  const add = (unit: Unit): void => {
    found.push(unit);
    unit.lowered.inner.forEach(add);
  };
  for (const { isModule, role, units } of pieces) {
    if (!isModule) continue;
    // The class that a head begins ends elsewhere.
    for (const unit of units)
      if (role === 'head') unit.lowered.inner.forEach(add);
      else add(unit);
  }
  return found;
}

/** By how much a place outside the change has moved; undefined where it touches the change. */
function movedBy({ start, end }: Span, change: Span, delta: number): number | undefined {
  const moved = end <= change.start ? 0 : delta;
  return end > change.start && start - moved < change.end ? undefined : moved;
}

const isAt = (before: Span, { start, end }: Span, moved: number): boolean =>
  before.start === start - moved && before.end === end - moved;

/** Frees the trees of pieces that are none any more. */
function stillUsed(current: readonly Piece[], trees: readonly (readonly [Piece, Tree])[]): Map<Piece, Tree> {
  if (trees.length === 0) return new Map();
  const used = new Set(current);
  for (const [piece, tree] of trees) if (!used.has(piece)) tree.delete();
  return new Map(trees.filter(([piece]) => used.has(piece)));
}

/** A fresh parse of less than this is as quick as to look for what has changed. In UTF-16 units. */
const longPiece = 10_000;

/** A change within a text that begins at `start`, as tree-sitter wants to hear of it. */
function editOf(before: string, after: string, start: number, change: Change): Edit {
  const [startIndex, oldEndIndex, newEndIndex] = [change.start - start, change.end - start, change.newEnd - start];
  const startPosition = pointBehind({ row: 0, column: 0 }, before, 0, startIndex);
  const oldEndPosition = pointBehind(startPosition, before, startIndex, oldEndIndex);
  const newEndPosition = pointBehind(startPosition, after, startIndex, newEndIndex);
  return new Edit({ startIndex, oldEndIndex, newEndIndex, startPosition, oldEndPosition, newEndPosition });
}

/** Goes on from the point at `from`. tree-sitter counts rows by line feeds alone. */
function pointBehind({ row, column }: Point, text: string, from: number, to: number): Point {
  let rows = 0;
  let lineStart = from - column;
  for (let at = text.indexOf('\n', from); at >= 0 && at < to; at = text.indexOf('\n', at + 1)) {
    rows++;
    lineStart = at + 1;
  }
  return { row: row + rows, column: to - lineStart };
}
