import type { Call, Expression, FunctionDefinition, Module } from '../python/ast.ts';
import { type Names, namesOf } from '../python/names.ts';
import { LineIndex } from '../text/lineIndex.ts';
import { overlaps } from '../text/span.ts';
import { torchKnowledge } from '../torch/checkpointApi.ts';
import type { SourceFile, Workspace } from '../workspace/workspace.ts';
import { namesOfWorkspace } from './calleesFollowed.ts';
import { conditionHolds } from './conditions.ts';
import { fieldsOf, givenFields } from './fields.ts';
import { argumentGiven } from './parameters.ts';
import { type FactsAround, openProject, type Project } from './project.ts';
import { readValue } from './readValue.ts';
import {
  argumentFor,
  groupedByObject,
  identityOf,
  membersBySelf,
  rootsOf,
  type SelfMembers,
  type Way,
} from './roots.ts';
import type { Change, Condition, Fields, ReadValue, Source } from './source.ts';
import { surroundingsAt, type Walked, walkSource } from './sourceWalk.ts';

/**
 * Walks a module once and gives what the readers of facts look things up in. With `around`, names are followed into the
 * other files of the workspace; `path` is how places name this one.
 */
export function openSource(module: Module, names: Names, path: string, around?: FactsAround): Source {
  const nameOf = (file: string): string => around?.placeName(file) ?? file;
  const project = openProject(
    around,
    (file, of) => sourceIn(of, file, nameOf(file.path), () => walkedFile(around?.workspace, file)),
    (file, text, root, of) => {
      const content: Module = {
        text,
        body: [{ kind: 'expression', value: root, start: root.start, end: root.end }],
        comments: [],
        unreliable: [],
      };
      const own = namesOf(content, torchKnowledge);
      return sourceIn(of, { module: content, names: own, path: file }, nameOf(file), () => walkSource(content, own));
    },
  );
  const file = around?.file ?? path;
  const walk = (): Walked => walkSource(module, names, namesOfWorkspace(around?.workspace, file));
  return sourceIn(project, { module, names, path: file }, path, walk);
}

/** Files around are read again with every keystroke in the one that is edited, and stay the same. */
function walkedFile(workspace: Workspace | undefined, file: SourceFile): Walked {
  const known = walkedFiles.get(file);
  const walked = known ?? walkSource(file.module, file.names, namesOfWorkspace(workspace, file.path));
  if (known === undefined) walkedFiles.set(file, walked);
  return walked;
}

const walkedFiles = new WeakMap<SourceFile, Walked>();

/** A file is walked when something of it is asked for; of most only one definition is looked at. */
function sourceIn(
  project: Project,
  { module, names, path: file }: Pick<SourceFile, 'module' | 'names' | 'path'>,
  path: string,
  walk: () => Walked,
): Source {
  let walkedOnce: Walked | undefined;
  const walked = (): Walked => {
    walkedOnce ??= walk();
    return walkedOnce;
  };
  let lines: LineIndex | undefined;
  const positionAt = (offset: number) => {
    lines ??= new LineIndex(module.text);
    return lines.positionAt(offset);
  };
  const known = new Map<Expression, ReadValue | undefined>();
  const open = new Set<Expression>();
  const callers = new Map<FunctionDefinition, { readonly caller: Source; readonly call: Call }>();
  let depth = 0;
  let namesOfValues: ReadonlyMap<Expression | undefined, string> | undefined;
  let changesByObject: ReadonlyMap<unknown, readonly Change[]> | undefined;
  let selfMembers: SelfMembers | undefined;
  const way: Way = {
    names,
    members() {
      selfMembers ??= membersBySelf(walked().changes, names);
      return selfMembers;
    },
    calls: () => walked().calls,
  };
  const own: Omit<Source, keyof WalkedParts> = {
    module,
    names,
    versions: project.versions,
    options: project.options,
    changesOf(root) {
      changesByObject ??= groupedByObject(walked().changes, source);
      return changesByObject.get(identityOf(root, names)) ?? [];
    },
    ownerOf: (span) => project.ownerOf(span) ?? source,
    placeOf(span) {
      const given = project.options?.placeOf(span);
      if (given !== undefined) return given;
      const owner = source.ownerOf(span);
      if (owner !== source) return owner.placeOf(span);
      const { line, column } = positionAt(span.start);
      return { path, span: { start: span.start, end: span.end }, line: line + 1, column: column + 1 };
    },
    lineOf(span) {
      const given = project.options?.placeOf(span);
      if (given !== undefined) return given.line;
      const owner = source.ownerOf(span);
      return owner === source ? positionAt(span.start).line + 1 : owner.lineOf(span);
    },
    surroundingsAt: (offset) => surroundingsAt(walked().statements, offset),
    rootsOf: (expression) =>
      source.ownerOf(expression) === source ? rootsOf(expression, way, new Set()) : [expression],
    argumentFor(parameter) {
      const bindings = names.bindingsOf(parameter);
      return bindings[0] && argumentFor(bindings[0], bindings.length, way);
    },
    argumentFromElsewhere(name) {
      const [binding, another] = names.bindingsOf(name);
      const node = binding?.to === 'parameter' ? binding.scope.node : undefined;
      const from = node !== undefined && 'kind' in node && node.kind === 'function' ? callers.get(node) : undefined;
      if (binding?.to !== 'parameter' || another !== undefined || from === undefined || node === undefined)
        return undefined;
      const given = argumentGiven(from.call, binding.parameter, node as FunctionDefinition);
      return given && project.handOver(from.caller, given);
    },
    calledFrom(definition, caller, call) {
      callers.set(definition, { caller, call });
    },
    read(expression) {
      const owner = source.ownerOf(expression);
      if (owner !== source) {
        const read = owner.read(expression);
        return read && project.handOver(owner, read);
      }
      if (known.has(expression) || depth > deepestValue) return known.get(expression);
      // Names that stand for each other in a circle come back here while they are still being read.
      known.set(expression, undefined);
      depth++;
      const read = readValue(source, expression);
      depth--;
      const sound = read !== undefined && isReliable(read) ? read : undefined;
      known.set(expression, sound);
      return sound;
    },
    fieldsOf(expression, use, only): Fields | undefined {
      const owner = source.ownerOf(expression);
      if (owner !== source) {
        const there = owner.fieldsOf(expression, undefined, only);
        return there && project.handOver(owner, there);
      }
      if (open.has(expression) || open.size > deepestObject) return undefined;
      open.add(expression);
      const fields = fieldsOf(source, expression, use, only);
      open.delete(expression);
      return fields;
    },
    givenTo: (call) => givenFields(source, call),
    outside(expression) {
      if (source.ownerOf(expression) !== source) return undefined;
      const qualified = importedName(names, expression);
      return qualified === undefined ? undefined : project.outside(qualified, file);
    },
    handedOver: (owner, handed) => (owner === source ? handed : project.handOver(owner, handed)),
    belongsTo: (owner, spans) => project.own(owner, spans),
    config: (named) => project.config(named, file),
    // The same name may be opened again for another file.
    openedAs: (name) => {
      const all = name.kind === 'name' ? (walked().opened.get(name.name) ?? []) : [];
      return all.findLast((value) => value.start < name.start);
    },
    assignedName: (call) => {
      namesOfValues ??= new Map(
        [...walked().assignments].flatMap(([name, all]) => all.map(({ value }) => [value, name] as const)),
      );
      return namesOfValues.get(call);
    },
    holds: (condition: Condition) => conditionHolds(source, condition),
  };
  const source: Source = Object.assign(new WalkedParts(walked), own);
  return source;

  function isReliable({ at }: ReadValue): boolean {
    return (
      project.options?.placeOf(at) !== undefined ||
      source.ownerOf(at) !== source ||
      !module.unreliable.some((span) => overlaps(span, at))
    );
  }
}

/**
 * What a walk of a file finds, when it is asked for. A getter that is written into an object makes V8 hold all that the object
 * has, here a whole version of a file, until all memory is gone through.
 */
class WalkedParts {
  readonly #walked: () => Walked;

  constructor(walked: () => Walked) {
    this.#walked = walked;
  }

  get calls(): Walked['calls'] {
    return this.#walked().calls;
  }

  get classes(): Walked['classes'] {
    return this.#walked().classes;
  }

  get changes(): Walked['changes'] {
    return this.#walked().changes;
  }

  get unpackings(): Walked['unpackings'] {
    return this.#walked().unpackings;
  }

  get assignments(): Walked['assignments'] {
    return this.#walked().assignments;
  }

  get attributes(): Walked['attributes'] {
    return this.#walked().attributes;
  }
}

/** `train_config` and `configs.train_config` under the names they were imported by. */
function importedName(names: Names, expression: Expression): string | undefined {
  if (expression.kind === 'attribute') {
    const owner = importedName(names, expression.object);
    return owner === undefined ? undefined : `${owner}.${expression.attribute.name}`;
  }
  if (expression.kind !== 'name') return undefined;
  const bindings = names.bindingsOf(expression);
  const [binding] = bindings;
  if (bindings.length === 1 && binding?.to === 'import') return binding.qualified;
  // A star import binds no name that is seen; what it brings is known where the other file is.
  return bindings.length === 0 ? names.qualifiedName(expression) : undefined;
}

/** Objects made from objects end here; only a circle is longer. */
const deepestObject = 40;
/** Arithmetic nests less than this where people write it; generated files may nest more than the stack holds. */
const deepestValue = 100;
