import type { Span } from '../text/span.ts';
import type { FunctionDefinition, Module, Statement } from './ast.ts';
import { oncePer } from './oncePer.ts';

/**
 * The code of a module in lists of few: each list is the same object from one version of a document to the next, for as long as
 * the same nodes follow each other in it. What is asked of every statement is asked of the lists, of which an edit leaves most
 * alone.
 */
export interface Stretches {
  /** All statements at the top. */
  readonly statements: readonly (readonly Statement[])[];
  /** All methods of the classes among them. */
  readonly methods: readonly (readonly FunctionDefinition[])[];
  /** Whole lines that make up the text: each piece is the same object for as long as nothing in it changes. */
  readonly pieces: readonly (readonly Span[])[];
}

export const stretchesOf: (module: Module) => Stretches = oncePer(
  (module) => module.stretches ?? stretchesIn(module.body, []),
);

/** `before` are those of the version of the document before. */
export function stretchesIn(
  body: readonly Statement[],
  pieces: readonly Span[],
  before: Stretches = noStretches,
): Stretches {
  return {
    statements: cutAgain(body, before.statements),
    methods: cutAgain(body.flatMap(methodsIn), before.methods),
    pieces: cutAgain(pieces, before.pieces),
  };
}

/** The functions in the body of a class. */
export const methodsIn: (statement: Statement) => readonly FunctionDefinition[] = oncePer((statement) =>
  statement.kind === 'class' ? statement.body.filter((member) => member.kind === 'function') : [],
);

const noStretches: Stretches = { statements: [], methods: [], pieces: [] };

/** Lists that begin or end like the whole does stay; what is between them is cut anew. */
function cutAgain<Node>(nodes: readonly Node[], before: readonly (readonly Node[])[]): readonly (readonly Node[])[] {
  const front: (readonly Node[])[] = [];
  let start = 0;
  for (const list of before) {
    if (!standsAt(list, nodes, start)) break;
    front.push(list);
    start += list.length;
  }
  const back: (readonly Node[])[] = [];
  let end = nodes.length;
  for (let index = before.length - 1; index >= front.length; index--) {
    const list = before[index];
    if (list === undefined || end - list.length < start || !standsAt(list, nodes, end - list.length)) break;
    back.push(list);
    end -= list.length;
  }
  const between: (readonly Node[])[] = [];
  for (let from = start; from < end; from += mostInOne)
    between.push(nodes.slice(from, Math.min(end, from + mostInOne)));
  return [...front, ...between, ...back.reverse()];
}

const mostInOne = 16;

function standsAt<Node>(list: readonly Node[], nodes: readonly Node[], start: number): boolean {
  for (let index = 0; index < list.length; index++) if (list[index] !== nodes[start + index]) return false;
  return true;
}
