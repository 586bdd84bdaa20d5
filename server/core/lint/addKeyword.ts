import type { Call, Module } from '../python/ast.ts';
import type { TextEdit } from '../text/edit.ts';

/**
 * Adds `name=value` behind the last argument of a call, in the call's own layout: on the same line, or on a line of its
 * own with the last argument's indentation, line ending and trailing comma. Undefined where no keyword can follow (a bare
 * generator as the only argument).
 */
export function addKeyword({ text, comments }: Module, call: Call, keyword: string): TextEdit[] | undefined {
  const closing = call.argumentList.end - 1;
  const last = call.arguments.at(-1);
  if (last === undefined) return [insertion(call.argumentList.start + 1, keyword)];
  if (last.start <= call.argumentList.start) return undefined;

  const isComment = (offset: number): boolean => comments.some((one) => one.start <= offset && offset < one.end);
  const find = (wanted: string): number => {
    for (let offset = last.end; offset < closing; offset++) {
      if (wanted.includes(text.charAt(offset)) && !isComment(offset)) return offset;
    }
    return -1;
  };
  const comma = find(',');
  const behind = comma < 0 ? last.end : comma + 1;
  const lineEnd = endOfLine(text, behind);
  const indentation = indentationBefore(text, last.start);

  // Only a last argument that has its line for itself sets the pattern for one more line.
  if (indentation === undefined || lineEnd >= closing) {
    return comma < 0 ? [insertion(last.end, `, ${keyword}`)] : [insertion(behind, ` ${keyword},`)];
  }
  const line = `${lineBreakAt(text, lineEnd)}${indentation}${keyword}`;
  if (comma >= 0) return [insertion(lineEnd, `${line},`)];
  return lineEnd === last.end ? [insertion(lineEnd, `,${line}`)] : [insertion(last.end, ','), insertion(lineEnd, line)];
}

const insertion = (at: number, text: string): TextEdit => ({ span: { start: at, end: at }, text });

function endOfLine(text: string, from: number): number {
  let offset = from;
  while (offset < text.length && text[offset] !== '\n' && text[offset] !== '\r') offset++;
  return offset;
}

const lineBreakAt = (text: string, offset: number): string =>
  text.startsWith('\r\n', offset) ? '\r\n' : text.charAt(offset);

/** The white space before `offset`, where nothing else stands before it on its line. */
function indentationBefore(text: string, offset: number): string | undefined {
  let start = offset;
  while (start > 0 && (text[start - 1] === ' ' || text[start - 1] === '\t')) start--;
  return start === 0 || text[start - 1] === '\n' || text[start - 1] === '\r' ? text.slice(start, offset) : undefined;
}
