import type { ClassDefinition, Expression, FunctionDefinition, Lambda, Module } from '../python/ast.ts';
import { type NameKnowledge, type Names, namesOf, type Resolution, type Target } from '../python/names.ts';
import type { Binding } from '../python/scope.ts';
import { torchKnowledge } from '../torch/checkpointApi.ts';

/** One Python file of the user's workspace, as plain data. */
export interface SourceFile {
  /** As its owner names it: a file path, or a URI's path. Always with `/`. */
  readonly path: string;
  readonly text: string;
  readonly module: Module;
  readonly names: Names;
}

/** With a workspace, names are followed through imports into its other files. */
export const sourceFile = (path: string, module: Module, workspace?: Workspace): SourceFile => ({
  path,
  text: module.text,
  module,
  names: namesIn(path, module, workspace),
});

/** A file that is parsed when something in it is first asked for; most files a name leads to never are. */
export function unreadSourceFile(
  path: string,
  text: string,
  parse: (text: string) => Module,
  workspace: Workspace,
): SourceFile {
  let module: Module | undefined;
  let names: Names | undefined;
  return {
    path,
    text,
    get module() {
      module ??= parse(text);
      return module;
    },
    get names() {
      names ??= namesIn(path, this.module, workspace);
      return names;
    },
  };
}

function namesIn(path: string, module: Module, workspace: Workspace | undefined): Names {
  return namesOf(
    module,
    workspace === undefined ? torchKnowledge : { ...torchKnowledge, ...following(path, workspace) },
  );
}

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

/**
 * Follows names out of one file: through re-exports to the library they come from, through aliases and `partial` to what
 * they stand for there. A name the workspace defines itself comes back under its absolute name.
 */
function following(path: string, workspace: Workspace): Required<Pick<NameKnowledge, 'follow' | 'followCall'>> {
  const known = new Map<string, Resolution | undefined>();
  const remembering = (key: string, find: () => Resolution | undefined): Resolution | undefined => {
    if (known.has(key)) return known.get(key);
    // Files that import each other come back here: the second time there is nothing to add.
    known.set(key, undefined);
    const found = find();
    known.set(key, found);
    return found;
  };
  return {
    follow: (qualified, always) =>
      remembering(qualified, () => {
        const found = splitAtModule(qualified, path, workspace);
        const [first, ...rest] = found?.rest ?? [];
        if (found === undefined || first === undefined) return undefined;
        if (!always && !mayLeadOn(found.file)) return undefined;
        const bindings = found.file.names.moduleBindings(first);
        if (bindings.length === 0) return undefined;
        return unionOf(bindings.map((binding) => led(binding, [first, ...rest], found.file)));
      }),
    followCall: (qualified) =>
      remembering(`${qualified}()`, () => {
        const defined = lookUp(qualified, path, workspace, 0);
        if (defined?.definition.kind !== 'function') return undefined;
        return carriedOver(defined.file.names.returned(defined.definition), defined.file, workspace);
      }),
  };

  function led(binding: Binding, names: readonly string[], file: SourceFile): Resolution {
    const [, ...rest] = names;
    switch (binding.to) {
      case 'definition':
        return only([absoluteName(file, workspace), ...names].join('.'));
      case 'import': {
        const next = absolute([binding.qualified, ...rest].join('.'), file, workspace);
        return file.names.follow(next);
      }
      case 'value':
        return rest.length > 0 ? nothingKnown : carriedOver(file.names.resolve(binding.value), file, workspace);
      default:
        return nothingKnown;
    }
  }
}

/** Only a package's own file or one that speaks of checkpointing can lead a name to where it matters. */
const mayLeadOn = ({ path, text }: SourceFile): boolean => path.endsWith('/__init__.py') || text.includes('checkpoint');

const nothingKnown: Resolution = { targets: [], complete: false };

const only = (qualified: string): Resolution => ({
  targets: [{ qualified, definition: undefined, preset: [] }],
  complete: true,
});

const unionOf = (all: readonly Resolution[]): Resolution => ({
  targets: all.flatMap(({ targets }) => targets),
  complete: all.every(({ complete }) => complete),
});

/** A resolution made in `file`, in words that hold elsewhere. Preset arguments come along only where they are literals. */
function carriedOver({ targets, complete }: Resolution, file: SourceFile, workspace: Workspace): Resolution {
  const carried = targets.map((target): Target | undefined => {
    const literal = target.preset.every(
      ({ value }) => value.kind === 'constant' || value.kind === 'number' || value.kind === 'string',
    );
    if (!literal) return undefined;
    if (target.qualified !== undefined) return { ...target, qualified: absolute(target.qualified, file, workspace) };
    if (target.definition === undefined || target.definition.kind === 'lambda') return undefined;
    const isTopLevel = file.module.body.includes(target.definition);
    const qualified = `${absoluteName(file, workspace)}.${target.definition.name.name}`;
    return isTopLevel ? { ...target, qualified, definition: undefined } : undefined;
  });
  const whole = carried.filter((target) => target !== undefined);
  return { targets: whole, complete: complete && whole.length === targets.length };
}

/** A relative name as an absolute one; other names as they are. */
function absolute(qualified: string, file: SourceFile, workspace: Workspace): string {
  const dots = /^\.*/.exec(qualified)?.[0].length ?? 0;
  if (dots === 0) return qualified;
  const folder = ancestor(file.path, dots);
  return [dotted(folder, workspace), qualified.slice(dots)].filter((part) => part !== '').join('.');
}

const absoluteName = (file: SourceFile, workspace: Workspace): string =>
  dotted(file.path.replace(/(\/__init__)?\.py$/, ''), workspace);

function dotted(path: string, { roots }: Workspace): string {
  const root = roots.find((one) => path.startsWith(`${one}/`));
  return (root === undefined ? path : path.slice(root.length + 1)).replaceAll('/', '.');
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
