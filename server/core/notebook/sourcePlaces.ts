import { createScanner } from 'jsonc-parser';
import type { Span } from '../text/span.ts';

/** Where the `source` of a cell stands in a notebook's JSON, brackets or quotes included. */
export interface SourcePlace extends Span {
  /** The strings with their quotes: all elements of a list, or the one string. */
  readonly strings: readonly Span[];
  readonly isList: boolean;
}

/** The scanner's numbers. */
const openBrace: number = 1;
const closeBrace: number = 2;
const openBracket: number = 3;
const closeBracket: number = 4;
const comma: number = 5;
const text: number = 10;
const endOfFile: number = 17;

const nowhere: SourcePlace = { start: 0, end: 0, strings: [], isList: false };

/**
 * Finds the source of every cell in JSON that is known to be sound. It looks at tokens and keeps no tree, so that neither
 * megabytes of outputs nor deep nesting cost memory. Of a key that is given twice the last one counts, as in `JSON.parse`.
 */
export function sourcePlaces(json: string): SourcePlace[] {
  const scanner = createScanner(json, true);
  let token: number = scanner.scan();
  const advance = (): void => {
    token = scanner.scan();
  };
  const here = (): Span => {
    const start = scanner.getTokenOffset();
    return { start, end: start + scanner.getTokenLength() };
  };
  let places: SourcePlace[] = [];
  eachEntry((key) => {
    if (key !== 'cells' || token !== openBracket) return skip();
    places = [];
    eachItem(() => places.push(cell()));
  });
  return places;

  function cell(): SourcePlace {
    let place = nowhere;
    if (token !== openBrace) {
      skip();
      return place;
    }
    eachEntry((key) => {
      if (key === 'source') place = source();
      else skip();
    });
    return place;
  }

  function source(): SourcePlace {
    const { start, end } = here();
    if (token === text) {
      advance();
      return { start, end, strings: [{ start, end }], isList: false };
    }
    if (token !== openBracket) {
      skip();
      return nowhere;
    }
    const strings: Span[] = [];
    const listEnd = eachItem(() => {
      if (token === text) strings.push(here());
      skip();
    });
    return { start, end: listEnd, strings, isList: true };
  }

  /** Calls `visit` at the value of each entry; it must move behind that value. */
  function eachEntry(visit: (key: string) => void): void {
    advance();
    while (token === text) {
      const key = scanner.getTokenValue();
      advance();
      advance();
      visit(key);
      if (token === comma) advance();
    }
    advance();
  }

  /** The same for a list; returns the offset behind it. */
  function eachItem(visit: () => void): number {
    advance();
    while (token !== closeBracket && token !== endOfFile) {
      visit();
      if (token === comma) advance();
    }
    const { end } = here();
    advance();
    return end;
  }

  /** Moves behind the value that begins here. */
  function skip(): void {
    let depth = 0;
    do {
      if (token === openBrace || token === openBracket) depth++;
      else if (token === closeBrace || token === closeBracket) depth--;
      advance();
    } while (depth > 0 && token !== endOfFile);
  }
}
