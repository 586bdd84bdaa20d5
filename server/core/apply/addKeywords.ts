import { addKeyword } from '../lint/addKeyword.ts';
import type { Call, Module } from '../python/ast.ts';
import type { TextEdit } from '../text/edit.ts';

/** Several keywords behind the last argument of a call, each in the call's own layout; undefined where none can follow. */
export function addKeywords(module: Module, call: Call, keywords: readonly string[]): TextEdit[] | undefined {
  const each = keywords.map((keyword) => addKeyword(module, call, keyword));
  const [first] = each;
  const last = first?.at(-1);
  if (first === undefined || last === undefined) return keywords.length === 0 ? [] : undefined;
  // All of them are meant for one place: with a comma of its own for the argument before them, or in an empty call.
  const between = call.arguments.length === 0 ? ', ' : first.length > 1 ? ',' : '';
  const text = each.map((edits) => edits?.at(-1)?.text ?? '').join(between);
  return [...first.slice(0, -1), { span: last.span, text }];
}
