import { isWordUnit } from '../text/wordUnit.ts';
import { type Section, sectionsIn } from './parts.ts';
import type { SourceFile } from './workspace.ts';

type Text = Pick<SourceFile, 'text'>;

/**
 * What a name is once its module has run, where the text alone tells that it is a function or class defined at the module's
 * top. Files that names lead to are large and asked for a name or two; those then need no parsing. Undefined wherever the
 * text could mean anything else; only parsing tells then.
 */
export const definedInText = (file: Text, name: string): 'function' | 'class' | undefined =>
  sectionDefining(file, name)?.defines?.kind;

/**
 * Whether calling it gives nothing that names could be followed through: it makes a class's object, is not there, or returns no
 * value that is known. `path` is a name of the module, and what is to be taken of a class.
 */
export function givesNothingBack(file: Text, [name, member, ...rest]: readonly string[]): boolean {
  const section = name === undefined ? undefined : sectionDefining(file, name);
  if (section?.defines === undefined) return false;
  const { kind } = section.defines;
  if (member === undefined) return kind === 'class' || isNeverFollowed.test(section.body) || !returns(section.body);
  // A function has no members, and what a class inherits is not looked up.
  if (kind === 'function') return true;
  return (
    rest.length === 0 &&
    definitionsIn(section.body, member).every(({ isFollowed, body }) => !isFollowed || !returns(body))
  );
}

/** What a decorator or a coroutine gives back is not known. */
const isNeverFollowed = /^(?:@|async\b)/;
const returns = (code: string): boolean => code.includes('return');

/** Everything of this name that is defined somewhere inside a class. */
function definitionsIn(code: string, name: string): { readonly isFollowed: boolean; readonly body: string }[] {
  const written = new RegExp(`^([ \\t]+)(async[ \\t]+)?(?:def|class)[ \\t]+${name}\\b`, 'gm');
  return [...code.matchAll(written)].map((match) => {
    const behind = code.slice(match.index + match[0].length);
    const end = behind.search(new RegExp(`[\\r\\n][ \\t]{0,${match[1]?.length ?? 0}}(?=[^\\s#)\\]}])`));
    const isDecorated = /(?:^|[\r\n])[ \t]*@[^\r\n]*\s*$/.test(code.slice(0, match.index));
    return { isFollowed: !isDecorated && match[2] === undefined, body: end < 0 ? behind : behind.slice(0, end) };
  });
}

function sectionDefining(file: Text, name: string): Section | undefined {
  const sections = sectionsIn(file);
  const index = sections.findLastIndex(({ defines }) => defines?.name === name);
  const isSole = index >= 0 && !sections.slice(index).some((one) => one.hasStarImport || mayBind(one.rest, name));
  return isSole ? sections[index] : undefined;
}

/** Whether a line could give the name another meaning, or take part in a statement over several lines that does. */
export function mayBind(code: string, name: string): boolean {
  for (let at = code.indexOf(name); at >= 0; at = code.indexOf(name, at + name.length)) {
    const end = at + name.length;
    if (isWordUnit(code.charCodeAt(at - 1)) || isWordUnit(code.charCodeAt(end))) continue;
    const lineStart = code.lastIndexOf('\n', at) + 1;
    const lineEnd = code.indexOf('\n', at);
    const line = code.slice(lineStart, lineEnd < 0 ? code.length : lineEnd);
    if (binding.test(line) || isOnlyNames.test(line) || isAssignedTo(line.slice(end - lineStart))) return true;
  }
  return false;
}

const binding = /\b(import|as|for|global|nonlocal|del|def|class|case|type)\b/;
/** As lines of an import or of targets in brackets look. */
const isOnlyNames = /^[\s\w,.*()[\]\\;]*$/;
const isAssignedTo = (behind: string): boolean => /(^|[^=!<>])=(?!=)/.test(behind);
