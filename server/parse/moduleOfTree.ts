import type { Tree } from 'web-tree-sitter';
import type { Module } from '../core/python/ast.ts';
import type { Span } from '../core/text/span.ts';
import { type LoweredUnit, lowerUnit } from './lowerStatements.ts';
import { copySyntax } from './syntax.ts';

/** A node at the top of a module with what it became. */
export interface Unit extends Span {
  readonly lowered: LoweredUnit;
}

/** Puts a module together from its top-level nodes; those that `known` still has are not looked into again. */
export function moduleOfTree(
  tree: Tree,
  text: string,
  known: (place: Span) => LoweredUnit | undefined,
): { module: Module; units: readonly Unit[] } {
  const root = tree.rootNode;
  const units: Unit[] = [];
  const cursor = tree.walk();
  try {
    for (let more = cursor.gotoFirstChild(); more; more = cursor.gotoNextSibling()) {
      const place = { start: cursor.startIndex, end: cursor.endIndex };
      const lowered = known(place) ?? lowerUnit(copySyntax(cursor, tree.language, root.hasError), text);
      units.push({ ...place, lowered });
    }
  } finally {
    cursor.delete();
  }
  const module = {
    text,
    body: units.flatMap(({ lowered }) => lowered.statements),
    comments: units.flatMap(({ lowered }) => lowered.comments),
    // An unclosed bracket can swallow the whole file: then nothing in it is what it seems.
    unreliable:
      root.type === 'ERROR' ? [{ start: 0, end: text.length }] : units.flatMap(({ lowered }) => lowered.unreliable),
  };
  return { module, units };
}
