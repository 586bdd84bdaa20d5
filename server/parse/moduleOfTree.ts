import type { Tree, TreeCursor } from 'web-tree-sitter';
import type { Comment, Statement } from '../core/python/ast.ts';
import type { Span } from '../core/text/span.ts';
import { lowerUnit, type Unit } from './lowerStatements.ts';
import { copySyntax, isBroken, type KnownUnit } from './syntax.ts';

/** A stretch of a text that is read by itself. */
export interface Stretch extends Span {
  /** The head of a class ends before its first function, a member stands in the body of a class. */
  readonly role: 'whole' | 'head' | 'member';
  /** Of the body of the class; empty where there is none. */
  readonly indent: string;
}

/** A stretch of a text with what it became. */
export interface Piece extends Stretch {
  /** False where an unclosed bracket has swallowed it: then nothing in it is what it seems. */
  readonly isModule: boolean;
  /** It is what its role says and nothing else: of a member, that all of it stands in the body of its class. */
  readonly fits: boolean;
  /** From the beginning of a member to where the class would end with it; comments behind its last statement count. */
  readonly length: number;
  /** The statements and comments outside all others. */
  readonly units: readonly Unit[];
  /** Of all its units. */
  readonly statements: readonly Statement[];
  readonly comments: readonly Comment[];
  readonly unreliable: readonly Span[];
}

/** The text a stretch is parsed as: what it needs around to be a module. `before` is how much of that stands before it. */
export function parsedText(text: string, { start, end, role, indent }: Stretch): { text: string; before: number } {
  const own = text.slice(start, end);
  if (role === 'whole') return { text: own, before: 0 };
  return role === 'head'
    ? { text: `${own}${indent}${filler}\n`, before: 0 }
    : { text: classAround + own, before: classAround.length };
}

const classAround = 'class _:\n';
/** Stands for all the members where a class has nothing else in its body. */
const filler = 'pass';

/**
 * Lowers the tree of a stretch of `text`, which has line feeds alone; nodes that `known` still has are not looked into
 * again.
 */
export function pieceOfTree(tree: Tree | null, text: string, stretch: Stretch, known: KnownUnit): Piece {
  const { start, end, role, indent } = stretch;
  if (tree === null) return { start, end, role, indent, isModule: false, fits: false, length: 0, ...contentsOf([]) };
  const { language, rootNode: root } = tree;
  const isModule = root.type !== 'ERROR';
  const { hasError } = root;
  const textStart = role === 'member' ? start - classAround.length : start;
  const units: Unit[] = [];
  let fits = isModule;
  let length = 0;
  const cursor = tree.walk();
  try {
    forEachChild(cursor, () => {
      if (role !== 'member') {
        note();
        return;
      }
      if (textStart + cursor.startIndex >= start) {
        fits &&= cursor.nodeType === 'comment';
        note();
      } else if (cursor.nodeType === 'class_definition') {
        length = textStart + cursor.endIndex - start;
        forEachChild(cursor, noteInClass);
      }
    });
  } finally {
    cursor.delete();
  }
  return { start, end, role, indent, isModule, fits, length, ...contentsOf(units) };

  function noteInClass(): void {
    if (textStart + cursor.startIndex < start) return;
    if (cursor.nodeType === 'block') forEachChild(cursor, note);
    else note();
  }

  function note(): void {
    const here = { start: textStart + cursor.startIndex, end: textStart + cursor.endIndex };
    const type = cursor.nodeType;
    const sound = isModule && !(hasError && isBroken(cursor));
    const lowered =
      (sound && role !== 'head' ? known(here, type) : undefined) ??
      lowerUnit(copySyntax(cursor, language, textStart, hasError, isModule ? known : nothingKnown), text, end);
    units.push({ ...here, type, sound, lowered });
  }
}

const contentsOf = (units: readonly Unit[]): Pick<Piece, 'units' | 'statements' | 'comments' | 'unreliable'> => ({
  units,
  statements: units.flatMap(({ lowered }) => lowered.statements),
  comments: units.flatMap(({ lowered }) => lowered.comments),
  unreliable: units.flatMap(({ lowered }) => lowered.unreliable),
});

function forEachChild(cursor: TreeCursor, visit: () => void): void {
  if (!cursor.gotoFirstChild()) return;
  do visit();
  while (cursor.gotoNextSibling());
  cursor.gotoParent();
}

const nothingKnown: KnownUnit = () => undefined;
