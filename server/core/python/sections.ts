import type { Change } from '../text/change.ts';
import type { Span } from '../text/span.ts';

/**
 * Cuts a text before each function and class at its top, with their decorators. Every section is read by itself, from its own
 * text alone: an edit then costs its own section, and so does an error, since tree-sitter's recovery would depend on what
 * stands around. Where a text is cut hangs on its strings and comments, never on whether brackets are closed.
 */
export const sectionsOf = (text: string): readonly Span[] => sectionsAt(cutsOf(text), text.length);

export const sectionsAt = ({ starts }: Cuts, end: number): readonly Span[] =>
  starts.map((start, index) => ({ start, end: starts[index + 1] ?? end }));

/** Where the sections of a text begin. */
export interface Cuts {
  readonly starts: readonly number[];
  /**
   * Places outside strings and comments and between definitions, now and then one: where the text is cut behind such a place
   * hangs on nothing before it.
   */
  readonly restarts: readonly number[];
}

export const cutsOf = (text: string): Cuts => cutsFrom(text, { starts: [0], restarts: [0] }, nothingBefore);

/** The same of a text that was another one before a change, and was cut like `before` then. */
export function cutsAgain(text: string, before: Cuts, change: Change): Cuts {
  // What stands right at the change may have become part of something in front of it: two quotes and a third.
  const restarts = before.restarts.filter((one) => one === 0 || one < change.start);
  const from = restarts.at(-1) ?? 0;
  const starts = before.starts.filter((one) => one === 0 || one < from);
  return cutsFrom(text, { starts, restarts }, cutsOnwards(before, change));
}

/** Goes on behind the last known place; `rest` has all that follow from a place on, where they are known. */
function cutsFrom(text: string, known: Cuts, rest: (place: number) => Cuts | undefined): Cuts {
  const starts = [...known.starts];
  const restarts = [...known.restarts];
  let isDecorated = false;
  mark.lastIndex = restarts.at(-1) ?? 0;
  for (let found = mark.exec(text); found !== null; found = mark.exec(text)) {
    const [token] = found;
    if (!isDecorated) {
      const others = rest(found.index);
      if (others !== undefined)
        return { starts: [...starts, ...others.starts], restarts: [...restarts, ...others.restarts] };
      if (found.index >= (restarts.at(-1) ?? 0) + restartEvery) restarts.push(found.index);
    }
    if (token === '"""' || token === "'''") {
      const closed = endOfString(text, mark.lastIndex, token);
      if (closed === undefined) break;
      mark.lastIndex = closed;
    } else if (!/^[#"']/.test(token)) {
      if (!isDecorated && found.index > (starts.at(-1) ?? 0)) starts.push(found.index);
      isDecorated = token.startsWith('@');
    }
  }
  return { starts, restarts };
}

/** About as much of the text as a key goes through on each side; fewer would only make the list longer. In UTF-16 units. */
const restartEvery = 1_000;

const nothingBefore = (): undefined => undefined;

/**
 * Finds a place of the text now among the restarts behind a change: from there on text and cuts are as they were. It is to be
 * asked for one place after the other.
 */
function cutsOnwards({ starts, restarts }: Cuts, change: Change): (place: number) => Cuts | undefined {
  const by = change.newEnd - change.end;
  const onwards = (places: readonly number[], from: number): readonly number[] =>
    places.filter((one) => one >= from).map((one) => one + by);
  const reached = stepsThrough(restarts, by);
  return (place) =>
    place > change.newEnd && reached(place) !== undefined
      ? { starts: onwards(starts, place - by), restarts: onwards(restarts, place - by) }
      : undefined;
}

/** The index of the place that stands there now, if there is one. It is to be asked for one place after the other. */
function stepsThrough(places: readonly number[], by: number): (place: number) => number | undefined {
  let index = 0;
  return (place) => {
    while (index < places.length && (places[index] ?? 0) + by < place) index++;
    return places[index] === place - by ? index : undefined;
  };
}

/**
 * Those of the cuts before a change that are cuts behind it too, whatever the change is: all but the last one in front of it,
 * which may be what is changed.
 */
export function cutsToKeep(cuts: readonly number[], change: Change): readonly number[] {
  const inFront = cuts.findLastIndex((cut) => cut <= change.start);
  return cuts.slice(0, Math.max(inFront, 1));
}

/**
 * Finds a cut of the text now among those behind a change: from there on text and cuts are as they were. It is to be asked for
 * one cut after the other.
 */
export function cutsBehind(cuts: readonly number[], change: Change): (cut: number) => readonly number[] | undefined {
  const by = change.newEnd - change.end;
  const reached = stepsThrough(cuts, by);
  return (cut) => {
    const index = reached(cut);
    return cut > change.newEnd && index !== undefined ? cuts.slice(index).map((one) => one + by) : undefined;
  };
}

/** What stands at the beginning of a line only where a definition does; and what such a line may stand in. */
const mark =
  /#.*|"""|'''|"(?:[^"\\\n]|\\[\s\S])*"?|'(?:[^'\\\n]|\\[\s\S])*'?|^(?:@\w|async[ \t]+def\b|def\b|class\b)/gm;

/** Behind the quotes that end a triple-quoted string; `from` is behind those that begin it. */
export function endOfString(text: string, from: number, quotes: string): number | undefined {
  for (let at = text.indexOf(quotes, from); at >= 0; at = text.indexOf(quotes, at + 1)) {
    let backslashes = 0;
    while (at - backslashes > from && text[at - backslashes - 1] === '\\') backslashes++;
    if (backslashes % 2 === 0) return at + quotes.length;
  }
  return undefined;
}
