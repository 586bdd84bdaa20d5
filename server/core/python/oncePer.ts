import { NotesOn } from './notesOn.ts';

/**
 * Works something out once for each node of a tree. Nodes never change, but may be moved when text is typed above them: a
 * result may hold nodes, not the offsets where they stand.
 */
export function oncePer<Node extends object, Result>(workOut: (node: Node) => Result): (node: Node) => Result {
  const known = new NotesOn<Node, { readonly result: Result }>();
  return (node) => {
    const before = known.get(node);
    if (before !== undefined) return before.result;
    const result = workOut(node);
    known.set(node, { result });
    return result;
  };
}
