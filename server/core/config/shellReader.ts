import type { Comment } from '../python/ast.ts';
import type { Span } from '../text/span.ts';
import type { ShellAssignment, ShellPart, ShellWord } from './shell.ts';

export type ShellToken =
  | { readonly kind: 'word'; readonly word: ShellWord }
  | {
      readonly kind: 'assignment';
      readonly word: ShellWord;
      readonly assignment: Omit<ShellAssignment, 'conditional'>;
    }
  /** A line break, `;`, `&`, `|`, a bracket: the next word begins a command. */
  | { readonly kind: 'separator' };

const separators = new Set(['\n', '\r', ';', '&', '|', '(', ')']);
const blank = new Set([' ', '\t']);
/** `2>&1`: the number of a stream that is redirected is no word. */
const redirectedStream = /\d+(?=[<>])/y;
const assignmentPattern = /([A-Za-z_][A-Za-z_0-9]*)(\+?)=/y;
const variablePattern = /\$(?:([A-Za-z_][A-Za-z_0-9]*)|\{([A-Za-z_][A-Za-z_0-9]*)(\[[@*]\])?\})/y;

/** `${NAME:-text}` where the text is plain. */
const defaultPattern = /^\$\{\w+:?[-=](?<text>"[^"$`\\]*"|'[^'$`\\]*'|[^"'$`\\{}\s]+)\}$/;

/** `${NAME:-$FOLDER/ds.json}`: where nobody sets it, a file in a folder that is not known. */
const defaultInFolder = /^\$\{\w+:?[-=]"?\$(?:\w+|\{\w+\})(?<ending>\/[\w./-]*\.\w+)"?\}$/;

/** `$((16 / N))`, `$(expr 16 / $N)`. */
const arithmeticIn = (written: string): string | undefined =>
  written.startsWith('$((') && written.endsWith('))')
    ? written.slice(3, -2)
    : /^(?:\$\(|`)\s*expr\s([^()`|;&]*)[)`]$/.exec(written)?.[1]?.replaceAll('\\*', '*').trim();

/** Splits a script into words, one character after the other; each is looked at a bounded number of times. */
export class ShellReader {
  readonly comments: Comment[] = [];
  readonly #text: string;
  #offset = 0;
  /** Ends of here-documents whose bodies begin on the next line. */
  #hereDocuments: { readonly end: string; readonly indented: boolean }[] = [];
  #body: Span | undefined;

  constructor(text: string, offset = 0) {
    this.#text = text;
    this.#offset = offset;
  }

  /** The words of the here-document that this line was followed by. */
  takeHereDocument(): readonly ShellWord[] {
    if (this.#body === undefined) return [];
    const inner = new ShellReader(this.#text.slice(0, this.#body.end), this.#body.start);
    this.#body = undefined;
    const words: ShellWord[] = [];
    for (let token = inner.next(); token !== undefined; token = inner.next())
      if (token.kind !== 'separator') words.push(token.word);
    return words;
  }

  next(): ShellToken | undefined {
    for (;;) {
      this.#skipBlanks();
      const unit = this.#text[this.#offset];
      if (unit === undefined) return undefined;
      if (unit === '#') return this.#comment();
      if (separators.has(unit)) return this.#separator(unit);
      const isRedirection = unit === '<' || unit === '>' || this.#at(redirectedStream) !== null;
      if (!isRedirection) return this.#assignment() ?? { kind: 'word', word: this.#word() };
      this.#redirection();
    }
  }

  #at(pattern: RegExp): RegExpExecArray | null {
    pattern.lastIndex = this.#offset;
    return pattern.exec(this.#text);
  }

  #skipBlanks(): void {
    for (;;) {
      const unit = this.#text[this.#offset];
      const continuation = unit === '\\' ? this.#lineBreakLength(this.#offset + 1) : 0;
      if (continuation > 0) this.#offset += 1 + continuation;
      else if (unit !== undefined && blank.has(unit)) this.#offset++;
      else return;
    }
  }

  #lineBreakLength(offset: number): number {
    if (this.#text.startsWith('\r\n', offset)) return 2;
    return this.#text[offset] === '\n' ? 1 : 0;
  }

  #comment(): ShellToken {
    const start = this.#offset;
    let end = start;
    while (end < this.#text.length && this.#text[end] !== '\n' && this.#text[end] !== '\r') end++;
    this.comments.push({ start, end, text: this.#text.slice(start, end) });
    this.#offset = end;
    return { kind: 'separator' };
  }

  #separator(unit: string): ShellToken {
    this.#offset++;
    if (unit === '\n') {
      this.#body = undefined;
      this.#skipHereDocuments();
    }
    return { kind: 'separator' };
  }

  /** `> file`, `2>&1`, `< file`, `<<END`: the file is no word of the command. */
  #redirection(): void {
    this.#offset += this.#at(redirectedStream)?.[0].length ?? 0;
    const match = this.#at(/<<<|<<-?|&?>>?\|?&?|<[&>]?/y);
    const operator = match?.[0] ?? '<';
    this.#offset += operator.length;
    this.#skipBlanks();
    const unit = this.#text[this.#offset];
    // A process substitution `<(…)` is an argument that only a run could tell.
    if (unit === undefined || separators.has(unit) || unit === '#') return;
    const word = this.#word();
    if (operator !== '<<' && operator !== '<<-') return;
    const end = word.parts.map((part) => (part.kind === 'text' ? part.text : '')).join('');
    if (end !== '') this.#hereDocuments.push({ end, indented: operator === '<<-' });
  }

  #skipHereDocuments(): void {
    for (const { end, indented } of this.#hereDocuments) {
      const start = this.#offset;
      while (this.#offset < this.#text.length) {
        const lineEnd = this.#text.indexOf('\n', this.#offset);
        const until = lineEnd < 0 ? this.#text.length : lineEnd;
        const line = this.#text.slice(this.#offset, until).replace(/\r$/, '');
        this.#offset = lineEnd < 0 ? until : until + 1;
        if ((indented ? line.replace(/^\t+/, '') : line) !== end) continue;
        this.#body = { start, end: this.#offset - line.length - 1 };
        break;
      }
    }
    this.#hereDocuments = [];
  }

  #assignment(): ShellToken | undefined {
    const start = this.#offset;
    const match = this.#at(assignmentPattern);
    if (match === null) return undefined;
    const [written, name = '', plus = ''] = match;
    this.#offset += written.length;
    const isArray = this.#text[this.#offset] === '(';
    const words = isArray ? this.#arrayWords() : [this.#word()];
    const end = this.#offset;
    const [value] = words;
    const prefix: ShellPart = { kind: 'text', text: written, quoted: false, start, end: start + written.length };
    return {
      kind: 'assignment',
      word: {
        parts: isArray
          ? [{ kind: 'unknown', quoted: false, all: true, isArgument: false, start, end }]
          : [prefix, ...(value?.parts ?? [])],
        start,
        end,
      },
      assignment: { name, append: plus === '+', words, isArray, start, end },
    };
  }

  #arrayWords(): ShellWord[] {
    const words: ShellWord[] = [];
    this.#offset++;
    for (;;) {
      this.#skipBlanks();
      const unit = this.#text[this.#offset];
      if (unit === undefined) return words;
      if (unit === ')') {
        this.#offset++;
        return words;
      }
      if (unit === '#') this.#comment();
      else if (separators.has(unit) || unit === '<' || unit === '>') this.#offset++;
      else words.push(this.#word());
    }
  }

  /** Up to the next blank or separator outside quotes. Where none of it is one, at least one unit is taken. */
  #word(): ShellWord {
    const start = this.#offset;
    const parts: ShellPart[] = [];
    let textStart = start;
    const text = (quoted: boolean): void => {
      if (textStart < this.#offset) {
        const part = this.#text.slice(textStart, this.#offset);
        parts.push({ kind: 'text', text: part, quoted, start: textStart, end: this.#offset });
      }
      textStart = this.#offset;
    };
    let inQuotes = false;
    for (;;) {
      const unit = this.#text[this.#offset];
      if (unit === undefined) break;
      if (!inQuotes && (blank.has(unit) || separators.has(unit) || unit === '<' || unit === '>')) break;
      if (unit === '"') {
        text(inQuotes);
        // An empty pair of quotes is a word, too.
        if (inQuotes && parts.length === 0)
          parts.push({ kind: 'text', text: '', quoted: true, start: this.#offset, end: this.#offset });
        inQuotes = !inQuotes;
        textStart = ++this.#offset;
      } else if (unit === "'" && !inQuotes) {
        text(false);
        const closing = this.#text.indexOf("'", this.#offset + 1);
        textStart = ++this.#offset;
        this.#offset = closing < 0 ? this.#text.length : closing;
        const part = this.#text.slice(textStart, this.#offset);
        parts.push({ kind: 'text', text: part, quoted: true, start: textStart, end: this.#offset });
        textStart = ++this.#offset;
      } else if (unit === '\\') {
        text(inQuotes);
        const lineBreak = this.#lineBreakLength(this.#offset + 1);
        // Inside quotes a continued line stays one text; outside, the word goes on without it.
        textStart = this.#offset += lineBreak > 0 ? 1 + lineBreak : 1;
        if (lineBreak === 0 && this.#offset < this.#text.length) this.#offset++;
      } else if (unit === '$' || unit === '`') {
        text(inQuotes);
        parts.push(this.#expansion(inQuotes));
        textStart = this.#offset;
      } else this.#offset++;
    }
    text(inQuotes);
    this.#offset = Math.min(this.#offset, this.#text.length);
    return { parts, start, end: this.#offset };
  }

  #expansion(quoted: boolean): ShellPart {
    const start = this.#offset;
    const variable = this.#at(variablePattern);
    if (variable !== null) {
      const [written, plain, braced, all] = variable;
      this.#offset += written.length;
      return {
        kind: 'variable',
        name: plain ?? braced ?? '',
        quoted,
        all: all !== undefined,
        start,
        end: this.#offset,
      };
    }
    const opener = this.#text[start] === '`' ? '`' : (this.#text[start + 1] ?? '');
    if (opener === '`') this.#skipTo('`', start + 1);
    else if (opener === "'" && !quoted) this.#skipTo("'", start + 2);
    else if (opener === '(') this.#skipBalanced('(', ')', start + 1);
    else if (opener === '{') this.#skipBalanced('{', '}', start + 1);
    else this.#offset = Math.min(start + 2, this.#text.length);
    const written = this.#text.slice(start, this.#offset);
    const expression = arithmeticIn(written);
    if (expression !== undefined) return { kind: 'arithmetic', expression, quoted, start, end: this.#offset };
    const otherwise = defaultPattern.exec(written)?.groups?.text?.replace(/^(["'])(.*)\1$/, '$2');
    const ending = defaultInFolder.exec(written)?.groups?.ending;
    return {
      kind: 'unknown',
      quoted,
      // `$@` and `${NAME[@]:1}` are any number of words even between quotes.
      all: written.includes('@'),
      isArgument: /^\$(\d|\{\d+\})$/.test(written),
      ...(otherwise !== undefined && { otherwise }),
      ...(ending !== undefined && { ending }),
      start,
      end: this.#offset,
    };
  }

  #skipTo(closer: string, from: number): void {
    const end = this.#text.indexOf(closer, from);
    this.#offset = end < 0 ? this.#text.length : end + 1;
  }

  #skipBalanced(open: string, close: string, from: number): void {
    let depth = 0;
    let offset = from;
    for (; offset < this.#text.length; offset++) {
      const unit = this.#text[offset];
      if (unit === '\\') offset++;
      else if (unit === "'") {
        const end = this.#text.indexOf("'", offset + 1);
        if (end > 0) offset = end;
      } else if (unit === '"') {
        offset++;
        while (offset < this.#text.length && this.#text[offset] !== '"') offset += this.#text[offset] === '\\' ? 2 : 1;
      } else if (unit === open) depth++;
      else if (unit === close && --depth === 0) break;
    }
    this.#offset = Math.min(offset + 1, this.#text.length);
  }
}
