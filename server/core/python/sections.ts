import type { Change } from '../text/change.ts';
import type { Span } from '../text/span.ts';

/**
 * Cuts a text before each function and class at its top, with their decorators. Every section is read by itself, from its own
 * text alone: an edit then costs its own section, and so does an error, since tree-sitter's recovery would depend on what
 * stands around. Where a text is cut hangs on its strings and comments, never on whether brackets are closed.
 */
export const sectionsOf = (text: string): readonly Span[] => between(cutsFrom(text, [0], nothingBefore), text.length);

/** The same of a text that was another one before a change, and had the sections `before` then. */
export function sectionsAgain(text: string, before: readonly Span[], change: Change): readonly Span[] {
  const starts = before.map(({ start }) => start);
  return between(cutsFrom(text, cutsToKeep(starts, change), cutsBehind(starts, change)), text.length);
}

/** Goes on behind the last of the cuts that are known already; `rest` has all cuts from one on, where they are known. */
function cutsFrom(
  text: string,
  known: readonly number[],
  rest: (cut: number) => readonly number[] | undefined,
): number[] {
  const cuts = [...known];
  let isDecorated = false;
  mark.lastIndex = cuts.at(-1) ?? 0;
  for (let found = mark.exec(text); found !== null; found = mark.exec(text)) {
    const [token] = found;
    if (token === '"""' || token === "'''") {
      const closed = endOfString(text, mark.lastIndex, token);
      if (closed === undefined) break;
      mark.lastIndex = closed;
    } else if (!/^[#"']/.test(token)) {
      if (!isDecorated && found.index > (cuts.at(-1) ?? 0)) {
        const others = rest(found.index);
        if (others !== undefined) return [...cuts, ...others];
        cuts.push(found.index);
      }
      isDecorated = token.startsWith('@');
    }
  }
  return cuts;
}

const nothingBefore = (): undefined => undefined;

const between = (cuts: readonly number[], end: number): readonly Span[] =>
  cuts.map((start, index) => ({ start, end: cuts[index + 1] ?? end }));

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
  let index = 0;
  return (cut) => {
    while (index < cuts.length && (cuts[index] ?? 0) + by < cut) index++;
    const isSame = cut > change.newEnd && cuts[index] === cut - by;
    return isSame ? cuts.slice(index).map((one) => one + by) : undefined;
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
