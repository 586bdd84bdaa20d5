/** The offset behind the line break that ends the line at `at`, or the end of the text. */
export function endOfLine(text: string, at: number): number {
  for (let i = at; i < text.length; i++) {
    const unit = text[i];
    if (unit === '\n') return i + 1;
    if (unit === '\r') return text[i + 1] === '\n' ? i + 2 : i + 1;
  }
  return text.length;
}

/**
 * The offset behind the logical line at `at`: brackets, long strings and backslashes carry it over line breaks. A bracket
 * or string that is never closed, in half-typed code, takes the rest of the text.
 */
export function endOfStatement(text: string, at: number): number {
  let depth = 0;
  let i = at;
  while (i < text.length) {
    const unit = text[i];
    if (unit === '\n' || unit === '\r') {
      i = endOfLine(text, i);
      if (depth === 0) return i;
    } else if (unit === '\\') {
      i = text[i + 1] === '\r' && text[i + 2] === '\n' ? i + 3 : i + 2;
    } else if (unit === '#') {
      while (i < text.length && text[i] !== '\n' && text[i] !== '\r') i++;
    } else if (unit === '"' || unit === "'") {
      i = endOfString(text, i, unit);
    } else {
      if (unit === '(' || unit === '[' || unit === '{') depth++;
      else if (unit === ')' || unit === ']' || unit === '}') depth = Math.max(0, depth - 1);
      i++;
    }
  }
  return text.length;
}

/** The offset behind a string literal; one on a single line ends with that line at the latest. */
function endOfString(text: string, at: number, quote: string): number {
  const isLong = text.startsWith(quote.repeat(3), at);
  const closing = isLong ? quote.repeat(3) : quote;
  let i = at + closing.length;
  while (i < text.length && !text.startsWith(closing, i)) {
    const unit = text[i];
    if (!isLong && (unit === '\n' || unit === '\r')) return i;
    i += unit === '\\' ? 2 : 1;
  }
  return Math.min(text.length, i + closing.length);
}
