import { keywordNamed } from '../python/arguments.ts';
import type { Call, ClassDefinition, Expression, FunctionDefinition, Lambda } from '../python/ast.ts';
import { enclosing } from '../python/enclosing.ts';
import { oncePer } from '../python/oncePer.ts';
import { childrenOf, partsOf, statementsOf } from '../python/walk.ts';
import { type Defined, definitionOf } from '../workspace/definitions.ts';
import type { SourceFile, Workspace } from '../workspace/workspace.ts';
import type { CheckpointSite } from './checkpointSite.ts';

/**
 * The code a checkpointed region runs, as far as it can be followed: the function given to `checkpoint`, and the `forward`
 * of every submodule it calls. Rules may only say what they see here; `complete` is false where more may run.
 */
export interface Region {
  /** The function the region begins with; undefined where it is not known or where the code chooses between several. */
  readonly entry: RegionBody | undefined;
  readonly bodies: readonly RegionBody[];
  /** Modules of libraries that the region calls, by qualified class name, with the call that made each. */
  readonly libraryModules: readonly LibraryModule[];
  readonly complete: boolean;
}

export interface RegionBody {
  readonly file: SourceFile;
  readonly callable: FunctionDefinition | Lambda;
  /** The class whose method it is. */
  readonly owner: ClassDefinition | undefined;
}

export interface LibraryModule {
  /** For example `torch.nn.Dropout`. */
  readonly qualified: string;
  readonly file: SourceFile;
  readonly construction: Call;
}

/** A region larger than this is not read to its end; it then counts as incomplete. */
const mostBodies = 40;
const longestChain = 8;

type Found =
  | { readonly kind: 'body'; readonly body: RegionBody }
  | { readonly kind: 'library'; readonly module: LibraryModule };

export function regionOf(site: CheckpointSite, file: SourceFile, workspace: Workspace | undefined): Region {
  const first =
    keywordNamed(site.given, site.function === 'checkpoint' ? 'function' : 'functions') ?? site.given.positional[0];
  const bodies: RegionBody[] = [];
  const libraryModules: LibraryModule[] = [];
  let complete = first !== undefined;
  const begins = first === undefined ? undefined : callables(first.value, file, 0);
  const waiting: (readonly Found[] | undefined)[] = [begins];
  while (waiting.length > 0) {
    const found = waiting.shift();
    if (found === undefined) {
      complete = false;
      continue;
    }
    for (const one of found) {
      if (one.kind === 'library') {
        libraryModules.push(one.module);
        continue;
      }
      if (bodies.some(({ callable }) => callable === one.body.callable)) continue;
      if (bodies.length >= mostBodies) {
        complete = false;
        continue;
      }
      bodies.push(one.body);
      waiting.push(...submodulesCalledIn(one.body));
    }
  }
  const [only, ...others] = begins ?? [];
  // What a factory's function calls comes with it, and is no choice.
  const isOne = others.length === 0 || first?.value.kind === 'call';
  return { entry: isOne && only?.kind === 'body' ? only.body : undefined, bodies, libraryModules, complete };

  /** What runs when `expression` is called; undefined where that is not known. */
  function callables(expression: Expression, at: SourceFile, depth: number): readonly Found[] | undefined {
    if (depth > longestChain) return undefined;
    if (expression.kind === 'lambda') return [body(at, expression, undefined)];
    if (expression.kind === 'name') {
      const iterated = iteratedOver(expression, at);
      if (iterated !== undefined) return elements(iterated, at, depth + 1);
    }
    const factoryMade = expression.kind === 'call' ? made(expression, at, depth) : undefined;
    if (factoryMade !== undefined) return factoryMade;
    const { targets, complete: known } = at.names.resolve(expression);
    if (known && targets.length > 0) {
      const found = targets.map((target) => definitionOf(target, at, workspace));
      if (found.every((one) => one !== undefined)) return found.flatMap((one) => runsWhenCalled(one) ?? []);
    }
    if (expression.kind === 'attribute') return member(expression, at, depth);
    if (expression.kind === 'name') {
      const bindings = at.names.bindingsOf(expression);
      const values = bindings.map((binding) => (binding.to === 'value' ? binding.value : undefined));
      if (values.length === 0) return undefined;
      return together(values, (value) => callables(value, at, depth + 1));
    }
    return undefined;
  }

  /** `self.block`: what the class assigns to it. */
  function member(
    expression: Expression & { kind: 'attribute' },
    at: SourceFile,
    depth: number,
  ): readonly Found[] | undefined {
    const owner = at.names.classOfSelf(expression.object);
    if (owner === undefined) return undefined;
    const values = at.names.memberValues(owner, expression.attribute.name);
    if (values.length === 0) return undefined;
    return together(
      values.filter((value) => !isNone(value)),
      (value) => callables(value, at, depth + 1),
    );
  }

  /** A call that makes something callable: a module from its class, a function from a factory. */
  function made(call: Call, at: SourceFile, depth: number): readonly Found[] | undefined {
    const { targets, complete: known } = at.names.resolve(call.callee);
    const [target] = targets;
    if (!known || targets.length !== 1 || target === undefined) return undefined;
    const defined = definitionOf(target, at, workspace);
    if (defined?.definition.kind === 'class') return runsWhenInstance(defined);
    if (defined?.definition.kind === 'function') return fromFactory(defined, call, at, depth);
    if (target.qualified === undefined) return undefined;
    if (containers.has(target.qualified)) {
      return target.qualified.endsWith('Sequential') ? elements(call, at, depth + 1) : undefined;
    }
    return target.qualified.startsWith('torch.nn.')
      ? [{ kind: 'library', module: { qualified: target.qualified, file: at, construction: call } }]
      : undefined;
  }

  /** `create_custom_forward(module)`: the inner function it returns, and the arguments that inner function calls. */
  function fromFactory(factory: Defined, call: Call, at: SourceFile, depth: number): readonly Found[] | undefined {
    if (factory.definition.kind !== 'function') return undefined;
    const { body: statements, parameters } = factory.definition;
    const returned = statements.flatMap((statement) =>
      statement.kind === 'return' && statement.value !== undefined ? [statement.value] : [],
    );
    return together(returned, (value) => {
      const inner = callables(value, factory.file, depth + 1);
      if (inner === undefined) return undefined;
      const calledParameters = inner.flatMap((one) => (one.kind === 'body' ? namesCalledIn(one.body) : []));
      const passed = parameters.flatMap((parameter, index) => {
        const argument = call.arguments[index];
        return calledParameters.includes(parameter.name) && argument?.kind === 'positional' ? [argument.value] : [];
      });
      const more = together(passed, (argument) => callables(argument, at, depth + 1));
      return more === undefined ? undefined : [...inner, ...more];
    });
  }

  /** The modules in a `ModuleList`, a `Sequential` or a plain list. */
  function elements(expression: Expression, at: SourceFile, depth: number): readonly Found[] | undefined {
    if (depth > longestChain) return undefined;
    switch (expression.kind) {
      case 'list':
      case 'tuple':
        return together(expression.elements, (element) => callables(element, at, depth + 1));
      case 'comprehension':
        return together(expression.elements.slice(0, 1), (element) => callables(element, at, depth + 1));
      case 'starred':
        return elements(expression.value, at, depth + 1);
      case 'subscript':
        return elements(expression.object, at, depth + 1);
      case 'attribute': {
        const owner = at.names.classOfSelf(expression.object);
        const values = owner === undefined ? [] : at.names.memberValues(owner, expression.attribute.name);
        return values.length === 0 ? undefined : together(values, (value) => elements(value, at, depth + 1));
      }
      case 'name': {
        const values = at.names
          .bindingsOf(expression)
          .map((binding) => (binding.to === 'value' ? binding.value : undefined));
        return values.length === 0 ? undefined : together(values, (value) => elements(value, at, depth + 1));
      }
      case 'call': {
        const { targets } = at.names.resolve(expression.callee);
        const qualified = targets.length === 1 ? targets[0]?.qualified : undefined;
        const name = qualified ?? (expression.callee.kind === 'name' ? expression.callee.name : '');
        if (!containers.has(name) && !passingOn.has(name)) return undefined;
        return together(expression.arguments, (argument) =>
          argument.kind === 'keyword' || name.endsWith('Sequential')
            ? callableOrElements(argument.value, at, depth)
            : elements(argument.value, at, depth + 1),
        );
      }
      default:
        return undefined;
    }
  }

  function callableOrElements(expression: Expression, at: SourceFile, depth: number): readonly Found[] | undefined {
    return expression.kind === 'starred' || expression.kind === 'name' || expression.kind === 'comprehension'
      ? (elements(expression, at, depth + 1) ?? callables(expression, at, depth + 1))
      : callables(expression, at, depth + 1);
  }

  function runsWhenCalled({ file: at, definition }: Defined): readonly Found[] | undefined {
    if (definition.kind === 'class') return undefined;
    const owner = definition.kind === 'function' ? enclosing(at.module, definition.start).class : undefined;
    return [body(at, definition, owner)];
  }

  function runsWhenInstance(defined: Defined): readonly Found[] | undefined {
    const forward = methodOf(defined, 'forward', workspace);
    if (forward?.definition.kind !== 'function') return undefined;
    const owner = forward.owner;
    return [body(forward.file, forward.definition, owner)];
  }

  /** For each `self.x(…)` of a method, what that submodule runs. */
  function submodulesCalledIn({ file: at, callable }: RegionBody): (readonly Found[] | undefined)[] {
    return callsOfAttributes(callable).flatMap(({ object, callee }) =>
      at.names.classOfSelf(object) === undefined ? [] : [callables(callee, at, 0)],
    );
  }
}

/** A method by name, in the class or in the bases this workspace has. */
export function methodOf(
  defined: Defined,
  name: string,
  workspace: Workspace | undefined,
  depth = 0,
): (Defined & { readonly owner: ClassDefinition }) | undefined {
  const { file, definition } = defined;
  if (definition.kind !== 'class' || depth > longestChain) return undefined;
  const own = definition.body.findLast((statement) => statement.kind === 'function' && statement.name.name === name);
  if (own?.kind === 'function') return { file, definition: own, owner: definition };
  for (const base of definition.bases) {
    const { targets } = file.names.resolve(base);
    const parent =
      targets.length === 1 && targets[0] !== undefined ? definitionOf(targets[0], file, workspace) : undefined;
    const inherited = parent === undefined ? undefined : methodOf(parent, name, workspace, depth + 1);
    if (inherited !== undefined) return inherited;
  }
  return undefined;
}

/** Every call in a body, those in nested functions included: they may be called from it. */
export const callsIn: (callable: FunctionDefinition | Lambda) => readonly Call[] = oncePer((callable) =>
  expressionsIn(callable).filter((expression) => expression.kind === 'call'),
);

/** `name.method(…)`. */
const callsOfAttributes = oncePer((callable: FunctionDefinition | Lambda) =>
  callsIn(callable).flatMap(({ callee }) =>
    callee.kind === 'attribute' && callee.object.kind === 'name' ? [{ object: callee.object, callee }] : [],
  ),
);

/** Several rules read the same region. */
export const expressionsIn: (callable: FunctionDefinition | Lambda) => readonly Expression[] =
  oncePer(collectExpressions);

function collectExpressions(callable: FunctionDefinition | Lambda): Expression[] {
  const roots =
    callable.kind === 'lambda'
      ? [callable.body]
      : [...statementsOf(callable.body)].flatMap((one) => partsOf(one).expressions);
  const found: Expression[] = [];
  const stack = [...roots].reverse();
  for (let expression = stack.pop(); expression !== undefined; expression = stack.pop()) {
    found.push(expression);
    const children = childrenOf(expression);
    for (let index = children.length - 1; index >= 0; index--) {
      const child = children[index];
      if (child !== undefined) stack.push(child);
    }
  }
  return found;
}

const containers: ReadonlySet<string> = new Set(['torch.nn.ModuleList', 'torch.nn.Sequential', 'torch.nn.ModuleDict']);
/** Calls that give back the elements of what they are given. */
const passingOn: ReadonlySet<string> = new Set(['list', 'tuple', 'reversed', 'enumerate', 'zip', 'iter']);

const body = (file: SourceFile, callable: FunctionDefinition | Lambda, owner: ClassDefinition | undefined): Found => ({
  kind: 'body',
  body: { file, callable, owner },
});

const isNone = (expression: Expression): boolean => expression.kind === 'constant' && expression.value === null;

function namesCalledIn({ callable }: RegionBody): string[] {
  return callsIn(callable).flatMap(({ callee }) => (callee.kind === 'name' ? [callee.name] : []));
}

/** All or nothing: one part that is not known makes the whole not known. */
function together<T>(
  parts: readonly (T | undefined)[],
  find: (part: T) => readonly Found[] | undefined,
): readonly Found[] | undefined {
  const all: Found[] = [];
  for (const part of parts) {
    const found = part === undefined ? undefined : find(part);
    if (found === undefined) return undefined;
    all.push(...found);
  }
  return all;
}

/** The iterable of the loop or comprehension-free `for` whose target this name is. */
function iteratedOver(name: Expression & { kind: 'name' }, file: SourceFile): Expression | undefined {
  const { loops } = enclosing(file.module, name.start);
  for (const loop of loops.toReversed()) {
    if (loop.kind !== 'for') continue;
    if (loop.target.kind === 'name' && loop.target.name === name.name) return loop.iterable;
    if (loop.target.kind !== 'tuple') continue;
    const index = loop.target.elements.findIndex((element) => element.kind === 'name' && element.name === name.name);
    if (index >= 0) return nthOf(loop.iterable, index);
  }
  return undefined;
}

/** What the `index`-th variable runs over in `for i, x in enumerate(xs)` or `for a, b in zip(as, bs)`. */
function nthOf(iterable: Expression, index: number): Expression | undefined {
  if (iterable.kind !== 'call' || iterable.callee.kind !== 'name') return undefined;
  const given = iterable.arguments.map((argument) => argument.value);
  if (iterable.callee.name === 'enumerate') return index === 1 ? given[0] : undefined;
  return iterable.callee.name === 'zip' ? given[index] : undefined;
}
