import type { Argument, Call, Module } from '../python/ast.ts';
import type { TextEdit } from '../text/edit.ts';
import type { Span } from '../text/span.ts';

/**
 * Takes arguments out of a call: with its line and the comment on it where an argument has the line for itself, else with
 * the comma that becomes superfluous.
 */
export function removeArguments(module: Module, call: Call, unwanted: readonly Argument[]): TextEdit[] {
  return runsOf(call, unwanted).map((run) => ({ span: spanOf(module, call, run), text: '' }));
}

/** Neighbours go in one edit: two edits would both claim the comma between them. */
function runsOf(call: Call, unwanted: readonly Argument[]): Span[] {
  const runs: Span[] = [];
  let open: Span | undefined;
  for (const argument of call.arguments) {
    if (unwanted.includes(argument)) {
      open = { start: open?.start ?? argument.start, end: argument.end };
    } else if (open !== undefined) {
      runs.push(open);
      open = undefined;
    }
  }
  return open === undefined ? runs : [...runs, open];
}

function spanOf({ text, comments }: Module, call: Call, run: Span): Span {
  const closing = call.argumentList.end - 1;
  const isComment = (offset: number): boolean => comments.some((one) => one.start <= offset && offset < one.end);
  let comma = run.end;
  while (comma < closing && (text[comma] !== ',' || isComment(comma))) comma++;
  const behind = comma < closing ? comma + 1 : run.end;

  let lineStart = run.start;
  while (isBlank(text[lineStart - 1])) lineStart--;
  let lineEnd = behind;
  while (isBlank(text[lineEnd]) || isComment(lineEnd)) lineEnd++;
  if (isLineBreak(text[lineStart - 1]) && isLineBreak(text[lineEnd])) {
    return { start: lineStart, end: lineEnd + (text.startsWith('\r\n', lineEnd) ? 2 : 1) };
  }
  if (comma < closing) {
    let end = behind;
    while (isBlank(text[end])) end++;
    return { start: run.start, end };
  }
  let start = run.start;
  while (start > call.argumentList.start + 1 && (isBlank(text[start - 1]) || isLineBreak(text[start - 1]))) start--;
  return text[start - 1] === ',' && !isComment(start - 1) ? { start: start - 1, end: run.end } : run;
}

const isBlank = (character: string | undefined): boolean => character === ' ' || character === '\t';
const isLineBreak = (character: string | undefined): boolean => character === '\n' || character === '\r';
