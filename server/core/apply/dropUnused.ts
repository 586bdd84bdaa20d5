import type { Assign, ImportFrom, Module, Statement } from '../python/ast.ts';
import { expressionsOf } from '../python/walk.ts';
import type { TextEdit } from '../text/edit.ts';
import { contains, type Span } from '../text/span.ts';
import { policyComment, policyConstants } from './policyCode.ts';
import { removeStatement, replacement, standsAlone } from './sourceLayout.ts';

/** Takes out what nothing uses any more once `removed` stretches are gone: imports, and the constants of a policy. */
export function dropUnused(module: Module, removed: readonly Span[]): TextEdit[] {
  const gone = [...removed];
  const edits: TextEdit[] = [];
  // A constant may be the last that uses another one.
  for (;;) {
    const names = onlyUsedIn(module, gone);
    const constant = module.body.find((one): one is Assign => isPolicyConstant(one, names) && !gone.includes(one));
    if (constant === undefined) {
      const imports = module.body.flatMap((one) => (one.kind === 'importFrom' ? withoutNames(module, one, names) : []));
      return [...edits, ...imports];
    }
    const edit = removeStatement(module, constant);
    if (edit === undefined) return edits;
    gone.push(constant);
    edits.push(withComment(module, edit));
  }
}

/** Names that stand in the removed stretches and nowhere else. */
function onlyUsedIn(module: Module, removed: readonly Span[]): ReadonlySet<string> {
  const inside = new Set<string>();
  const outside = new Set<string>();
  for (const one of expressionsOf(module)) {
    // A text may name what the module hands on: `__all__ = ["checkpoint"]`.
    const name = one.kind === 'name' ? one.name : one.kind === 'string' ? one.value : undefined;
    if (name === undefined || isTarget(module, one)) continue;
    (removed.some((span) => contains(span, one)) ? inside : outside).add(name);
  }
  return new Set([...inside].filter((name) => !outside.has(name)));
}

const isTarget = ({ body }: Module, name: Span): boolean =>
  body.some((one) => one.kind === 'assign' && one.targets.some((target) => target.start === name.start));

const isPolicyConstant = (statement: Statement, names: ReadonlySet<string>): statement is Assign =>
  statement.kind === 'assign' &&
  statement.targets.every(
    (target) => target.kind === 'name' && names.has(target.name) && policyConstants.has(target.name),
  );

/** The comment goes with the constant it stands above, and the empty line before it. */
function withComment({ text }: Module, { span }: TextEdit): TextEdit {
  const before = text.slice(0, span.start);
  const found = new RegExp(`\\r?\\n(?=\\r?\\n)?(\\r?\\n)?${policyComment}\\r?\\n$`).exec(before);
  const start = found === null ? span.start : found.index + (/^\r?\n/.exec(found[0])?.[0].length ?? 0);
  return replacement({ start, end: span.end }, '');
}

/** Only for an import on one line: what stands in parentheses may have comments. */
function withoutNames(module: Module, statement: ImportFrom, unused: ReadonlySet<string>): TextEdit[] {
  const left = statement.names.filter(({ name, alias }) => !unused.has(alias ?? name));
  if (left.length === statement.names.length || statement.star) return [];
  if (left.length === 0) {
    const edit = removeStatement(module, statement);
    return edit === undefined ? [] : [edit];
  }
  const [first] = statement.names;
  const last = statement.names.at(-1);
  if (first === undefined || last === undefined || !standsAlone(module, statement)) return [];
  if (/[\r\n]/.test(module.text.slice(first.start, last.end))) return [];
  const written = left.map(({ start, end }) => module.text.slice(start, end)).join(', ');
  return [replacement({ start: first.start, end: last.end }, written)];
}
