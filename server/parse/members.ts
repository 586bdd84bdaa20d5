import { cutsBehind, cutsToKeep, endOfString } from '../core/python/sections.ts';
import type { Change } from '../core/text/change.ts';

/**
 * How a section that begins with a class is cut: each part is read by itself, as a section of a module is. In UTF-16 units
 * from the beginning of the section.
 */
export interface ClassParts {
  /** Before each function and class in the body of the class, with their decorators. */
  readonly cuts: readonly number[];
  /** Where code of the module begins behind the class; the end of the section, where there is none. */
  readonly tail: number;
  /** What the body of the class is indented by. */
  readonly indent: string;
}

/** What was known of a class before a change in it, with places from the beginning of the section. */
export interface PartsBefore {
  readonly parts: ClassParts;
  readonly change: Change;
}

/** Shorter classes are as quickly read whole. In UTF-16 units. */
const longClass = 1_500;

/**
 * Cuts the class that a section's text begins with; undefined where it has no functions to cut at or is short. Where it is cut
 * hangs on its strings, comments and indentation, never on whether brackets are closed; only what stands behind a class is told
 * from a bracket's content by that.
 */
export function classParts(own: string, before?: PartsBefore): ClassParts | undefined {
  if (own.length < longClass) return undefined;
  const known = before && before.change.start > (before.parts.cuts[1] ?? own.length) ? before : undefined;
  const cuts = known === undefined ? [] : [...cutsToKeep(known.parts.cuts, known.change)];
  const rest = known && cutsBehind(known.parts.cuts, known.change);
  let indent = known?.parts.indent;
  let isClass = known !== undefined;
  let isDecorated = false;
  let tail = own.length;
  mark.lastIndex = cuts.at(-1) ?? 0;
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
    if (!isDecorated && index > (cuts.at(-1) ?? -1)) {
      const others = rest?.(index);
      if (known !== undefined && others !== undefined) {
        const { tail: end } = known.parts;
        return { cuts: [...cuts, ...others], tail: end + known.change.newEnd - known.change.end, indent };
      }
      cuts.push(index);
    }
    isDecorated = token.endsWith('@');
  }
  return indent === undefined ? undefined : { cuts, tail, indent };
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
