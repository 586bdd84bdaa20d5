import type { Call, Expression, FunctionDefinition, Lambda, Module } from '../python/ast.ts';
import { enclosing } from '../python/enclosing.ts';
import type { TextEdit } from '../text/edit.ts';
import { contains } from '../text/span.ts';

/** A lambda that only calls something with its own arguments can be replaced by what it calls. */
export function passItself(
  { text }: Module,
  call: Call,
  closure: FunctionDefinition | Lambda,
): { readonly callee: string; readonly edits: readonly TextEdit[] } | undefined {
  if (closure.kind !== 'lambda' || !contains(call, closure) || closure.body.kind !== 'call') return undefined;
  const { callee, arguments: given } = closure.body;
  const same =
    given.length === closure.parameters.length &&
    closure.parameters.every((parameter, index) => {
      const argument = given[index];
      if (argument?.value.kind !== 'name' || argument.value.name !== parameter.name) return false;
      if (parameter.default !== undefined || parameter.keywordOnly) return false;
      if (parameter.form === 'plain') return argument.kind === 'positional';
      return argument.kind === 'splat' && argument.of === (parameter.form === 'tuple' ? 'positional' : 'keyword');
    });
  if (!same || closure.parameters.length === 0 || !isPlainReference(callee)) return undefined;
  const written = text.slice(callee.start, callee.end);
  return { callee: written, edits: [{ span: { start: closure.start, end: closure.end }, text: written }] };
}

/**
 * Gives a function its captured names as default arguments, which are read when it is made. Undefined where it is made too
 * early for that: before the loop, or before a name gets its value for this round.
 */
export function bindAsDefaults(
  module: Module,
  call: Call,
  closure: FunctionDefinition | Lambda,
  captured: readonly string[],
): TextEdit[] | undefined {
  const isAtHand = contains(call, closure) || contains(closure, call) || isMadeForThisCall(module, call, closure);
  if (!isAtHand) return undefined;
  const text = captured.map((name) => `${name}=${name}`).join(', ');
  const keywords = closure.parameters.find((parameter) => parameter.form === 'dict');
  const last = closure.parameters.at(-1);
  if (keywords !== undefined) return [insertion(keywords.start, `${text}, `)];
  if (last !== undefined) return [insertion(last.end, `, ${text}`)];
  const { start } = closure.kind === 'lambda' ? closure : closure.name;
  if (closure.kind === 'lambda') {
    const colon = module.text.indexOf(':', start);
    return colon < 0 || colon > closure.body.start ? undefined : [insertion(colon, ` ${text}`)];
  }
  const opening = module.text.indexOf('(', closure.name.end);
  return opening < 0 ? undefined : [insertion(opening + 1, text)];
}

/** Made in the same block right before the call, with nothing in between that binds a name anew. */
function isMadeForThisCall(module: Module, call: Call, closure: FunctionDefinition | Lambda): boolean {
  if (closure.start > call.start) return false;
  const own = enclosing(module, call.start).loops;
  const made = enclosing(module, closure.start).loops;
  return own.length > 0 && own.at(-1) === made.at(-1);
}

const insertion = (at: number, text: string): TextEdit => ({ span: { start: at, end: at }, text });

const isPlainReference = (expression: Expression): boolean =>
  expression.kind === 'name' ||
  (expression.kind === 'attribute' && isPlainReference(expression.object)) ||
  (expression.kind === 'subscript' && isPlainReference(expression.object));
