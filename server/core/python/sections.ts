import type { Span } from '../text/span.ts';

/**
 * Cuts a text before each function and class at its top, with their decorators. Every section is read by itself, from its own
 * text alone: an edit then costs its own section, and so does an error, since tree-sitter's recovery would depend on what
 * stands around. Where a text is cut hangs on its strings and comments, never on whether brackets are closed.
 */
export function sectionsOf(text: string): readonly Span[] {
  const cuts = [0];
  let isDecorated = false;
  mark.lastIndex = 0;
  for (let found = mark.exec(text); found !== null; found = mark.exec(text)) {
    const [token] = found;
    if (token === '"""' || token === "'''") {
      const closed = endOfString(text, mark.lastIndex, token);
      if (closed === undefined) break;
      mark.lastIndex = closed;
    } else if (!/^[#"']/.test(token)) {
      if (!isDecorated && found.index > 0) cuts.push(found.index);
      isDecorated = token.startsWith('@');
    }
  }
  return cuts.map((start, index) => ({ start, end: cuts[index + 1] ?? text.length }));
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
