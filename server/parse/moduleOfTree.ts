import type { Tree, TreeCursor } from 'web-tree-sitter';
import type { Module } from '../core/python/ast.ts';
import type { Span } from '../core/text/span.ts';
import { type LoweredUnit, lowerUnit } from './lowerStatements.ts';
import { copySyntax } from './syntax.ts';

/** A node at the top of a module with what it became. */
export interface Unit extends Span {
  /** The grammar's number for the kind of node. */
  readonly type: number;
  /** Nothing in it is an error, and it stands in a module, not in the remains of one. */
  readonly sound: boolean;
  readonly lowered: LoweredUnit;
}

/** A section of a text with what it became. */
export interface Piece extends Span {
  /** False where an unclosed bracket has swallowed it: then nothing in it is what it seems. */
  readonly isModule: boolean;
  readonly units: readonly Unit[];
}

/** What an earlier version of the text had in a place, if that still holds. */
export type KnownUnit = (place: Span, type: number) => LoweredUnit | undefined;

/**
 * Lowers the tree of the section `place` of `text`, which has line feeds alone; nodes that `known` still has are not looked
 * into again.
 */
export function pieceOfTree(tree: Tree | null, text: string, place: Span, known: KnownUnit): Piece {
  if (tree === null) return { ...place, isModule: false, units: [] };
  const root = tree.rootNode;
  const isModule = root.type !== 'ERROR';
  const { hasError } = root;
  const units: Unit[] = [];
  const cursor = tree.walk();
  try {
    for (let more = cursor.gotoFirstChild(); more; more = cursor.gotoNextSibling()) {
      const here = { start: place.start + cursor.startIndex, end: place.start + cursor.endIndex };
      const type = cursor.nodeTypeId;
      const sound = isModule && !(hasError && isBroken(cursor));
      const lowered =
        (sound ? known(here, type) : undefined) ??
        lowerUnit(copySyntax(cursor, tree.language, place.start, hasError), text, place.end);
      units.push({ ...here, type, sound, lowered });
    }
  } finally {
    cursor.delete();
  }
  return { ...place, isModule, units };
}

/** Puts a module together from the sections of its text. */
export const moduleOf = (text: string, pieces: readonly Piece[]): Module => ({
  text,
  body: pieces.flatMap(({ units }) => units.flatMap(({ lowered }) => lowered.statements)),
  comments: pieces.flatMap(({ units }) => units.flatMap(({ lowered }) => lowered.comments)),
  unreliable: pieces.flatMap(({ isModule, units, start, end }) =>
    isModule ? units.flatMap(({ lowered }) => lowered.unreliable) : [{ start, end }],
  ),
});

function isBroken(cursor: TreeCursor): boolean {
  const { hasError, isError, isMissing } = cursor.currentNode;
  return hasError || isError || isMissing;
}
