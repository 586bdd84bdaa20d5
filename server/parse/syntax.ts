import type { Tree } from 'web-tree-sitter';

/**
 * One node of the concrete syntax tree as plain data. Reading a live tree-sitter node crosses into WebAssembly for every
 * property, which costs more than all rules together; so the tree is copied once, with as few crossings as possible, and
 * freed.
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
}

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

/** Copies a whole tree without recursion, so that no nesting depth can exhaust the stack. */
export function copySyntax(tree: Tree): Syntax {
  const { types, fields } = tree.language;
  const isNamed = namedTypes(tree);
  const mayBeBroken = tree.rootNode.hasError;
  const cursor = tree.walk();
  try {
    const open: Growing[] = [];
    let root: Syntax | undefined;
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
        start: cursor.startIndex,
        end: cursor.endIndex,
        children: (!named || leaves.has(type) ? none : []) as Syntax[],
        broken,
      };
      parent?.children.push(node);
      root ??= node;
      if (named && !leaves.has(type) && cursor.gotoFirstChild()) {
        open.push(node);
        continue;
      }
      if (broken) markBroken(open);
      while (!cursor.gotoNextSibling()) {
        if (!cursor.gotoParent()) return root;
        const closed = open.pop();
        if (closed?.broken) markBroken(open);
        if (open.length === 0) return root;
      }
    }
  } finally {
    cursor.delete();
  }
}

/** From the inside out, and only as far as nobody knows yet. */
function markBroken(ancestors: readonly Growing[]): void {
  for (let index = ancestors.length - 1; index >= 0; index--) {
    const ancestor = ancestors[index];
    if (ancestor === undefined || ancestor.broken) return;
    ancestor.broken = true;
  }
}

const namedByLanguage = new WeakMap<object, readonly boolean[]>();

/** Whether each node type id is a named node; asked once per language, not once per node. */
function namedTypes(tree: Tree): readonly boolean[] {
  const known = namedByLanguage.get(tree.language);
  if (known !== undefined) return known;
  const named = tree.language.types.map((_, id) => tree.language.nodeTypeIsNamed(id));
  namedByLanguage.set(tree.language, named);
  return named;
}
