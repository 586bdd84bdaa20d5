import type { Language, TreeCursor } from 'web-tree-sitter';
import type { Span } from '../core/text/span.ts';
import type { LoweredUnit } from './lowerStatements.ts';

/**
 * One node of the concrete syntax tree as plain data. Reading a live tree-sitter node crosses into WebAssembly for every
 * property, which costs more than all rules together; so what is needed is copied once, with as few crossings as possible.
 */
export interface Syntax {
  /** The grammar's node type; an operator or keyword is its own type, for example `+` or `async`. */
  readonly type: string;
  readonly named: boolean;
  /** The field of the parent this node fills, for example `arguments`. */
  readonly field: string | null;
  readonly start: number;
  readonly end: number;
  readonly children: readonly Syntax[];
  /** This node, or one below it, is an error or was made up by the parser to go on. */
  readonly broken: boolean;
  /** Of a statement in a long block, what it became; where that was known before, it has no children here. */
  lowered: LoweredUnit | undefined;
}

/** What an earlier version of the text had in a place, if that still holds. */
export type KnownUnit = (place: Span, type: string) => LoweredUnit | undefined;

/**
 * The statements of a block as long as this are units of their own, so that a key in a function of a thousand lines costs the
 * statement it is typed in. In UTF-16 units.
 */
export const longBlock = 4_000;

interface Growing extends Syntax {
  readonly children: Syntax[];
  broken: boolean;
}

const none: readonly Syntax[] = [];
const leaves = new Set([
  'identifier',
  'integer',
  'float',
  'true',
  'false',
  'none',
  'comment',
  'string_start',
  'string_end',
  'ellipsis',
]);

/**
 * Copies the node the cursor is on, with all below it, and leaves the cursor there. `textStart` is where the parsed text
 * begins in the whole one. Statements that `known` still has are not looked into again. Without recursion, so that no nesting
 * depth can exhaust the stack.
 */
export function copySyntax(
  cursor: TreeCursor,
  language: Language,
  textStart: number,
  mayBeBroken: boolean,
  known: KnownUnit,
): Syntax {
  const { types, fields } = language;
  const isNamed = namedTypes(language);
  const open: Growing[] = [];
  let top: Syntax | undefined;
  for (;;) {
    const typeId = cursor.nodeTypeId;
    const type = types[typeId] ?? 'ERROR';
    const named = isNamed[typeId] ?? true;
    const broken = mayBeBroken && (type === 'ERROR' || cursor.nodeIsMissing);
    const parent = open.at(-1);
    const node: Growing = {
      type,
      named,
      field: parent === undefined ? null : (fields[cursor.currentFieldId] ?? null),
      start: textStart + cursor.startIndex,
      end: textStart + cursor.endIndex,
      children: (!named || leaves.has(type) ? none : []) as Syntax[],
      broken,
      lowered: undefined,
    };
    parent?.children.push(node);
    top ??= node;
    const isInLongBlock = parent?.type === 'block' && parent.end - parent.start >= longBlock;
    if (isInLongBlock && !leaves.has(type) && !(mayBeBroken && isBroken(cursor))) node.lowered = known(node, type);
    if (node.lowered === undefined && named && !leaves.has(type) && cursor.gotoFirstChild()) {
      open.push(node);
      continue;
    }
    if (broken) markBroken(open);
    for (;;) {
      if (open.length === 0) return top;
      if (cursor.gotoNextSibling()) break;
      cursor.gotoParent();
      if (open.pop()?.broken) markBroken(open);
    }
  }
}

/** It is an error itself, or has one in it. */
export function isBroken(cursor: TreeCursor): boolean {
  const { hasError, isError, isMissing } = cursor.currentNode;
  return hasError || isError || isMissing;
}

/** From the inside out, and only as far as nobody knows yet. */
function markBroken(ancestors: readonly Growing[]): void {
  for (let index = ancestors.length - 1; index >= 0; index--) {
    const ancestor = ancestors[index];
    if (ancestor === undefined || ancestor.broken) return;
    ancestor.broken = true;
  }
}

const namedByLanguage = new WeakMap<Language, readonly boolean[]>();

/** Whether each node type id is a named node; asked once per language, not once per node. */
function namedTypes(language: Language): readonly boolean[] {
  const known = namedByLanguage.get(language);
  if (known !== undefined) return known;
  const named = language.types.map((_, id) => language.nodeTypeIsNamed(id));
  namedByLanguage.set(language, named);
  return named;
}
