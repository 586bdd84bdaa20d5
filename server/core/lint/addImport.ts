import type { Module, Statement } from '../python/ast.ts';
import type { Names } from '../python/names.ts';
import type { TextEdit } from '../text/edit.ts';

/** How this file writes `functools.partial`, and the import it needs first, in the style of its other imports. */
export function importPartial(module: Module, names: Names): { readonly name: string; readonly edits: TextEdit[] } {
  for (const [bound, qualified, name] of [
    ['partial', 'functools.partial', 'partial'],
    ['functools', 'functools', 'functools.partial'],
  ] as const) {
    const [binding, ...others] = names.moduleBindings(bound);
    if (others.length === 0 && binding?.to === 'import' && binding.qualified === qualified) return { name, edits: [] };
  }
  const first = module.body.find((statement) => isImport(statement) && !isFuture(statement));
  const whole = first?.kind === 'import' || names.moduleBindings('partial').length > 0;
  const line = whole ? 'import functools' : 'from functools import partial';
  const at = first?.start ?? module.body.find((statement) => !isText(statement))?.start ?? 0;
  const lineBreak = module.text.includes('\r\n') ? '\r\n' : '\n';
  return {
    name: whole ? 'functools.partial' : 'partial',
    edits: [{ span: { start: at, end: at }, text: `${line}${lineBreak}` }],
  };
}

const isImport = (statement: Statement): boolean => statement.kind === 'import' || statement.kind === 'importFrom';

const isFuture = (statement: Statement): boolean =>
  statement.kind === 'importFrom' && statement.module === '__future__';

const isText = (statement: Statement): boolean =>
  isFuture(statement) || (statement.kind === 'expression' && statement.value.kind === 'string');

/** A line `import name` behind the file's own `import torch`; nothing where the file has it already, undefined where it cannot go. */
export function importTorchModule({ text, body }: Module, name: string): TextEdit[] | undefined {
  const imported = body.filter((one) => one.kind === 'import');
  if (imported.some(({ names }) => names.some((one) => one.name === name && one.alias === undefined))) return [];
  const statement = imported.find(({ names }) => names.some((one) => one.name.split('.')[0] === 'torch'));
  if (statement === undefined) return undefined;
  const rest = /[^\r\n]*/.exec(text.slice(statement.end))?.[0] ?? '';
  if (rest.includes(';')) return undefined;
  const at = statement.end + rest.length;
  const lineBreak = text.includes('\r\n') ? '\r\n' : '\n';
  return [{ span: { start: at, end: at }, text: `${lineBreak}import ${name}` }];
}
