import type { Span } from '../text/span.ts';
import type { Module } from './ast.ts';
import { oncePer } from './oncePer.ts';

/**
 * Whether these words stand anywhere in the text of a module, as code, text or comment. What is looked for may not reach over
 * the end of a line. Of a document that is edited only what has changed is looked through again.
 */
export function mentions({ text, sections }: Module, words: string | RegExp): boolean {
  if (sections === undefined) return isIn(text, words);
  return sections.some((section) => {
    const known = lookedFor(section);
    const before = known.get(words);
    if (before !== undefined) return before;
    const found = isIn(text.slice(section.start, section.end), words);
    known.set(words, found);
    return found;
  });
}

const isIn = (text: string, words: string | RegExp): boolean =>
  typeof words === 'string' ? text.includes(words) : words.test(text);

const lookedFor = oncePer((_: Span) => new Map<string | RegExp, boolean>());
