import { endOfString } from '../core/python/sections.ts';
import type { Span } from '../core/text/span.ts';

/** How a section that begins with a class is cut: each part is read by itself, as a section of a module is. */
export interface ClassParts {
  /** From the class's decorators to its first function. */
  readonly head: Span;
  /** Before each function and class in the body of the class, with their decorators. */
  readonly members: readonly Span[];
  /** Code of the module behind the class; empty where there is none. */
  readonly tail: Span;
  /** What the body of the class is indented by. */
  readonly indent: string;
}

/** Shorter classes are as quickly read whole. In UTF-16 units. */
const longClass = 1_500;

/**
 * Cuts the class that the section `place` of `text` begins with; undefined where it has no functions to cut at or is short.
 * Where it is cut hangs on its strings, comments and indentation, never on whether brackets are closed; only what stands
 * behind a class is told from a bracket's content by that.
 */
export function classParts(text: string, { start, end }: Span): ClassParts | undefined {
  if (end - start < longClass) return undefined;
  const own = text.slice(start, end);
  const cuts: number[] = [];
  let indent: string | undefined;
  let isClass = false;
  let isDecorated = false;
  let tail = own.length;
  mark.lastIndex = 0;
  for (let found = mark.exec(own); found !== null; found = mark.exec(own)) {
    const [token] = found;
    const { index } = found;
    if (token === '"""' || token === "'''") {
      const closed = endOfString(own, mark.lastIndex, token);
      if (closed === undefined) break;
      mark.lastIndex = closed;
      continue;
    }
    if (/^[#"']/.test(token)) continue;
    const around = /^[ \t]*/.exec(token)?.[0] ?? '';
    if (around === '') {
      if (!isClass) {
        if (token === 'class') isClass = true;
        else if (token !== '@') return undefined;
        continue;
      }
      if (own[index - 2] === '\\' || !isClosed(own.slice(cuts.at(-1) ?? 0, index))) continue;
      tail = index;
      break;
    }
    if (!isClass || token.length === around.length) continue;
    indent ??= around;
    if (around !== indent) {
      if (!around.startsWith(indent)) return undefined;
      continue;
    }
    if (!isDecorated) cuts.push(index);
    isDecorated = token.endsWith('@');
  }
  if (indent === undefined) return undefined;
  const ends = [...cuts.slice(1), tail];
  return {
    head: { start, end: start + (cuts[0] ?? 0) },
    members: cuts.map((cut, index) => ({ start: start + cut, end: start + (ends[index] ?? tail) })),
    tail: { start: start + tail, end },
    indent,
  };
}

/** Strings and comments; where a definition or decorator begins, and any code at the beginning of a line. */
const mark =
  /#.*|"""|'''|"(?:[^"\\\n]|\\[\s\S])*"?|'(?:[^'\\\n]|\\[\s\S])*'?|^[ \t]+(?:@(?=\w)|async[ \t]+def\b|def\b|class\b)|^(?:@(?=\w)|class\b|\w)/gm;

const quoted = /#.*|("""|''')(?:\\[\s\S]|(?!\1)[^\\])*(?:\1|$)|"(?:[^"\\\n]|\\[\s\S])*"?|'(?:[^'\\\n]|\\[\s\S])*'?/g;

function isClosed(code: string): boolean {
  let open = 0;
  for (const bracket of code.replace(quoted, '')) {
    if ('([{'.includes(bracket)) open++;
    else if (')]}'.includes(bracket)) open--;
  }
  return open <= 0;
}
