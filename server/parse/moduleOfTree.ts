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

/** Puts a module together from its top-level nodes; those that `known` still has are not looked into again. */
export function moduleOfTree(
  tree: Tree,
  text: string,
  known: (place: Span, type: number) => LoweredUnit | undefined,
): { module: Module; units: readonly Unit[] } {
  const root = tree.rootNode;
  const isModule = root.type !== 'ERROR';
  const { hasError } = root;
  const units: Unit[] = [];
  const cursor = tree.walk();
  try {
    for (let more = cursor.gotoFirstChild(); more; more = cursor.gotoNextSibling()) {
      const place = { start: cursor.startIndex, end: cursor.endIndex };
      const type = cursor.nodeTypeId;
      const sound = isModule && !(hasError && isBroken(cursor));
      const lowered =
        (sound ? known(place, type) : undefined) ?? lowerUnit(copySyntax(cursor, tree.language, hasError), text);
      units.push({ ...place, type, sound, lowered });
    }
  } finally {
    cursor.delete();
  }
  const module = {
    text,
    body: units.flatMap(({ lowered }) => lowered.statements),
    comments: units.flatMap(({ lowered }) => lowered.comments),
    // An unclosed bracket can swallow the whole file: then nothing in it is what it seems.
    unreliable: isModule ? units.flatMap(({ lowered }) => lowered.unreliable) : [{ start: 0, end: text.length }],
  };
  return { module, units };
}

function isBroken(cursor: TreeCursor): boolean {
  const { hasError, isError, isMissing } = cursor.currentNode;
  return hasError || isError || isMissing;
}
