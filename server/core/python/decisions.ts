import type { Span } from '../text/span.ts';
import type { ClassDefinition, Expression, FunctionDefinition, Module } from './ast.ts';
import type { Resolution } from './names.ts';
import type { Binding, Scope } from './scope.ts';
import { statementAt } from './walk.ts';

/**
 * What has been decided about the expressions of a module. Each statement at the top of a module and each body of a method
 * keeps what was decided about its expressions together with every answer from outside it that was needed, so that in the
 * next version of the module, where most of them are the same objects, only those are decided anew for which an answer has
 * changed.
 */
export interface Decisions {
  /**
   * Decides about an expression once; `decide` may ask for others on the way. Where it has no answer, since the expression is
   * being decided already or is too far away, whatever asked for it holds for this version alone.
   */
  about(expression: Expression, decide: () => Resolution | undefined): Resolution | undefined;
  /**
   * What `workOut` makes of a node from nothing but the code of the statement at the top around it and these decisions, kept
   * for as long as they hold. `kind` tells apart what is kept of one node.
   */
  lasting<Result>(node: Span, kind: symbol, workOut: () => Result): Result;
  /** The same of the body of a method, for what nothing but that body and these decisions say. */
  lastingInBody<Result>(method: FunctionDefinition, kind: symbol, workOut: () => Result): Result;
  /** Whatever is being worked out rests on more than these decisions, so that it holds for this version alone. */
  holdsForNow(): void;
  /** Told of what a class has under a name: the values it assigns to it and its method. */
  member(owner: ClassDefinition, name: string): Member;
  /** The bindings of a name in the module's own scope. */
  bindingsInModule(name: string): readonly Binding[];
  /** What lies outside the file: `ask` is asked once for each key. */
  outside(key: string, ask: () => Resolution | undefined): Resolution | undefined;
}

export interface Member {
  readonly values: readonly Expression[];
  readonly method: FunctionDefinition | undefined;
}

type MemberOf = (owner: ClassDefinition, name: string) => Member;

/** Asks anew what lies outside the file, by the key it was asked with. */
export type AskOutside = (key: string) => Resolution | undefined;

export function decisionsOf(
  module: Module,
  root: Scope,
  knowledge: object,
  askOutside: AskOutside,
  memberOf: MemberOf,
): Decisions {
  const answers = new Map<string, Resolution | undefined>();
  const world: World = { bindings: root.bindings, answers, manyAnswers: fewAnswers };
  const now = new Map<Expression, Resolution>();
  const notLasting = new Set<Expression>();
  const stars = root.starImports.join();
  let isHolding = false;
  let current: Kept | undefined;
  let isSettled = true;

  return {
    about(expression, decide) {
      const before = now.get(expression);
      if (before !== undefined && current === undefined) return before;
      const place = placeOf(expression);
      if (current !== undefined && place !== undefined && place !== current) current.others.add(place.key);
      if (before !== undefined) {
        if (notLasting.has(expression)) isSettled = false;
        return before;
      }
      const known = place?.decided.get(expression);
      if (known !== undefined) {
        now.set(expression, known);
        return known;
      }
      const [around, wasSettled] = [current, isSettled];
      current = place;
      isSettled = true;
      try {
        const decided = decide();
        if (decided === undefined) {
          isSettled = false;
          return undefined;
        }
        now.set(expression, decided);
        if (isSettled) place?.decided.set(expression, decided);
        else notLasting.add(expression);
        return decided;
      } finally {
        current = around;
        isSettled &&= wasSettled;
      }
    },
    lasting: (node, kind, workOut) => keptIn(topOf(node), node, kind, workOut),
    lastingInBody: (method, kind, workOut) =>
      keptIn(method.body[0] === undefined ? undefined : placeOf(method.body[0]), method, kind, workOut),
    holdsForNow() {
      isSettled = false;
    },
    member(owner, name) {
      const found = memberOf(owner, name);
      if (current?.owner?.name === owner.name) current.members.set(name, found);
      return found;
    },
    bindingsInModule(name) {
      const bindings = root.bindings.get(name) ?? none;
      current?.names.add(name);
      return bindings;
    },
    outside(key, ask) {
      if (!answers.has(key)) answers.set(key, ask());
      const answer = answers.get(key);
      current?.outside.add(key);
      return answer;
    },
  };

  function keptIn<Result>(place: Kept | undefined, node: object, kind: symbol, workOut: () => Result): Result {
    if (current !== undefined && place !== undefined && place !== current) current.others.add(place.key);
    const known = place?.made.get(kind)?.get(node);
    if (known !== undefined) return known.result as Result;
    const [around, wasSettled] = [current, isSettled];
    current = place;
    isSettled = true;
    try {
      const result = workOut();
      if (isSettled && place !== undefined) keep(place, node, kind, result);
      return result;
    } finally {
      current = around;
      isSettled &&= wasSettled;
    }
  }

  function topOf({ start }: Span): Kept | undefined {
    const statement = statementAt(module.body, start);
    return statement && keptAt(statement, undefined);
  }

  /** What stands before the body of a class, and each body of a method, stay as they are when another method is edited. */
  function placeOf({ start }: Span): Kept | undefined {
    const statement = statementAt(module.body, start);
    if (statement?.kind !== 'class') return statement && keptAt(statement, undefined);
    if (start < (statement.body[0]?.start ?? statement.end)) return keptAt(statement.name, undefined);
    const member = statementAt(statement.body, start);
    const isInBody = member?.kind === 'function' && start >= (member.body[0]?.start ?? member.end);
    return isInBody ? keptAt(member, statement) : keptAt(statement, undefined);
  }

  function keptAt(key: object, owner: ClassDefinition | undefined): Kept {
    if (!isHolding) giveUpWhatChanged();
    const before = lasting.get(key);
    if (before !== undefined) return before;
    const fresh: Kept = {
      key,
      owner,
      knowledge,
      stars,
      asOf: world,
      decided: new Map(),
      made: new Map(),
      names: new Set(),
      members: new Map(),
      outside: new Set(),
      others: new Set(),
    };
    lasting.set(key, fresh);
    return fresh;
  }

  function giveUpWhatChanged(): void {
    isHolding = true;
    const held: Kept[] = [];
    const lost: Kept[] = [];
    const changes = new Map<World, Changes>();
    forEachPlace(module, (key, owner) => {
      const one = lasting.get(key);
      if (one === undefined) return;
      held.push(one);
      // A method that stands in another class now, or in none, has another `self`.
      if (one.owner?.name !== owner?.name || one.knowledge !== knowledge || one.stars !== stars) lost.push(one);
      else if (one.owner !== owner && !hasSameMembers(one, owner, memberOf)) lost.push(one);
      else {
        const since = changes.get(one.asOf) ?? changesSince(one.asOf);
        changes.set(one.asOf, since);
        if (meet(since.names, one.names) || meet(since.outside, one.outside)) lost.push(one);
      }
      one.owner = owner;
      one.asOf = world;
    });
    for (const one of held) if (one.others.size > 0 && !areAllHere(one.others)) lost.push(one);
    if (lost.length === 0) return;
    const users = usersIn(held);
    for (let one = lost.pop(); one !== undefined; one = lost.pop()) {
      if (lasting.get(one.key) !== one) continue;
      lasting.delete(one.key);
      lost.push(...(users.get(one.key) ?? []));
    }
  }

  function areAllHere(others: ReadonlySet<object>): boolean {
    for (const other of others) if (lasting.get(other)?.asOf !== world) return false;
    return true;
  }

  /** What answers differently now than it did then; what was asked outside then is asked again. */
  function changesSince(before: World): Changes {
    const names = new Set<string>();
    for (const [name, bindings] of root.bindings) {
      if (!areSame(before.bindings.get(name) ?? none, bindings)) names.add(name);
    }
    for (const name of before.bindings.keys()) if (!root.bindings.has(name)) names.add(name);
    const outside = new Set<string>();
    for (const key of stillAsked(before)) {
      if (!answers.has(key)) answers.set(key, askOutside(key));
      if (!isSame(before.answers.get(key), answers.get(key))) outside.add(key);
    }
    return { names, outside };
  }

  /** Half-typed names are asked for once and never again: every now and then only those are left that something rests on. */
  function stillAsked(before: World): Iterable<string> {
    world.manyAnswers = before.manyAnswers;
    if (before.answers.size <= before.manyAnswers) return before.answers.keys();
    const asked = new Set<string>();
    forEachPlace(module, (key) => {
      for (const one of lasting.get(key)?.outside ?? []) asked.add(one);
    });
    world.manyAnswers = 2 * asked.size + fewAnswers;
    return asked;
  }
}

/** Names and keys of which the answer is another one now. */
interface Changes {
  readonly names: ReadonlySet<string>;
  readonly outside: ReadonlySet<string>;
}

function meet(some: ReadonlySet<string>, others: ReadonlySet<string>): boolean {
  if (others.size > 0) for (const one of some) if (others.has(one)) return true;
  return false;
}

/** What its class has under the names that were asked for. */
function hasSameMembers({ members }: Kept, owner: ClassDefinition | undefined, memberOf: MemberOf): boolean {
  for (const [name, before] of members) {
    const now = owner && memberOf(owner, name);
    if (before.method !== now?.method || !areSameObjects(before.values, now?.values ?? [])) return false;
  }
  return true;
}

function usersIn(held: readonly Kept[]): ReadonlyMap<object, readonly Kept[]> {
  const users = new Map<object, Kept[]>();
  for (const one of held) {
    for (const other of one.others) {
      const same = users.get(other);
      if (same === undefined) users.set(other, [one]);
      else same.push(one);
    }
  }
  return users;
}

/** Where decisions are kept together, by the object that stays the same; of the body of a method with its class. */
function forEachPlace(module: Module, visit: (key: object, owner: ClassDefinition | undefined) => void): void {
  for (const statement of module.body) {
    visit(statement, undefined);
    if (statement.kind !== 'class') continue;
    visit(statement.name, undefined);
    for (const member of statement.body) if (member.kind === 'function') visit(member, statement);
  }
}

/** What one version of a module answers with. */
interface World {
  readonly bindings: ReadonlyMap<string, readonly Binding[]>;
  /** By what was asked outside the file. */
  readonly answers: Map<string, Resolution | undefined>;
  /** With more than this it is time to look which of them are still asked for. */
  manyAnswers: number;
}

const fewAnswers = 64;

interface Kept {
  readonly key: object;
  /** The class as it is now whose method's body this is. */
  owner: ClassDefinition | undefined;
  readonly knowledge: object;
  readonly stars: string;
  /** The version up to which everything here holds, with its answers to what follows. */
  asOf: World;
  readonly decided: Map<Expression, Resolution>;
  readonly made: Map<symbol, Map<object, { readonly result: unknown }>>;
  readonly names: Set<string>;
  /** What its own class had under the names it asked for. */
  readonly members: Map<string, Member>;
  readonly outside: Set<string>;
  /** Other places with expressions that were decided on the way. */
  readonly others: Set<object>;
}

function keep({ made }: Kept, node: object, kind: symbol, result: unknown): void {
  const ofKind = made.get(kind) ?? new Map<object, { readonly result: unknown }>();
  made.set(kind, ofKind);
  ofKind.set(node, { result });
}

const lasting = new WeakMap<object, Kept>();

const none: readonly Binding[] = [];

const areSame = (before: readonly Binding[], after: readonly Binding[]): boolean =>
  before.length === after.length && before.every((binding, index) => binding.made === after[index]?.made);

const areSameObjects = (before: readonly object[], after: readonly object[]): boolean =>
  before.length === after.length && before.every((one, index) => one === after[index]);

function isSame(before: Resolution | undefined, after: Resolution | undefined): boolean {
  if (before === after || before === undefined || after === undefined) return before === after;
  return (
    before.complete === after.complete &&
    before.targets.length === after.targets.length &&
    before.targets.every((target, index) => {
      const other = after.targets[index];
      return (
        target.qualified === other?.qualified &&
        target.definition === other?.definition &&
        target.preset.length === other?.preset.length &&
        target.preset.every((argument, position) => argument === other.preset[position])
      );
    })
  );
}
