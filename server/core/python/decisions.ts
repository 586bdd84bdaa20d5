import type { Span } from '../text/span.ts';
import type { ClassDefinition, Expression, FunctionDefinition, Module, Name, Statement } from './ast.ts';
import type { Resolution } from './names.ts';
import { NotesOn } from './notesOn.ts';
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
      if (current !== undefined && place !== undefined && place !== current) restOn(current, place);
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
      current?.group.names.add(name);
      return bindings;
    },
    outside(key, ask) {
      if (!answers.has(key)) answers.set(key, ask());
      const answer = answers.get(key);
      current?.outside.add(key);
      current?.group.outside.add(key);
      return answer;
    },
  };

  function keptIn<Result>(place: Kept | undefined, node: object, kind: symbol, workOut: () => Result): Result {
    if (current !== undefined && place !== undefined && place !== current) restOn(current, place);
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
    return statement && keptAt(statement, statement, undefined);
  }

  /** What stands before the body of a class, and each body of a method, stay as they are when another method is edited. */
  function placeOf({ start }: Span): Kept | undefined {
    const statement = statementAt(module.body, start);
    if (statement?.kind !== 'class') return statement && keptAt(statement, statement, undefined);
    if (start < (statement.body[0]?.start ?? statement.end)) return keptAt(statement.name, statement, undefined);
    const member = statementAt(statement.body, start);
    const isInBody = member?.kind === 'function' && start >= (member.body[0]?.start ?? member.end);
    return isInBody ? keptAt(member, statement, statement) : keptAt(statement, statement, undefined);
  }

  function keptAt(key: object, statement: Statement, owner: ClassDefinition | undefined): Kept {
    if (!isHolding) giveUpWhatChanged();
    const before = lasting.get(key);
    if (before !== undefined) return before;
    const group = groups.get(statement) ?? groupFor(statement);
    const fresh: Kept = {
      key,
      group,
      owner,
      decided: new Map(),
      made: new Map(),
      names: new Set(),
      members: new Map(),
      outside: new Set(),
      others: new Set(),
    };
    group.places.add(fresh);
    lasting.set(key, fresh);
    return fresh;
  }

  function groupFor(statement: Statement): Group {
    const group: Group = {
      knowledge,
      stars,
      asOf: world,
      places: new Set(),
      names: new Set(),
      outside: new Set(),
      others: new Set(),
    };
    groups.set(statement, group);
    return group;
  }

  function giveUpWhatChanged(): void {
    isHolding = true;
    const changes = new Map<World, Changes>();
    const lost: Kept[] = [];
    const held = module.body.map((statement) => {
      const group = groups.get(statement);
      if (group?.knowledge !== knowledge || group.stars !== stars) return adopted(statement, since, lost);
      if (!holds(group, group, since)) lost.push(...[...group.places].filter((one) => !holds(one, group, since)));
      group.asOf = world;
      return group;
    });
    for (const { places, others } of held) {
      if (!areAllHere(others)) for (const one of places) if (!areAllHere(one.others)) lost.push(one);
    }
    if (lost.length === 0) return;
    const users = usersIn(held);
    for (let one = lost.pop(); one !== undefined; one = lost.pop()) {
      if (lasting.get(one.key) !== one) continue;
      lasting.delete(one.key);
      one.group.places.delete(one);
      lost.push(...(users.get(one.key) ?? []));
      // Old memory that is done with but not given back yet would hold this version, and through the next one all that follow.
      one.group = nowhere;
      one.owner = undefined;
    }

    function since(before: World): Changes {
      const known = changes.get(before) ?? changesSince(before);
      changes.set(before, known);
      return known;
    }
  }

  /** What stood elsewhere before, as the members of a class that is edited: what was decided in them may still hold. */
  function adopted(statement: Statement, since: (before: World) => Changes, lost: Kept[]): Group {
    const group = groupFor(statement);
    for (const key of placesOf(statement)) {
      const one = lasting.get(key);
      if (one === undefined) continue;
      const owner = statement.kind === 'class' && key.kind === 'function' ? statement : undefined;
      // A method that stands in another class now, or in none, has another `self`.
      const isSameClass = one.owner?.name === owner?.name && hasSameMembers(one, owner, memberOf);
      if (!isSameClass || !holds(one, one.group, since)) lost.push(one);
      one.group.places.delete(one);
      one.group = group;
      one.owner = owner;
      group.places.add(one);
      for (const name of one.names) group.names.add(name);
      for (const asked of one.outside) group.outside.add(asked);
      for (const other of one.others) group.others.add(other);
    }
    return group;
  }

  /** Whether nothing that these decisions rest on has changed in the file around or outside it. */
  function holds(
    { names, outside }: Pick<Kept, 'names' | 'outside'>,
    group: Group,
    since: (before: World) => Changes,
  ): boolean {
    if (group.knowledge !== knowledge || group.stars !== stars) return false;
    const changed = since(group.asOf);
    return !meet(changed.names, names) && !meet(changed.outside, outside);
  }

  function areAllHere(others: ReadonlySet<object>): boolean {
    for (const other of others) if (lasting.get(other)?.group.asOf !== world) return false;
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
    for (const statement of module.body) for (const one of groups.get(statement)?.outside ?? []) asked.add(one);
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

const placesOf = (statement: Statement): readonly (Statement | Name)[] =>
  statement.kind === 'class'
    ? [statement, statement.name, ...statement.body.filter((member) => member.kind === 'function')]
    : [statement];

function usersIn(held: readonly Group[]): ReadonlyMap<object, readonly Kept[]> {
  const users = new Map<object, Kept[]>();
  for (const { places, others } of held) {
    if (others.size === 0) continue;
    for (const one of places) {
      for (const other of one.others) {
        const same = users.get(other);
        if (same === undefined) users.set(other, [one]);
        else same.push(one);
      }
    }
  }
  return users;
}

function restOn(one: Kept, other: Kept): void {
  one.others.add(other.key);
  one.group.others.add(other.key);
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

/** What is decided in one place: in a statement at the top, before the body of a class, or in the body of a method. */
interface Kept {
  /** The object that stays the same for as long as nothing in the place is edited. */
  readonly key: object;
  group: Group;
  /** The class as it is now whose method's body this is. */
  owner: ClassDefinition | undefined;
  readonly decided: Map<Expression, Resolution>;
  readonly made: Map<symbol, Map<object, { readonly result: unknown }>>;
  readonly names: Set<string>;
  /** What its own class had under the names it asked for. */
  readonly members: Map<string, Member>;
  readonly outside: Set<string>;
  /** Other places with expressions that were decided on the way. */
  readonly others: Set<object>;
}

/** The places of one statement at the top: where nothing has changed for any of them, they need not be looked at one by one. */
interface Group extends Pick<Kept, 'names' | 'outside' | 'others'> {
  readonly knowledge: object;
  readonly stars: string;
  /** The version up to which everything in its places holds. */
  asOf: World;
  readonly places: Set<Kept>;
}

const groups = new NotesOn<Statement, Group>();

/** Where places are that were given up. */
const nowhere: Group = {
  knowledge: {},
  stars: '',
  asOf: { bindings: new Map(), answers: new Map(), manyAnswers: 0 },
  places: new Set(),
  names: new Set(),
  outside: new Set(),
  others: new Set(),
};

function keep({ made }: Kept, node: object, kind: symbol, result: unknown): void {
  const ofKind = made.get(kind) ?? new Map<object, { readonly result: unknown }>();
  made.set(kind, ofKind);
  ofKind.set(node, { result });
}

const lasting = new NotesOn<object, Kept>();

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
