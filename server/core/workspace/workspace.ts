import type { ClassDefinition, Expression, FunctionDefinition, Lambda, Module } from '../python/ast.ts';
import { type Names, namesOf, type Target } from '../python/names.ts';
import { torchKnowledge } from '../torch/checkpointApi.ts';

/** One Python file of the user's workspace, as plain data. */
export interface SourceFile {
  /** As its owner names it: a file path, or a URI's path. Always with `/`. */
  readonly path: string;
  readonly module: Module;
  readonly names: Names;
}

export const sourceFile = (path: string, module: Module): SourceFile => ({
  path,
  module,
  names: namesOf(module, torchKnowledge),
});

/**
 * The files around the one being looked at. The core asks by path and never reads anything itself; whoever implements this
 * decides where texts come from, keeps a bounded number of parsed files, and answers undefined for what is not there.
 */
export interface Workspace {
  /** Folders from which absolute imports are looked up, nearest first (the workspace folder, its `src`). */
  readonly roots: readonly string[];
  file(path: string): SourceFile | undefined;
  /** The text of a file that is not Python: a configuration that code names. Absent where none can be read. */
  text?(path: string): string | undefined;
}

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

/** Where a qualified name leads when re-exports are followed: the defining file, or the outside name it ends in. */
export function canonicalName(qualified: string, from: string, workspace: Workspace | undefined): string {
  if (workspace === undefined) return qualified;
  let current = qualified;
  let at = from;
  for (let step = 0; step < longestChain; step++) {
    const found = splitAtModule(current, at, workspace);
    if (found === undefined || found.rest.length !== 1) return current;
    const bindings = found.file.names.moduleBindings(found.rest[0] ?? '');
    const [binding] = bindings;
    if (bindings.length !== 1 || binding?.to !== 'import') return current;
    current = binding.qualified;
    at = found.file.path;
  }
  return current;
}

function lookUp(qualified: string, from: string, workspace: Workspace, depth: number): Defined | undefined {
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

/** Splits `package.module.Class.method` into the longest part that is a file, and the rest. */
function splitAtModule(
  qualified: string,
  from: string,
  workspace: Workspace,
): { file: SourceFile; rest: string[] } | undefined {
  const dots = /^\.*/.exec(qualified)?.[0].length ?? 0;
  const parts = qualified
    .slice(dots)
    .split('.')
    .filter((part) => part !== '');
  const bases = dots > 0 ? [ancestor(from, dots)] : [...workspace.roots, ancestor(from, 1)];
  for (const base of bases) {
    for (let count = parts.length; count >= (dots > 0 ? 0 : 1); count--) {
      const stem = [base, ...parts.slice(0, count)].join('/');
      const file = (count > 0 ? workspace.file(`${stem}.py`) : undefined) ?? workspace.file(`${stem}/__init__.py`);
      if (file !== undefined && file.path !== from) return { file, rest: parts.slice(count) };
    }
  }
  return undefined;
}

/** The folder `levels` above a file: one for its own folder, two for the folder around that. */
const ancestor = (path: string, levels: number): string => path.split('/').slice(0, -levels).join('/');
