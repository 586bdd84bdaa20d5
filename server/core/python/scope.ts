import type { Span } from '../text/span.ts';
import type { ClassDefinition, Expression, FunctionDefinition, Lambda, Module, Parameter, Statement } from './ast.ts';
import { oncePer } from './oncePer.ts';
import { childrenOf, partsOf, statementAt } from './walk.ts';

/**
 * Where names are bound. Bindings keep the branch they stand in, so that a name imported in `try` and again in `except`
 * has two meanings, while a later unconditional binding replaces all earlier ones.
 */
export interface Scope {
  readonly kind: 'module' | 'function' | 'class' | 'lambda' | 'comprehension';
  /** The scope around; undefined for the module's own scope, and where the module is what is around. */
  readonly parent: Scope | undefined;
  readonly span: Span;
  readonly node: Module | FunctionDefinition | ClassDefinition | Lambda | Expression;
  readonly bindings: ReadonlyMap<string, readonly Binding[]>;
  readonly children: readonly Scope[];
  /** `from m import *`, as the qualified names of the modules. */
  readonly starImports: readonly string[];
}

export type Binding = BindingPlace & BoundTo;

interface BindingPlace {
  readonly scope: Scope;
  /** From here on the name has this meaning. */
  readonly from: number;
  readonly path: readonly BranchStep[];
  /** One object for one binding, in every version of a module that still has it. */
  readonly made: object;
}

export type BoundTo =
  | { readonly to: 'import'; readonly qualified: string }
  | { readonly to: 'value'; readonly value: Expression }
  | { readonly to: 'definition'; readonly definition: FunctionDefinition | ClassDefinition }
  | { readonly to: 'parameter'; readonly parameter: Parameter }
  /** Loop targets, unpacking, `with … as`, augmented assignment: something, but not a known thing. */
  | { readonly to: 'unknown' };

/** One conditional statement around a binding, and which of its branches. */
export interface BranchStep {
  readonly statement: Statement;
  readonly branch: number;
}

interface Growing extends Scope {
  parent: Scope | undefined;
  /** Like `parent`, with what the statement binds in the module as the outermost. */
  around: Growing | undefined;
  readonly bindings: Map<string, MadeBinding[]>;
  readonly children: Growing[];
  readonly starImports: string[];
  readonly globals: Set<string>;
  readonly nonlocals: Set<string>;
}

/** The scope of a module, put together from what each of its statements binds. */
export function scopesOf(module: Module): Scope {
  const bindings = new Map<string, Binding[]>();
  const children: Scope[] = [];
  const starImports: string[] = [];
  const root: Scope = {
    kind: 'module',
    parent: undefined,
    span: { start: 0, end: module.text.length },
    node: module,
    bindings,
    children,
    starImports,
  };
  for (const statement of module.body) {
    const own = scopesWithin(statement);
    for (const [name, bound] of own.bindings) {
      const known = bindings.get(name);
      const here = bound.map((binding) => binding.in(root));
      if (known === undefined) bindings.set(name, here);
      else known.push(...here);
    }
    // A function may have stood in a class in between.
    for (const child of own.children) child.parent = undefined;
    children.push(...own.children);
    starImports.push(...own.starImports);
  }
  return root;
}

/**
 * What a statement at the top of a module binds there, and the scopes inside it. Statements never change, though they may be
 * moved as a whole; so this is worked out once.
 */
const scopesWithin = oncePer((statement: Statement): Growing => {
  const alone: Module = { text: '', body: [statement], comments: [], unreliable: [] };
  const holder = newScope('module', undefined, statement, alone);
  bindStatement(holder, statement, []);
  sortChildren(holder);
  return holder;
});

/** The innermost scope whose names are visible at `offset`. Siblings never overlap, so a binary search finds the one. */
export function scopeAt(root: Scope, offset: number): Scope {
  let scope = root;
  for (;;) {
    const { children } = scope;
    let low = 0;
    let high = children.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((children[middle]?.span.end ?? 0) <= offset) low = middle + 1;
      else high = middle;
    }
    const inner = children[low];
    if (inner === undefined || inner.span.start > offset) return scope;
    scope = inner;
  }
}

/** The conditional statements around `offset` inside its own scope. */
export function branchPathAt(scope: Scope, offset: number): readonly BranchStep[] {
  const path: BranchStep[] = [];
  const { node } = scope;
  let block: readonly Statement[] = 'body' in node && Array.isArray(node.body) ? node.body : [];
  for (;;) {
    const statement = statementAt(block, offset);
    if (statement === undefined || statement.kind === 'function' || statement.kind === 'class') return path;
    const { blocks } = partsOf(statement);
    const branch = blocks.findIndex((inner) => statementAt(inner, offset) !== undefined);
    if (branch < 0) return path;
    if (isConditional(statement, branch)) path.push({ statement, branch: branchNumber(statement, branch) });
    block = blocks[branch] ?? [];
  }
}

/** Expressions are walked from their end, so their scopes arrive out of order. */
function sortChildren(scope: Growing): void {
  scope.children.sort((a, b) => a.span.start - b.span.start);
  for (const child of scope.children) sortChildren(child);
}

function newScope(kind: Scope['kind'], around: Growing | undefined, span: Span, node: Scope['node']): Growing {
  const scope: Growing = {
    kind,
    parent: undefined,
    around: undefined,
    span,
    node,
    bindings: new Map(),
    children: [],
    starImports: [],
    globals: new Set(),
    nonlocals: new Set(),
  };
  if (around !== undefined) putInto(around, scope);
  return scope;
}

function putInto(around: Growing, scope: Growing): void {
  scope.parent = around.kind === 'module' ? undefined : around;
  scope.around = around;
  around.children.push(scope);
}

/** Where a function's or class's own names begin to count: behind decorators and defaults, which belong to what is around. */
class BodySpan implements Span {
  readonly #definition: FunctionDefinition | ClassDefinition;

  constructor(definition: FunctionDefinition | ClassDefinition) {
    this.#definition = definition;
  }

  get start(): number {
    return this.#definition.body[0]?.start ?? this.#definition.end;
  }

  get end(): number {
    return this.#definition.end;
  }
}

/** Asks the code itself where it stands, since that may move. */
class PlaceOfBinding implements BindingPlace {
  readonly scope: Scope;
  readonly path: readonly BranchStep[];
  readonly #near: Span;
  readonly #edge: keyof Span;
  readonly made: BoundTo;

  constructor(scope: Scope, path: readonly BranchStep[], near: Span, edge: keyof Span, to: BoundTo) {
    this.scope = scope;
    this.path = path;
    this.#near = near;
    this.#edge = edge;
    this.made = to;
  }

  get from(): number {
    return this.#near[this.#edge];
  }

  /** The same binding, seen as one of another scope. */
  in(scope: Scope, to: BoundTo = this.made): MadeBinding {
    return madeBinding(scope, this.path, this.#near, this.#edge, to);
  }
}

type MadeBinding = PlaceOfBinding & BoundTo;

/** A binding of which only is known that there is one. */
export const asUnknown = (binding: Binding): Binding =>
  binding instanceof PlaceOfBinding ? binding.in(binding.scope, { to: 'unknown' }) : binding;

const madeBinding = (
  scope: Scope,
  path: readonly BranchStep[],
  near: Span,
  edge: keyof Span,
  to: BoundTo,
): MadeBinding => Object.assign(new PlaceOfBinding(scope, path, near, edge, to), to);

/** Binds a name behind `near`, or from its beginning on. */
function bind(
  scope: Growing,
  name: string,
  near: Span,
  path: readonly BranchStep[],
  to: BoundTo,
  edge: keyof Span = 'end',
): void {
  const owner = ownerOf(scope, name);
  const binding = madeBinding(owner, owner === scope ? path : elsewhere, near, edge, to);
  addBinding(owner, name, binding);
}

function addBinding(owner: Growing, name: string, binding: MadeBinding): void {
  const known = owner.bindings.get(name);
  if (known === undefined) owner.bindings.set(name, [binding]);
  else known.push(binding);
}

/** A binding made from inside another function may or may not have happened: it never replaces the others. */
const elsewhere: readonly BranchStep[] = [
  { statement: { kind: 'otherStatement', what: 'elsewhere', expressions: [], body: [], start: 0, end: 0 }, branch: 0 },
];

function ownerOf(scope: Growing, name: string): Growing {
  if (scope.globals.has(name)) return topOf(scope);
  if (!scope.nonlocals.has(name)) return scope;
  let outer = scope.around;
  while (outer !== undefined && (outer.kind === 'class' || !outer.bindings.has(name))) outer = outer.around;
  return outer === undefined || outer.kind === 'module' ? scope : outer;
}

function topOf(scope: Growing): Growing {
  let top = scope;
  while (top.around !== undefined) top = top.around;
  return top;
}

function bindBlock(scope: Growing, block: readonly Statement[], path: readonly BranchStep[]): void {
  for (const statement of block) bindStatement(scope, statement, path);
}

function bindStatement(scope: Growing, statement: Statement, path: readonly BranchStep[]): void {
  const { expressions, blocks } = partsOf(statement);
  for (const expression of expressions) bindExpression(scope, expression, path);
  switch (statement.kind) {
    case 'import':
      for (const { name, alias } of statement.names) {
        const top = name.split('.', 1)[0] ?? name;
        bind(scope, alias ?? top, statement, path, { to: 'import', qualified: alias === undefined ? top : name });
      }
      return;
    case 'importFrom': {
      const source = '.'.repeat(statement.level) + statement.module;
      if (statement.star) scope.starImports.push(source);
      for (const { name, alias } of statement.names) {
        const qualified = source === '' || source.endsWith('.') ? source + name : `${source}.${name}`;
        bind(scope, alias ?? name, statement, path, { to: 'import', qualified });
      }
      return;
    }
    case 'assign':
      if (statement.value !== undefined) {
        for (const target of statement.targets) bindTarget(scope, target, statement.value, statement, path);
      }
      return;
    case 'augmentedAssign':
      bindTarget(scope, statement.target, undefined, statement, path);
      return;
    case 'for':
      bindTarget(scope, statement.target, undefined, statement.iterable, path);
      break;
    case 'with':
      for (const item of statement.items) {
        if (item.target !== undefined) bindTarget(scope, item.target, undefined, item.target, path);
      }
      break;
    case 'try':
      for (const { name } of statement.handlers)
        if (name !== undefined) bind(scope, name.name, name, path, { to: 'unknown' });
      break;
    case 'match':
      for (const one of statement.cases) {
        for (const name of one.captures) bind(scope, name.name, name, path, { to: 'unknown' });
      }
      break;
    case 'global':
      for (const name of statement.names) (statement.scope === 'global' ? scope.globals : scope.nonlocals).add(name);
      return;
    case 'function':
      bind(scope, statement.name.name, statement.name, path, { to: 'definition', definition: statement });
      bindFunction(scope, statement);
      return;
    case 'class': {
      bind(scope, statement.name.name, statement.name, path, { to: 'definition', definition: statement });
      const inner = newScope('class', scope, new BodySpan(statement), statement);
      bindBlock(inner, statement.body, []);
      return;
    }
    default:
      break;
  }
  blocks.forEach((block, branch) => {
    const step = { statement, branch: branchNumber(statement, branch) };
    bindBlock(scope, block, isConditional(statement, branch) ? [...path, step] : path);
  });
}

/** Decorators and defaults belong to the scope around a function, so its own scope begins with the body. */
function bindFunction(scope: Growing, definition: FunctionDefinition): void {
  if (scope.kind === 'class' || scope.kind === 'module') {
    const alone = scopesAlone(definition);
    putInto(scope, alone.own);
    const top = topOf(scope);
    for (const [name, bound] of alone.bindings) for (const binding of bound) addBinding(top, name, binding.in(top));
    return;
  }
  bindBody(newScope('function', scope, new BodySpan(definition), definition), definition);
}

function bindBody(inner: Growing, definition: FunctionDefinition): void {
  bindParameters(inner, definition.parameters);
  bindBlock(inner, definition.body, []);
}

/**
 * A method is the same object from one version of its class to the next where nothing in it has changed, and so are its
 * scopes, in whichever class they stand now. With what it binds in the module.
 */
const scopesAlone = oncePer(
  (definition: FunctionDefinition): { readonly own: Growing; readonly bindings: Growing['bindings'] } => {
    const alone: Module = { text: '', body: [definition], comments: [], unreliable: [] };
    const holder = newScope('module', undefined, definition, alone);
    const own = newScope('function', holder, new BodySpan(definition), definition);
    bindBody(own, definition);
    return { own, bindings: holder.bindings };
  },
);

function bindParameters(scope: Growing, parameters: readonly Parameter[]): void {
  for (const parameter of parameters) {
    bind(scope, parameter.name, scope.span, [], { to: 'parameter', parameter }, 'start');
  }
}

function bindTarget(
  scope: Growing,
  target: Expression,
  value: Expression | undefined,
  near: Span,
  path: readonly BranchStep[],
  edge: keyof Span = 'end',
): void {
  switch (target.kind) {
    case 'name':
      bind(scope, target.name, near, path, value === undefined ? { to: 'unknown' } : { to: 'value', value }, edge);
      return;
    case 'starred':
      bindTarget(scope, target.value, undefined, near, path, edge);
      return;
    case 'tuple':
    case 'list': {
      const values = value !== undefined && (value.kind === 'tuple' || value.kind === 'list') ? value.elements : [];
      const pairs = values.length === target.elements.length && !target.elements.some((one) => one.kind === 'starred');
      target.elements.forEach((element, index) => {
        bindTarget(scope, element, pairs ? values[index] : undefined, near, path, edge);
      });
      return;
    }
    default:
      return;
  }
}

/** Lambdas, comprehensions and `:=` bind names in the middle of an expression. */
function bindExpression(scope: Growing, root: Expression, path: readonly BranchStep[]): void {
  const stack: [Growing, Expression][] = [[scope, root]];
  for (let top = stack.pop(); top !== undefined; top = stack.pop()) {
    const [around, expression] = top;
    let inner = around;
    if (expression.kind === 'lambda') {
      inner = newScope('lambda', around, expression.body, expression);
      bindParameters(inner, expression.parameters);
    } else if (expression.kind === 'comprehension') {
      inner = newScope('comprehension', around, expression, expression);
      for (const { target } of expression.clauses) bindTarget(inner, target, undefined, expression, [], 'start');
    } else if (expression.kind === 'named') {
      let owner = around;
      while (owner.kind === 'comprehension' && owner.around !== undefined) owner = owner.around;
      bind(owner, expression.name.name, expression, path, { to: 'value', value: expression.value });
    }
    for (const part of childrenOf(expression)) stack.push([inner, part]);
  }
}

/** Whether a block of a statement may be passed over. `with` bodies and `finally` always run; a `try` body may stop early. */
function isConditional(statement: Statement, block: number): boolean {
  if (statement.kind === 'try') return block !== partsOf(statement).blocks.length - 1;
  return statement.kind !== 'with' && statement.kind !== 'otherStatement';
}

/** `try … else` runs on the same path as the `try` body; every other block is a branch of its own. */
function branchNumber(statement: Statement, block: number): number {
  return statement.kind === 'try' && block === statement.handlers.length + 1 ? 0 : block;
}
