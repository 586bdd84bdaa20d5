import type { Span } from '../text/span.ts';
import type { Module } from './ast.ts';
import { oncePer } from './oncePer.ts';

/**
 * Whether these words stand anywhere in the text of a module, as code, text or comment. What is looked for may not reach over
 * the end of a line. Of a document that is edited only what has changed is looked through again.
 */
export function mentions({ text, stretches }: Module, words: string | RegExp): boolean {
  if (stretches === undefined) return isIn(text, words);
  const inPiece = (piece: Span): boolean => noted(piece, words, () => isIn(text.slice(piece.start, piece.end), words));
  return stretches.pieces.some((pieces) => noted(pieces, words, () => pieces.some(inPiece)));
}

const isIn = (text: string, words: string | RegExp): boolean =>
  typeof words === 'string' ? text.includes(words) : words.test(text);

function noted(where: object, words: string | RegExp, look: () => boolean): boolean {
  const known = lookedFor(where);
  const before = known.get(words);
  if (before !== undefined) return before;
  const found = look();
  known.set(words, found);
  return found;
}

const lookedFor = oncePer((_: object) => new Map<string | RegExp, boolean>());
