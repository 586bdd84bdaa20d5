import type { Span } from '../text/span.ts';
import type {
  Argument,
  ClassDefinition,
  Expression,
  FunctionDefinition,
  Lambda,
  Module,
  Name,
  Statement,
} from './ast.ts';
import { decisionsOf } from './decisions.ts';
import { givesWhatItReturns, type Member } from './keptPlaces.ts';
import { NotesOn } from './notesOn.ts';
import { oncePer } from './oncePer.ts';
import { asUnknown, type Binding, type BranchStep, branchPathAt, type Scope, scopeAt, scopesOf } from './scope.ts';
import { ownStatements, statementsOf } from './walk.ts';

/**
 * What an expression stands for, decided from imports and assignments of its own file. Nothing is imported or run; what
 * cannot be decided stays undecided.
 */
export interface Names {
  /** Everything `expression` may stand for. */
  resolve(expression: Expression): Resolution;
  /** What a qualified name stands for, seen from this file. */
  follow(qualified: string): Resolution;
  /** What calling a function of this file gives back. */
  returned(definition: FunctionDefinition): Resolution;
  /** The bindings that can reach this use of a name; empty where the name is bound nowhere in the file. */
  bindingsOf(name: Name): readonly Binding[];
  /** The bindings a module's name has once the module has been run to its end: what an importing file sees. */
  moduleBindings(name: string): readonly Binding[];
  /** Everything a class assigns to one of its attributes, in its body and through `self` in its methods. */
  memberValues(owner: ClassDefinition, attribute: string): readonly Expression[];
  /** The class whose method's own first parameter this name is (`self`), if it is one. */
  classOfSelf(expression: Expression): ClassDefinition | undefined;
  /** The one qualified name of an expression, where it has exactly one meaning and nothing is preset by `partial`. */
  qualifiedName(expression: Expression): string | undefined;
  /**
   * What `workOut` makes of a node from nothing but the code around it and what names stand for: kept, from one version of the
   * file to the next, until one of them stands for something else. `kind` tells apart what is kept of one node.
   */
  lasting<Result>(node: Span, kind: symbol, workOut: () => Result): Result;
  /**
   * The same for what nothing but the code in the body of a method says, and what the names in it stand for: it holds while
   * other members of the class are edited, and must not hold anything of the class.
   */
  lastingInBody<Result>(method: FunctionDefinition, kind: symbol, workOut: () => Result): Result;
  /**
   * What `workOut` makes of some statements at the top of the module, or methods of its classes, by what is lasting of each of
   * them and nothing else.
   */
  lastingTogether<Result>(nodes: readonly object[], kind: symbol, workOut: () => Result): Result;
  /** Whether an expression may be something that a call has made or that is not known at all, as its bindings have it. */
  mayBeMade(expression: Expression): boolean;
  /** Called while something lasting is worked out, where it rests on more than that: then it is not kept. */
  holdsForNow(): void;
}

export interface Resolution {
  /** Alternatives: two where `try` and `except` import different things. `None` is not among them. */
  readonly targets: readonly Target[];
  /** False where the expression may also be something that is not known. */
  readonly complete: boolean;
}

export interface Target {
  /** Dotted name from the import on (`torch.utils.checkpoint.checkpoint`); relative imports keep their dots; undefined for
   * what this file defines. */
  readonly qualified: string | undefined;
  /** The definition, where this file has it. */
  readonly definition: FunctionDefinition | ClassDefinition | Lambda | undefined;
  /** Arguments given ahead by `functools.partial`, innermost first. */
  readonly preset: readonly Argument[];
}

export interface NameKnowledge {
  /** What `from module import *` brings, per module. */
  readonly starExports: ReadonlyMap<string, ReadonlySet<string>>;
  /** Functions that give back their first argument or something that is called like it (`staticmethod`). */
  readonly passThrough: ReadonlySet<string>;
  /**
   * What a name leads to in other files; undefined where it leads into none that is known. A name that only a star import
   * can have brought is worth looking into any file.
   */
  follow?(qualified: string, always: boolean): Resolution | undefined;
  /** What calling a function of another file gives back; undefined where that is not known. */
  followCall?(qualified: string): Resolution | undefined;
  /** Told of each name whose bindings in the module itself an answer rests on. */
  asked?(name: string): void;
}

const unknown: Resolution = { targets: [], complete: false };
const nothing: Resolution = { targets: [], complete: true };
const mayStandForAnother: ReadonlySet<Expression['kind']> = new Set([
  'name',
  'attribute',
  'call',
  'lambda',
  'conditional',
  'binary',
  'named',
]);
const isNone = (expression: Expression): boolean => expression.kind === 'constant' && expression.value === null;
/** Aliases of aliases end here; no person writes a longer chain. */
const longestChain = 64;
/** No code of a person leads through more expressions to what a name is. */
const mostAsked = 200;

export function namesOf(module: Module, knowledge: NameKnowledge): Names {
  const root = scopesOf(module);
  const deciding = new Set<Expression>();
  const decisions = decisionsOf(module, root, knowledge.starExports, askOutside, memberOf);

  return {
    resolve: (expression) => resolve(expression, 0),
    follow: outside,
    returned: (definition) => returned(definition, 0),
    bindingsOf: (name) => reaching(name),
    moduleBindings(name) {
      knowledge.asked?.(name);
      return lastOf(root.bindings.get(name) ?? [], Number.POSITIVE_INFINITY, []);
    },
    memberValues: (owner, attribute) => memberOf(owner, attribute).values,
    classOfSelf,
    qualifiedName(expression) {
      const { targets, complete } = resolve(expression, 0);
      const [only] = targets;
      return complete && targets.length === 1 && only?.preset.length === 0 ? only.qualified : undefined;
    },
    mayBeMade: (expression) => mayBeMade(expression, new Map()),
    lasting: decisions.lasting,
    lastingInBody: decisions.lastingInBody,
    lastingTogether: decisions.lastingTogether,
    holdsForNow: decisions.holdsForNow,
  };

  /** Each expression is decided once: members that refer to each other would otherwise multiply at every step. */
  function resolve(expression: Expression, depth: number): Resolution {
    // Nothing around it has a say in what it stands for, so whoever asks rests on no other place.
    if (!mayStandForAnother.has(expression.kind)) return isNone(expression) ? nothing : unknown;
    const decided = decisions.about(expression, () => {
      if (depth > longestChain || deciding.has(expression)) return undefined;
      deciding.add(expression);
      const resolution = decide(expression, depth);
      deciding.delete(expression);
      return resolution;
    });
    return decided ?? unknown;
  }

  function decide(expression: Expression, depth: number): Resolution {
    switch (expression.kind) {
      case 'name':
        return resolveName(expression, depth);
      case 'attribute':
        return resolveAttribute(expression.object, expression.attribute.name, depth);
      case 'call':
        return resolveCall(expression.callee, expression.arguments, depth);
      case 'lambda':
        return { targets: [{ qualified: undefined, definition: expression, preset: [] }], complete: true };
      case 'conditional':
        return union([resolve(expression.whenTrue, depth + 1), resolve(expression.whenFalse, depth + 1)]);
      case 'binary':
        if (expression.operator !== 'or') return unknown;
        return union([resolve(expression.left, depth + 1), resolve(expression.right, depth + 1)]);
      case 'named':
        return resolve(expression.value, depth + 1);
      default:
        return unknown;
    }
  }

  function resolveName(name: Name, depth: number): Resolution {
    const bindings = reaching(name);
    if (bindings.length > 0) return union(bindings.map((binding) => resolveBinding(binding, depth)));
    for (let scope: Scope | undefined = scopeAt(root, name.start); scope !== undefined; scope = around(scope)) {
      for (const source of scope.starImports) {
        const qualified = source.endsWith('.') ? source + name.name : `${source}.${name.name}`;
        if (knowledge.starExports.get(source)?.has(name.name)) return asItIs(qualified);
        const followed = decisions.outside(`*${qualified}`, () => knowledge.follow?.(qualified, true));
        if (followed !== undefined) return followed;
      }
    }
    return unknown;
  }

  function resolveBinding(binding: Binding, depth: number): Resolution {
    switch (binding.to) {
      case 'import':
        return outside(binding.qualified);
      case 'value':
        return resolve(binding.value, depth + 1);
      case 'definition':
        return { targets: [{ qualified: undefined, definition: binding.definition, preset: [] }], complete: true };
      case 'parameter':
      case 'unknown':
        return unknown;
    }
  }

  function resolveAttribute(object: Expression, attribute: string, depth: number): Resolution {
    const owner = classOfSelf(object) ?? classNamed(object, depth);
    if (owner !== undefined) return resolveMember(owner, attribute, depth);
    const { targets, complete } = resolve(object, depth + 1);
    const named = targets.filter((target) => target.qualified !== undefined && target.preset.length === 0);
    const all = union(named.map((target) => outside(`${target.qualified}.${attribute}`)));
    return { ...all, complete: all.complete && complete && named.length === targets.length && named.length > 0 };
  }

  function outside(qualified: string): Resolution {
    return decisions.outside(qualified, () => knowledge.follow?.(qualified, false)) ?? asItIs(qualified);
  }

  /** Keys as `decisions.outside` is given them. */
  function askOutside(key: string): Resolution | undefined {
    if (key.startsWith('*')) return knowledge.follow?.(key.slice(1), true);
    return key.endsWith('()') ? knowledge.followCall?.(key.slice(0, -2)) : knowledge.follow?.(key, false);
  }

  function classNamed(object: Expression, depth: number): ClassDefinition | undefined {
    if (object.kind !== 'name') return undefined;
    const { targets, complete } = resolve(object, depth + 1);
    const definition = targets[0]?.definition;
    return complete && targets.length === 1 && definition?.kind === 'class' ? definition : undefined;
  }

  /** All that the class and its bases in this file ever assign to the attribute; what other code assigns stays unknown. */
  function resolveMember(owner: ClassDefinition, attribute: string, depth: number): Resolution {
    const found = linearBases(owner).map((one) => decisions.member(one, attribute));
    const values = found.flatMap((member) => member.values);
    if (values.length > 0) return union(values.map((value) => resolve(value, depth + 1)));
    const method = found[0]?.method;
    if (method === undefined) return unknown;
    return { targets: [{ qualified: undefined, definition: method, preset: [] }], complete: true };
  }

  /** A class and the bases this file defines, each once. */
  function linearBases(owner: ClassDefinition): ClassDefinition[] {
    const found = [owner];
    for (const one of found) {
      for (const base of one.bases) {
        const definition = base.kind === 'name' ? classNamed(base, 0) : undefined;
        if (definition !== undefined && !found.includes(definition)) found.push(definition);
      }
    }
    return found;
  }

  function resolveCall(callee: Expression, given: readonly Argument[], depth: number): Resolution {
    const [first, ...rest] = given;
    const { targets, complete } = resolve(callee, depth + 1);
    const [called] = targets;
    if (complete && targets.length === 1 && called?.definition?.kind === 'function')
      return returned(called.definition, depth);
    const builtin =
      callee.kind === 'name' && targets.length === 0 && reaching(callee).length === 0 ? callee.name : undefined;
    const qualified =
      builtin ?? (complete && targets.length === 1 && called?.preset.length === 0 ? called.qualified : undefined);
    if (qualified === undefined) return unknown;
    if (first?.kind === 'positional' && knowledge.passThrough.has(qualified)) return resolve(first.value, depth + 1);
    if (first?.kind !== 'positional' || qualified !== 'functools.partial')
      return decisions.outside(`${qualified}()`, () => knowledge.followCall?.(qualified)) ?? unknown;
    const inner = resolve(first.value, depth + 1);
    return {
      targets: inner.targets.map((target) => ({ ...target, preset: [...target.preset, ...rest] })),
      complete: inner.complete,
    };
  }

  /** What a plain function of this file gives back, where every `return` of it is known. */
  function returned(definition: FunctionDefinition, depth: number): Resolution {
    if (!givesWhatItReturns(definition)) return unknown;
    decisions.bodyOf(definition);
    const values = [...ownStatements(definition.body)].flatMap((statement) =>
      statement.kind === 'return' ? [statement.value] : [],
    );
    if (values.length === 0) return unknown;
    return union(values.map((value) => (value === undefined ? unknown : resolve(value, depth + 1))));
  }

  /** `seen`: what was answered on the way, and true for what is being asked: bindings may lead to each other many times over. */
  function mayBeMade(expression: Expression, seen: Map<Expression, boolean>): boolean {
    const before = seen.get(expression);
    if (before !== undefined) return before;
    if (seen.size > mostAsked) return true;
    seen.set(expression, true);
    const answer = mayItBeMade(expression, (other) => mayBeMade(other, seen));
    seen.set(expression, answer);
    return answer;
  }

  function mayItBeMade(expression: Expression, mayBe: (other: Expression) => boolean): boolean {
    switch (expression.kind) {
      case 'name':
        return reaching(expression).some((binding) =>
          binding.to === 'value'
            ? mayBe(binding.value)
            : (binding.to === 'parameter' && classOfSelf(expression) === undefined) || binding.to === 'unknown',
        );
      case 'attribute': {
        const owner = classOfSelf(expression.object);
        if (owner === undefined) return mayBe(expression.object);
        return decisions.member(owner, expression.attribute.name).values.some(mayBe);
      }
      case 'constant':
        // No alternative to what else it may be.
        return expression.value !== null;
      case 'conditional':
        return mayBe(expression.whenTrue) || mayBe(expression.whenFalse);
      case 'binary':
        return expression.operator !== 'or' || mayBe(expression.left) || mayBe(expression.right);
      case 'named':
        return mayBe(expression.value);
      default:
        return true;
    }
  }

  function classOfSelf(expression: Expression): ClassDefinition | undefined {
    if (expression.kind !== 'name') return undefined;
    const bindings = reaching(expression);
    const [binding] = bindings;
    if (bindings.length !== 1 || binding?.to !== 'parameter') return undefined;
    const method = binding.scope.node;
    const around = binding.scope.parent;
    if (!('kind' in method) || method.kind !== 'function' || around?.kind !== 'class') return undefined;
    if (method.parameters[0] !== binding.parameter || method.decorators.some(isStaticMethod)) return undefined;
    return around.node as ClassDefinition;
  }

  function around(scope: Scope): Scope | undefined {
    return scope.parent ?? (scope === root ? undefined : root);
  }

  function reaching(name: Name): readonly Binding[] {
    const here = scopeAt(root, name.start);
    const known = inside.get(name);
    if (known !== undefined && isWithin(here, known.scope)) return known.bindings;
    for (let scope: Scope | undefined = here; scope !== undefined; scope = around(scope)) {
      if (scope.kind === 'class' && scope !== here) continue;
      const bindings = scope === root ? inModule(name.name) : scope.bindings.get(name.name);
      if (bindings === undefined || bindings.length === 0) continue;
      const found = reachingIn(scope, bindings, name, here);
      if (found === undefined) continue;
      if (scope.kind === 'function' || scope.kind === 'lambda' || scope.kind === 'comprehension')
        inside.set(name, { scope, bindings: found });
      return found;
    }
    return [];
  }

  function inModule(name: string): readonly Binding[] {
    knowledge.asked?.(name);
    return decisions.bindingsInModule(name);
  }
}

/**
 * Bindings in a function around a name, whose scope is another one once anything in it is edited; what the class and the module
 * around that bind may change.
 */
const inside = new NotesOn<Name, { readonly scope: Scope; readonly bindings: readonly Binding[] }>();

function isWithin(inner: Scope, outer: Scope): boolean {
  let scope: Scope | undefined = inner;
  while (scope !== undefined && scope !== outer) scope = scope.parent;
  return scope === outer;
}

/** Those of a scope's bindings that reach a use in the scope `here`; undefined where the scopes around have to be asked. */
function reachingIn(
  scope: Scope,
  bindings: readonly Binding[],
  name: Name,
  here: Scope,
): readonly Binding[] | undefined {
  if (scope !== here && !runsInline(here, scope)) return lastOf(bindings, Number.POSITIVE_INFINITY, []);
  const path = branchPathAt(scope, name.start);
  const before = lastOf(bindings, name.start, path);
  if (before.length > 0) return before;
  // Not bound yet on the way here: a function's own name is then local and unbound, a module's may come from outside.
  return scope.kind === 'class' ? undefined : lastOf(bindings, Number.POSITIVE_INFINITY, path);
}

/** Comprehensions and class bodies run where they stand; functions and lambdas run later, when all bindings are made. */
function runsInline(inner: Scope, outer: Scope): boolean {
  for (let scope: Scope | undefined = inner; scope !== undefined && scope !== outer; scope = scope.parent) {
    if (scope.kind === 'function' || scope.kind === 'lambda') return false;
  }
  return true;
}

/** More meanings than this are as good as none: nobody can say which one a use has. */
const mostMeanings = 200;

/** Walks back from `offset` and stops at the first binding that every way to `offset` passes. */
function lastOf(bindings: readonly Binding[], offset: number, path: readonly BranchStep[]): readonly Binding[] {
  const found: Binding[] = [];
  for (let index = endOfThoseBefore(bindings, offset) - 1; index >= 0; index--) {
    const binding = bindings[index];
    if (binding === undefined || binding.from > offset || excludes(binding.path, path)) continue;
    if (found.length === mostMeanings) return [asUnknown(binding)];
    found.push(binding);
    if (
      binding.path.every((step) => path.some((own) => own.statement === step.statement && own.branch === step.branch))
    )
      break;
  }
  return found;
}

/** From this index on every binding is behind `offset`. Scripts bind one name thousands of times. */
function endOfThoseBefore(bindings: readonly Binding[], offset: number): number {
  if (bindings.length < 32) return bindings.length;
  const earliest = earliestFrom(bindings);
  let [low, high] = [0, bindings.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((earliest[middle]?.from ?? 0) > offset) high = middle;
    else low = middle + 1;
  }
  return low;
}

/** For each index the binding that comes first in the text among it and those listed behind it. */
const earliestFrom = oncePer((bindings: readonly Binding[]): readonly Binding[] => {
  const earliest = [...bindings];
  for (let index = bindings.length - 2; index >= 0; index--) {
    const [own, next] = [earliest[index], earliest[index + 1]];
    if (own !== undefined && next !== undefined && next.from < own.from) earliest[index] = next;
  }
  return earliest;
});

/** An `else` branch never sees what its own `if` branch bound. */
function excludes(bound: readonly BranchStep[], used: readonly BranchStep[]): boolean {
  return bound.some(
    (step) =>
      (step.statement.kind === 'if' || step.statement.kind === 'match') &&
      used.some((own) => own.statement === step.statement && own.branch !== step.branch),
  );
}

function union(all: readonly Resolution[]): Resolution {
  const [first] = all;
  if (first !== undefined && all.length === 1) return first;
  const targets: Target[] = [];
  for (const target of all.flatMap((resolution) => resolution.targets)) {
    const same = targets.some(
      (known) =>
        known.qualified === target.qualified &&
        known.definition === target.definition &&
        known.preset.length === 0 &&
        target.preset.length === 0,
    );
    if (!same) targets.push(target);
  }
  return { targets, complete: all.every((resolution) => resolution.complete) };
}

/** What a name stands for that leads nowhere else. */
export const asItIs = (qualified: string): Resolution => ({
  targets: [{ qualified, definition: undefined, preset: [] }],
  complete: true,
});

const isStaticMethod = (decorator: Expression): boolean =>
  decorator.kind === 'name' && decorator.name === 'staticmethod';

function memberOf(owner: ClassDefinition, name: string): Member {
  const { values, methods } = membersOf(owner);
  return { values: values.get(name) ?? [], method: methods.get(name) };
}

interface Members {
  /** Assigned to attributes of the class: `name = value` in its body and `self.name = value` in its methods. */
  readonly values: ReadonlyMap<string, readonly Expression[]>;
  readonly methods: ReadonlyMap<string, FunctionDefinition>;
}

const membersOf = oncePer((owner: ClassDefinition): Members => {
  const values = new Map<string, Expression[]>();
  const methods = new Map<string, FunctionDefinition>();
  for (const statement of owner.body) {
    if (statement.kind === 'function') methods.set(statement.name.name, statement);
    const assigned = statement.kind === 'function' ? assignedThroughSelf(statement) : assignedInBody(statement);
    for (const { name, value } of assigned) {
      const known = values.get(name);
      if (known === undefined) values.set(name, [value]);
      else known.push(value);
    }
  }
  return { values, methods };
});

interface Assigned {
  readonly name: string;
  readonly value: Expression;
}

function assignedInBody(statement: Statement): readonly Assigned[] {
  if (statement.kind !== 'assign' || statement.value === undefined) return [];
  const { value } = statement;
  return statement.targets.flatMap((target) => (target.kind === 'name' ? [{ name: target.name, value }] : []));
}

const assignedThroughSelf = oncePer((method: FunctionDefinition): readonly Assigned[] => {
  const self = method.parameters[0]?.name;
  return [...statementsOf(method.body)].flatMap((inner) => {
    if (inner.kind !== 'assign' || inner.value === undefined) return [];
    const { value } = inner;
    return inner.targets.flatMap((target) =>
      target.kind === 'attribute' && target.object.kind === 'name' && target.object.name === self
        ? [{ name: target.attribute.name, value }]
        : [],
    );
  });
});
