import type { Argument, Call, Module } from '../python/ast.ts';
import type { TextEdit } from '../text/edit.ts';

/**
 * Takes one argument out of a call with the comma it needs no longer. An argument that has its line for itself takes the
 * line along; a comment behind it stays. Undefined where the argument does not stand in this call.
 */
export function removeArgument({ text, comments }: Module, call: Call, argument: Argument): TextEdit[] | undefined {
  const index = call.arguments.indexOf(argument);
  if (index < 0) return undefined;
  const before = call.arguments[index - 1];
  const after = call.arguments[index + 1];
  const closing = call.argumentList.end - 1;
  const hasCommentIn = (start: number, end: number): boolean =>
    comments.some((comment) => comment.start >= start && comment.end <= end);

  const comma = commaBehind(argument.end, after?.start ?? closing);
  const behind = comma < 0 ? argument.end : comma + 1;
  const lineStart = startOfLine(text, argument.start);
  const next = skipBlanks(text, behind);
  if (skipBlanks(text, lineStart) === argument.start && lineStart > call.argumentList.start) {
    if (isLineEnd(text, next)) return [removal(lineStart, afterLineBreak(text, next))];
    if (text[next] === '#') return [removal(argument.start, next)];
  }
  if (before !== undefined && !hasCommentIn(before.end, argument.start)) return [removal(before.end, argument.end)];
  if (before === undefined && after !== undefined && !hasCommentIn(argument.end, after.start)) {
    return [removal(argument.start, after.start)];
  }
  return [removal(argument.start, behind)];

  function commaBehind(from: number, to: number): number {
    for (let offset = from; offset < to; offset++) {
      if (text[offset] === ',' && !comments.some((one) => one.start <= offset && offset < one.end)) return offset;
    }
    return -1;
  }
}

const removal = (start: number, end: number): TextEdit => ({ span: { start, end }, text: '' });

const isBlank = (character: string | undefined): boolean => character === ' ' || character === '\t';

const isLineEnd = (text: string, offset: number): boolean => text[offset] === '\n' || text[offset] === '\r';

function startOfLine(text: string, from: number): number {
  let offset = from;
  while (offset > 0 && !isLineEnd(text, offset - 1)) offset--;
  return offset;
}

function skipBlanks(text: string, from: number): number {
  let offset = from;
  while (isBlank(text[offset])) offset++;
  return offset;
}

const afterLineBreak = (text: string, offset: number): number => offset + (text.startsWith('\r\n', offset) ? 2 : 1);
