import type { ClassDefinition, Expression, FunctionDefinition, Lambda } from '../python/ast.ts';
import type { Target } from '../python/names.ts';
import { definedInText } from './definedInText.ts';
import { importedInText } from './importedInText.ts';
import { splitAtModule } from './moduleNames.ts';
import type { SourceFile, Workspace } from './workspace.ts';

/** A definition with the file it stands in, so that names inside it are resolved there. */
export interface Defined {
  readonly file: SourceFile;
  readonly definition: FunctionDefinition | ClassDefinition | Lambda;
}

/** Re-exports of re-exports end here; only a cycle is longer. */
const longestChain = 12;

/** The definition a name stands for, in this file or in another one of the workspace. */
export function definitionOf(target: Target, file: SourceFile, workspace: Workspace | undefined): Defined | undefined {
  if (target.definition !== undefined) return { file, definition: target.definition };
  if (target.qualified === undefined || workspace === undefined) return undefined;
  return lookUp(target.qualified, file.path, workspace);
}

/**
 * The file and kind of what a qualified name stands for, where the text of the file says it without parsing; undefined says
 * nothing. `member` is something of a class or function.
 */
export function writtenDefinition(
  qualified: string,
  from: string,
  workspace: Workspace,
): { readonly file: SourceFile; readonly kind: 'function' | 'class' | 'member' } | undefined {
  const { file, rest } = splitAtModule(qualified, from, workspace) ?? {};
  const [first, ...behind] = rest ?? [];
  const kind = file === undefined || first === undefined ? undefined : definedInText(file, first);
  if (file === undefined || kind === undefined) return undefined;
  return { file, kind: behind.length > 0 ? 'member' : kind };
}

/** The sole definition an expression stands for; undefined where it may be several things. */
export function soleDefinition(
  expression: Expression,
  file: SourceFile,
  workspace: Workspace | undefined,
): Defined | undefined {
  const only = soleTarget(expression, file);
  return only && definitionOf(only, file, workspace);
}

function soleTarget(expression: Expression, { names }: SourceFile): Target | undefined {
  const { targets, complete } = names.resolve(expression);
  return complete && targets.length === 1 ? targets[0] : undefined;
}

/** The definition behind a qualified name, seen from the file `from`; re-exports are followed. */
function lookUp(qualified: string, from: string, workspace: Workspace): Defined | undefined {
  return visit(
    qualified,
    from,
    workspace,
    0,
    (file, _, ask) => ask(file),
    (defined) => defined,
  );
}

/** What `ask` says about that definition, which stands in a part of its file there and is of no use behind it. */
export function askDefinition<Answer>(
  qualified: string,
  from: string,
  workspace: Workspace,
  ask: (defined: Defined) => Answer | undefined,
): Answer | undefined {
  return visit(qualified, from, workspace, 0, inPartOf, ask);
}

/** Answers a question about a name of a module from as much of its file as that takes. */
export const inPartOf = <Answer>(file: SourceFile, name: string, ask: (file: SourceFile) => Answer): Answer =>
  file.inPart === undefined ? ask(file) : file.inPart(name, ask);

type View = <Answer>(file: SourceFile, name: string, ask: (file: SourceFile) => Answer) => Answer;

function visit<Answer>(
  qualified: string,
  from: string,
  workspace: Workspace,
  depth: number,
  view: View,
  use: (defined: Defined) => Answer | undefined,
): Answer | undefined {
  if (depth > longestChain) return undefined;
  const found = splitAtModule(qualified, from, workspace);
  const [first, ...rest] = found?.rest ?? [];
  if (found === undefined || first === undefined) return undefined;
  const imported = importedInText(found.file, first);
  if (imported !== undefined)
    return visit([imported, ...rest].join('.'), found.file.path, workspace, depth + 1, view, use);
  return view(found.file, first, (file): Answer | undefined => {
    const bindings = file.names.moduleBindings(first);
    const [binding] = bindings;
    if (bindings.length !== 1 || binding === undefined) return undefined;
    switch (binding.to) {
      case 'definition': {
        const member = memberOf({ file, definition: binding.definition }, rest);
        return member && use(member);
      }
      case 'import':
        return visit([binding.qualified, ...rest].join('.'), file.path, workspace, depth + 1, view, use);
      case 'value': {
        const target = rest.length > 0 ? undefined : soleTarget(binding.value, file);
        if (target?.definition !== undefined) return use({ file, definition: target.definition });
        if (target?.qualified === undefined) return undefined;
        return visit(target.qualified, file.path, workspace, depth + 1, view, use);
      }
      default:
        return undefined;
    }
  });
}

function memberOf(owner: Defined, path: readonly string[]): Defined | undefined {
  let current = owner;
  for (const name of path) {
    if (current.definition.kind !== 'class') return undefined;
    const member = current.definition.body.findLast(
      (statement) => (statement.kind === 'function' || statement.kind === 'class') && statement.name.name === name,
    );
    if (member?.kind !== 'function' && member?.kind !== 'class') return undefined;
    current = { file: owner.file, definition: member };
  }
  return current;
}
