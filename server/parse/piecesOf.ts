import type { Parser, Tree } from 'web-tree-sitter';
import type { Span } from '../core/text/span.ts';
import { type KnownUnit, type Piece, pieceOfTree } from './moduleOfTree.ts';
import { sectionsOf } from './sections.ts';

/** What is still known of an earlier version of the text. */
export interface KnownPieces {
  readonly unit: KnownUnit;
  /** All that one section became. */
  section(place: Span): Piece | undefined;
}

/**
 * The pieces of a text: one where the tree of all of it has no error. Else each section is parsed by itself, from its own text
 * alone: in broken code tree-sitter's recovery depends on what stands around and on what stood there before, and what is said
 * about a text must not. `text` has line feeds alone, as Python sees it.
 */
export function piecesOf(parser: Parser, text: string, tree: Tree | null, known: KnownPieces): readonly Piece[] {
  const whole = { start: 0, end: text.length };
  if (tree !== null && !tree.rootNode.hasError) return [pieceOfTree(tree, text, whole, known.unit)];
  return sectionsOf(text).map((place) => {
    const before = known.section(place);
    if (before !== undefined) return before;
    const part = parser.parse(text.slice(place.start, place.end));
    if (part === null) return { ...place, isModule: false, units: [] };
    try {
      return pieceOfTree(part, text, place, known.unit);
    } finally {
      part.delete();
    }
  });
}
