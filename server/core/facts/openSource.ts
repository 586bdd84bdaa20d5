import { literalEntries } from '../python/arguments.ts';
import type { ClassDefinition, Expression, Module, Statement } from '../python/ast.ts';
import type { Names } from '../python/names.ts';
import type { Binding } from '../python/scope.ts';
import { childrenOf, partsOf } from '../python/walk.ts';
import { LineIndex } from '../text/lineIndex.ts';
import { overlaps, type Span } from '../text/span.ts';
import { conditionHolds } from './conditions.ts';
import { fieldsOf, givenFields } from './fields.ts';
import { argumentOf } from './parameters.ts';
import { readValue } from './readValue.ts';
import type {
  Assignment,
  CallHere,
  Change,
  Condition,
  Fields,
  ReadValue,
  Source,
  Surroundings,
  Unpacking,
} from './source.ts';

/** Walks a module once and gives what the readers of facts look things up in. */
export function openSource(module: Module, names: Names, path: string): Source {
  const walked = walk(module, names);
  const { changes } = walked;
  let lines: LineIndex | undefined;
  const positionAt = (offset: number) => {
    lines ??= new LineIndex(module.text);
    return lines.positionAt(offset);
  };
  const known = new Map<Expression, ReadValue | undefined>();
  const open = new Set<Expression>();
  let depth = 0;
  let namesOfValues: ReadonlyMap<Expression | undefined, string> | undefined;
  let changesByObject: ReadonlyMap<unknown, readonly Change[]> | undefined;
  const selfMembers = membersBySelf(changes, names);
  const way: Way = { names, members: selfMembers, calls: walked.calls };
  const source: Source = {
    module,
    names,
    calls: walked.calls,
    classes: walked.classes,
    changes,
    unpackings: walked.unpackings,
    assignments: walked.assignments,
    changesOf(root) {
      changesByObject ??= groupedByObject(changes, source);
      return changesByObject.get(identityOf(root, names)) ?? [];
    },
    placeOf(span) {
      const { line, column } = positionAt(span.start);
      return { path, span: { start: span.start, end: span.end }, line: line + 1, column: column + 1 };
    },
    lineOf: (span) => positionAt(span.start).line + 1,
    surroundingsAt: (offset) => surroundingsAt(walked.statements, offset),
    rootsOf: (expression) => rootsOf(expression, way, new Set()),
    read(expression) {
      if (known.has(expression) || depth > deepestValue) return known.get(expression);
      // Names that stand for each other in a circle come back here while they are still being read.
      known.set(expression, undefined);
      depth++;
      const read = readValue(source, expression);
      depth--;
      const sound = read !== undefined && !module.unreliable.some((span) => overlaps(span, read.at)) ? read : undefined;
      known.set(expression, sound);
      return sound;
    },
    fieldsOf(expression, use): Fields | undefined {
      if (open.has(expression) || open.size > deepestObject) return undefined;
      open.add(expression);
      const fields = fieldsOf(source, expression, use);
      open.delete(expression);
      return fields;
    },
    givenTo: (call) => givenFields(source, call),
    assignedName: (call) => {
      namesOfValues ??= new Map(
        [...walked.assignments].flatMap(([name, all]) => all.map(({ value }) => [value, name] as const)),
      );
      return namesOfValues.get(call);
    },
    holds: (condition: Condition) => conditionHolds(source, condition),
  };
  return source;
}

/** Objects made from objects end here; only a circle is longer. */
const deepestObject = 40;
/** Names that stand for names end here. */
const longestChain = 60;
/** Arithmetic nests less than this where people write it; generated files may nest more than the stack holds. */
const deepestValue = 100;

interface Placed extends Span {
  readonly around: Surroundings;
  readonly parent: number;
}

interface Walked {
  readonly calls: CallHere[];
  readonly classes: ClassDefinition[];
  readonly changes: Change[];
  readonly unpackings: Unpacking[];
  readonly assignments: Map<string, Assignment[]>;
  /** In source order, so that the innermost one around an offset is found by a binary search. */
  readonly statements: Placed[];
}

const moduleLevel: Surroundings = { conditions: [], loops: [], function: undefined, class: undefined };

function walk(module: Module, names: Names): Walked {
  const walked: Walked = {
    calls: [],
    classes: [],
    changes: [],
    unpackings: [],
    assignments: new Map(),
    statements: [],
  };
  const stack: [Statement, Surroundings, number][] = [];
  const push = (block: readonly Statement[], around: Surroundings, parent: number): void => {
    for (let index = block.length - 1; index >= 0; index--) {
      const statement = block[index];
      if (statement !== undefined) stack.push([statement, around, parent]);
    }
  };
  push(module.body, moduleLevel, -1);
  for (let top = stack.pop(); top !== undefined; top = stack.pop()) {
    const [statement, around, parent] = top;
    const { expressions, blocks } = partsOf(statement);
    const own = walked.statements.push({ start: statement.start, end: statement.end, around, parent }) - 1;
    const reliable = !module.unreliable.some((span) => overlaps(span, statement) && !hasBlocks(blocks));
    if (reliable) {
      for (const expression of expressions) collectCalls(expression, around, module, names, walked);
      if (!module.unreliable.some((span) => overlaps(span, statement)))
        walked.changes.push(...changesIn(statement, around));
      collectAssignments(statement, around, walked.assignments);
    }
    walked.unpackings.push(...unpackingsIn(statement));
    if (statement.kind === 'class') walked.classes.push(statement);
    for (let branch = blocks.length - 1; branch >= 0; branch--)
      push(blocks[branch] ?? [], inside(statement, branch, around), own);
  }
  walked.calls.sort((a, b) => a.call.start - b.call.start);
  return walked;
}

const hasBlocks = (blocks: readonly (readonly Statement[])[]): boolean => blocks.some((block) => block.length > 0);

function inside(statement: Statement, branch: number, around: Surroundings): Surroundings {
  switch (statement.kind) {
    case 'function':
      return { conditions: [], loops: [], function: statement, class: around.class };
    case 'class':
      return { conditions: [], loops: [], function: around.function, class: statement };
    case 'for':
      return {
        ...around,
        conditions: [...around.conditions, { statement, branch }],
        loops: branch === 0 ? [...around.loops, statement] : around.loops,
      };
    case 'if':
    case 'while':
    case 'try':
    case 'match':
      return { ...around, conditions: [...around.conditions, { statement, branch }] };
    default:
      return around;
  }
}

function collectCalls(
  root: Expression,
  around: Surroundings,
  module: Module,
  names: Names,
  { calls }: Pick<Walked, 'calls'>,
): void {
  const stack = [root];
  for (let expression = stack.pop(); expression !== undefined; expression = stack.pop()) {
    stack.push(...childrenOf(expression));
    if (expression.kind !== 'call') continue;
    const call = expression;
    if (module.unreliable.some((span) => overlaps(span, call))) continue;
    const { targets, complete } = names.resolve(call.callee);
    const only = complete && targets.length === 1 ? targets[0] : undefined;
    const definition = only?.definition?.kind === 'lambda' ? undefined : only?.definition;
    const qualified = only?.preset.length === 0 ? only.qualified : undefined;
    calls.push({ call, target: only, qualified, definition, around });
  }
}

function changesIn(statement: Statement, around: Surroundings): Change[] {
  const span = { start: statement.start, end: statement.end };
  if (statement.kind === 'assign' && statement.value !== undefined) {
    const { value } = statement;
    return statement.targets.flatMap((target) => changed(target, value, span, around));
  }
  if (statement.kind === 'augmentedAssign') return changed(statement.target, undefined, span, around);
  if (statement.kind !== 'expression' || statement.value.kind !== 'call') return [];
  const { callee, arguments: given } = statement.value;
  if (callee.kind === 'attribute' && callee.attribute.name === 'update') {
    const object = callee.object;
    return given.flatMap((argument): Change[] => {
      if (argument.kind === 'keyword')
        return [{ object, key: argument.name.name, value: argument.value, span, around }];
      const entries = literalEntries(argument.value);
      if (entries === undefined) return [{ object, key: undefined, value: undefined, span, around }];
      return entries.map(({ name, value }) => ({ object, key: name, value, span, around }));
    });
  }
  const [object, key, value] = given;
  if (callee.kind === 'name' && callee.name === 'setattr' && object !== undefined && value !== undefined) {
    const name = key?.value.kind === 'string' ? key.value.value : undefined;
    return [{ object: object.value, key: name, value: value.value, span, around }];
  }
  return [];
}

function collectAssignments(statement: Statement, around: Surroundings, into: Map<string, Assignment[]>): void {
  if (around.class !== undefined && around.function === undefined) return;
  const bound =
    statement.kind === 'assign' && statement.value !== undefined
      ? statement.targets.map((target) => ({ target, value: statement.value }))
      : statement.kind === 'augmentedAssign' || statement.kind === 'for'
        ? [{ target: statement.target, value: undefined }]
        : [];
  for (const { target, value } of bound) {
    if (target.kind === 'tuple' || target.kind === 'list') {
      const values = value?.kind === 'tuple' && value.elements.length === target.elements.length ? value.elements : [];
      target.elements.forEach((element, index) => {
        if (element.kind === 'name') append(into, element.name, { value: values[index], around });
      });
    } else if (target.kind === 'name') append(into, target.name, { value, around });
  }
}

function append<K, V>(into: Map<K, V[]>, key: K, value: V): void {
  const known = into.get(key);
  if (known === undefined) into.set(key, [value]);
  else known.push(value);
}

/** What two names must share to be the same object: what they were bound to, else the binding itself. */
const identityOf = (root: Expression, names: Names): unknown =>
  root.kind === 'name' ? (names.bindingsOf(root)[0] ?? root.name) : root;

function groupedByObject(changes: readonly Change[], source: Source): ReadonlyMap<unknown, readonly Change[]> {
  const groups = new Map<unknown, Change[]>();
  for (const change of changes)
    for (const root of source.rootsOf(change.object)) append(groups, identityOf(root, source.names), change);
  return groups;
}

function unpackingsIn(statement: Statement): Unpacking[] {
  if (statement.kind !== 'assign' || statement.value === undefined) return [];
  const { value, end } = statement;
  return statement.targets.flatMap((target) =>
    target.kind === 'tuple' || target.kind === 'list' ? [{ targets: target.elements, value, end }] : [],
  );
}

function changed(target: Expression, value: Expression | undefined, span: Span, around: Surroundings): Change[] {
  if (target.kind === 'attribute') return [{ object: target.object, key: target.attribute.name, value, span, around }];
  if (target.kind === 'subscript') {
    const [index] = target.indices;
    const key = index?.kind === 'string' ? index.value : undefined;
    return [{ object: target.object, key, value, span, around }];
  }
  if (target.kind === 'tuple' || target.kind === 'list')
    return target.elements.flatMap((element) => changed(element, undefined, span, around));
  return [];
}

function surroundingsAt(statements: readonly Placed[], offset: number): Surroundings {
  let low = 0;
  let high = statements.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((statements[middle]?.start ?? 0) <= offset) low = middle + 1;
    else high = middle;
  }
  for (let index = low - 1; index >= 0; ) {
    const statement = statements[index];
    if (statement === undefined) break;
    if (offset < statement.end) return statement.around;
    index = statement.parent;
  }
  return moduleLevel;
}

type SelfMembers = ReadonlyMap<ClassDefinition, ReadonlyMap<string, readonly (Expression | undefined)[]>>;

/** What methods assign to `self.name`. */
function membersBySelf(changes: readonly Change[], names: Names): SelfMembers {
  const members = new Map<ClassDefinition, Map<string, (Expression | undefined)[]>>();
  for (const { object, key, value } of changes) {
    if (object.kind !== 'name' || key === undefined) continue;
    const owner = names.classOfSelf(object);
    if (owner === undefined) continue;
    const own = members.get(owner) ?? new Map<string, (Expression | undefined)[]>();
    append(own, key, value);
    members.set(owner, own);
  }
  return members;
}

interface Way {
  readonly names: Names;
  readonly members: SelfMembers;
  readonly calls: readonly CallHere[];
}

function argumentFor(binding: Binding, nBindings: number, { calls }: Way): Expression | undefined {
  if (binding.to !== 'parameter' || nBindings !== 1) return undefined;
  const { node, parent } = binding.scope;
  if (!('kind' in node) || node.kind !== 'function') return undefined;
  const around = parent?.node;
  const owningClass = around !== undefined && 'kind' in around && around.kind === 'class' ? around : undefined;
  return argumentOf(binding.parameter, node, owningClass, calls);
}

/** Every expression is looked at once, so that names bound many times over cannot multiply. */
function rootsOf(expression: Expression, way: Way, seen: Set<Expression>): readonly Expression[] {
  const { names, members } = way;
  if (seen.has(expression) || seen.size > longestChain) return [];
  seen.add(expression);
  const follow = (values: readonly Expression[]): readonly Expression[] =>
    values.flatMap((value) => rootsOf(value, way, seen));
  if (expression.kind === 'name') {
    const bindings = names.bindingsOf(expression);
    const values = bindings.flatMap((binding) =>
      binding.to === 'value' ? [binding.value] : (argumentFor(binding, bindings.length, way) ?? []),
    );
    return values.length === 0 ? [expression] : follow(values);
  }
  if (expression.kind === 'attribute') {
    const owner = names.classOfSelf(expression.object);
    const values = owner && members.get(owner)?.get(expression.attribute.name);
    const [only] = values ?? [];
    return values?.length === 1 && only !== undefined ? follow([only]) : [expression];
  }
  if (expression.kind === 'conditional') return follow([expression.whenTrue, expression.whenFalse]);
  return [expression];
}
