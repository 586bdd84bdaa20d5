import type { Attribute, ClassDefinition, Expression, Module, Statement } from '../python/ast.ts';
import type { Names, Resolution } from '../python/names.ts';
import { childrenOf, partsOf } from '../python/walk.ts';
import { overlaps, type Span } from '../text/span.ts';
import { type IsOfWorkspace, isFollowed } from './calleesFollowed.ts';
import { changesIn } from './changes.ts';
import type { Assignment, CallHere, Change, Surroundings, Unpacking } from './source.ts';

export interface Placed extends Span {
  readonly around: Surroundings;
  readonly parent: number;
}

export interface Walked {
  readonly calls: CallHere[];
  readonly classes: ClassDefinition[];
  readonly changes: Change[];
  readonly unpackings: Unpacking[];
  readonly assignments: Map<string, Assignment[]>;
  /** `with value as name`, by name. */
  readonly opened: Map<string, Expression[]>;
  readonly attributes: Map<string, Attribute[]>;
  /** In source order, so that the innermost one around an offset is found by a binary search. */
  readonly statements: Placed[];
}

const moduleLevel: Surroundings = { conditions: [], loops: [], function: undefined, class: undefined };

/** Everything of a module that is looked up later, in one walk. */
export function walkSource(module: Module, names: Names, isOfWorkspace: IsOfWorkspace = () => false): Walked {
  const walked: Walked = {
    calls: [],
    classes: [],
    changes: [],
    unpackings: [],
    assignments: new Map(),
    opened: new Map(),
    attributes: new Map(),
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
      for (const expression of expressions) collectCalls(expression, around, { module, names, isOfWorkspace }, walked);
      if (!module.unreliable.some((span) => overlaps(span, statement)))
        walked.changes.push(...changesIn(statement, around));
      collectAssignments(statement, around, walked.assignments);
    }
    walked.unpackings.push(...unpackingsIn(statement));
    if (statement.kind === 'with')
      for (const { value, target } of statement.items)
        if (target?.kind === 'name') append(walked.opened, target.name, value);
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
  { module, names, isOfWorkspace }: { module: Module; names: Names; isOfWorkspace: IsOfWorkspace },
  { calls, attributes }: Pick<Walked, 'calls' | 'attributes'>,
): void {
  const stack = [root];
  for (let expression = stack.pop(); expression !== undefined; expression = stack.pop()) {
    stack.push(...childrenOf(expression));
    if (expression.kind === 'attribute') append(attributes, expression.attribute.name, expression);
    if (expression.kind !== 'call') continue;
    const call = expression;
    if (module.unreliable.some((span) => overlaps(span, call))) continue;
    const followed = isFollowed(call.callee, names, isOfWorkspace);
    const { targets, complete } = followed ? names.resolve(call.callee) : notAsked;
    const only = complete && targets.length === 1 ? targets[0] : undefined;
    const definition = only?.definition?.kind === 'lambda' ? undefined : only?.definition;
    const qualified = only?.preset.length === 0 ? only.qualified : undefined;
    calls.push({ call, target: only, qualified, definition, around });
  }
}

const notAsked: Resolution = { targets: [], complete: false };

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

function unpackingsIn(statement: Statement): Unpacking[] {
  if (statement.kind !== 'assign' || statement.value === undefined) return [];
  const { value, end } = statement;
  return statement.targets.flatMap((target) =>
    target.kind === 'tuple' || target.kind === 'list' ? [{ targets: target.elements, value, end }] : [],
  );
}

/** What the innermost statement around an offset stands in. */
export function surroundingsAt(statements: readonly Placed[], offset: number): Surroundings {
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

/** Adds to the list under a key. */
export function append<K, V>(into: Map<K, V[]>, key: K, value: V): void {
  const known = into.get(key);
  if (known === undefined) into.set(key, [value]);
  else known.push(value);
}
