import { endOfString } from './sections.ts';

export type Place = 'code' | 'string' | 'comment';

/** Tells of places, each behind the one before, what they stand in. What an f-string computes is code, the rest of it is not. */
export function textPlaces(text: string): (at: number) => Place {
  const marks = new RegExp(mark);
  let kind: Place = 'code';
  let isFormatted = false;
  let start = 0;
  let end = 0;
  return (at) => {
    while (end <= at) {
      const found = marks.exec(text);
      if (found === null) return 'code';
      const [token] = found;
      start = found.index;
      kind = token.startsWith('#') ? 'comment' : 'string';
      isFormatted = /^\w*[ft]/i.test(token);
      const quotes = opening.exec(token)?.[1];
      // Without an end it is still being typed, and what follows is not one string.
      if (quotes !== undefined) marks.lastIndex = endOfString(text, marks.lastIndex, quotes) ?? marks.lastIndex;
      end = marks.lastIndex;
    }
    if (at < start) return 'code';
    return isFormatted && isInBraces(text.slice(Math.max(start, at - longestExpression), at)) ? 'code' : kind;
  };
}

const isInBraces = (before: string): boolean => before.lastIndexOf('{') > before.lastIndexOf('}');

/** In braces of a string. In UTF-16 units. */
const longestExpression = 500;

/** Comments, strings, and the opening of those over several lines. */
const mark = /#.*|(?:\b[a-z]{1,2})?(?:"""|'''|"(?:[^"\\\r\n]|\\[\s\S])*"?|'(?:[^'\\\r\n]|\\[\s\S])*'?)/gi;
const opening = /^\w*("""|''')$/;
