import type { ClassDefinition, Expression, FunctionDefinition, Lambda } from '../python/ast.ts';
import type { Target } from '../python/names.ts';
import { definedInText } from './definedInText.ts';
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
  return lookUp(target.qualified, file.path, workspace, 0);
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
  const kind = file === undefined || first === undefined ? undefined : definedInText(file.text, first);
  if (file === undefined || kind === undefined) return undefined;
  return { file, kind: behind.length > 0 ? 'member' : kind };
}

/** The sole definition an expression stands for; undefined where it may be several things. */
export function soleDefinition(
  expression: Expression,
  file: SourceFile,
  workspace: Workspace | undefined,
): Defined | undefined {
  const { targets, complete } = file.names.resolve(expression);
  const [only] = targets;
  return complete && targets.length === 1 && only !== undefined ? definitionOf(only, file, workspace) : undefined;
}

/** The definition behind a qualified name, seen from the file `from`; re-exports are followed. */
export function lookUp(qualified: string, from: string, workspace: Workspace, depth: number): Defined | undefined {
  if (depth > longestChain) return undefined;
  const found = splitAtModule(qualified, from, workspace);
  if (found === undefined) return undefined;
  const [first, ...rest] = found.rest;
  if (first === undefined) return undefined;
  const bindings = found.file.names.moduleBindings(first);
  const [binding] = bindings;
  if (bindings.length !== 1 || binding === undefined) return undefined;
  switch (binding.to) {
    case 'definition':
      return memberOf({ file: found.file, definition: binding.definition }, rest);
    case 'import':
      return lookUp([binding.qualified, ...rest].join('.'), found.file.path, workspace, depth + 1);
    case 'value': {
      if (rest.length > 0) return undefined;
      return soleDefinition(binding.value, found.file, workspace);
    }
    default:
      return undefined;
  }
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
