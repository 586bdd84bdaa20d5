/**
 * What a name is once its module has run, where the text alone tells that it is a function or class defined at the module's
 * top. Files that names lead to are large and asked for a name or two: those then need no parsing. Undefined wherever the
 * text could mean anything else; only parsing tells then.
 */
export function definedInText(text: string, name: string): 'function' | 'class' | undefined {
  const last = lastDefinitionOf(name, text);
  return last === undefined || isInString(text, last.end) || mayBindAgain(text, name, last.end) ? undefined : last.kind;
}

/** Whether calling it gives nothing that names could be followed through: it makes a class's object, or returns no value. */
export function givesNothingBack(text: string, name: string): boolean {
  const kind = definedInText(text, name);
  const start = kind === 'function' ? lastDefinitionOf(name, text)?.end : undefined;
  if (start === undefined) return kind === 'class';
  return !text.slice(start, endOfBlock(text, start)).includes('return');
}

/** Where the next statement at the module's top begins; a string's lines may begin there too. */
function endOfBlock(text: string, from: number): number {
  const atTop = /\n(?=[^\s)\]}#])/g;
  atTop.lastIndex = from;
  for (let match = atTop.exec(text); match !== null; match = atTop.exec(text)) {
    if (!isInString(text.slice(from, match.index), match.index - from)) return match.index;
  }
  return text.length;
}

interface WrittenDefinition {
  readonly kind: 'function' | 'class';
  readonly end: number;
}

/** Of the definitions that stand at the beginning of a line. */
function lastDefinitionOf(name: string, text: string): WrittenDefinition | undefined {
  const found = (['def', 'class'] as const).flatMap((keyword): readonly WrittenDefinition[] => {
    const written = `${keyword} ${name}`;
    for (let at = text.lastIndexOf(written); at >= 0; at = at === 0 ? -1 : text.lastIndexOf(written, at - 1)) {
      const start = text.startsWith('async ', at - 6) ? at - 6 : at;
      const end = at + written.length;
      if ((start === 0 || text[start - 1] === '\n') && !isWordUnit(text.charCodeAt(end)))
        return [{ kind: keyword === 'def' ? 'function' : 'class', end }];
    }
    return [];
  });
  return found.toSorted((a, b) => b.end - a.end)[0];
}

/** Behind an odd number of triple quotes; quotes inside other strings only make the answer more careful. */
const isInString = (text: string, offset: number): boolean =>
  ['"""', "'''"].some((quotes) => {
    let isOpen = false;
    for (let at = text.indexOf(quotes); at >= 0 && at < offset; at = text.indexOf(quotes, at + 3)) isOpen = !isOpen;
    return isOpen;
  });

/** Whether a line behind `from` could give the name another meaning, or take part in a statement over several lines that does. */
function mayBindAgain(text: string, name: string, from: number): boolean {
  for (let at = text.indexOf(name, from); at >= 0; at = text.indexOf(name, at + name.length)) {
    const end = at + name.length;
    if (isWordUnit(text.charCodeAt(at - 1)) || isWordUnit(text.charCodeAt(end))) continue;
    const lineStart = text.lastIndexOf('\n', at) + 1;
    const lineEnd = text.indexOf('\n', at);
    const line = text.slice(lineStart, lineEnd < 0 ? text.length : lineEnd);
    if (binding.test(line) || isOnlyNames.test(line) || isAssignedTo(line.slice(end - lineStart))) return true;
  }
  return /^[^#\n]*\bimport +\*/m.test(text.slice(from));
}

const binding = /\b(import|as|for|global|nonlocal|del|def|class|case|type)\b/;
/** As lines of an import or of targets in brackets look. */
const isOnlyNames = /^[\s\w,.*()[\]\\;]*$/;
const isAssignedTo = (behind: string): boolean => /(^|[^=!<>])=(?!=)/.test(behind);

const isWordUnit = (unit: number): boolean =>
  (unit >= 48 && unit <= 57) || (unit >= 65 && unit <= 90) || unit === 95 || (unit >= 97 && unit <= 122) || unit > 127;
