import type { Span } from '../text/span.ts';
import type { ClassDefinition, Expression, FunctionDefinition, Module, Name, Statement } from './ast.ts';
import type { Resolution } from './names.ts';
import { NotesOn } from './notesOn.ts';
import type { Binding, Scope } from './scope.ts';
import { statementAt } from './walk.ts';

/** The places of one version of a module, with what is kept in them from the versions before and still holds. */
export interface KeptPlaces {
  /**
   * The place an expression stands in. What stands before the body of a class, and each body of a method, stay as they are
   * when another method is edited.
   */
  of(expression: Span): Kept | undefined;
  /** The place of the statement at the top around a node. */
  atTopOf(node: Span): Kept | undefined;
  /** Every version of every module has another one. */
  readonly version: number;
  /** Whether everything in the places of these statements or methods is what it was in a version before. */
  haveStood(keys: readonly object[], since: number): boolean;
  /** What lies outside the file, by what was asked. */
  readonly answers: Map<string, Resolution | undefined>;
}

/** What is decided in one place: in a statement at the top, before the body of a class, or in the body of a method. */
export interface Kept {
  /** The object that stays the same for as long as nothing in the place is edited. */
  readonly key: object;
  group: Group;
  /** The class as it is now whose method's body this is. */
  owner: ClassDefinition | undefined;
  readonly decided: Map<Expression, Resolution>;
  readonly made: Made;
  /** What holds nothing of a class and so outlives an edit in the body of one. */
  readonly madeInBody: Made;
  readonly names: Set<string>;
  /** What its own class had under the names it asked for. */
  readonly members: Map<string, Member>;
  readonly membersOfOthers: MembersOfOthers;
  readonly outside: Set<string>;
  /** Other places with expressions that were decided on the way. */
  readonly others: Set<object>;
}

/** What was worked out, by its kind and the node it is about. */
export type Made = Map<symbol, Map<object, { readonly result: unknown }>>;

/** What other classes had under the names that were asked for, by the name that each of them is defined with. */
export type MembersOfOthers = Map<Name, Map<string, Member>>;

export interface Member {
  readonly values: readonly Expression[];
  readonly method: FunctionDefinition | undefined;
}

export type MemberOf = (owner: ClassDefinition, name: string) => Member;

/** Asks anew what lies outside the file, by the key it was asked with. */
export type AskOutside = (key: string) => Resolution | undefined;

/** The place that is being decided about rests on what is decided in another. */
export function restOn(one: Kept, other: Kept): void {
  one.others.add(other.key);
  one.group.others.add(other.key);
}

export function keptPlaces(
  module: Module,
  root: Scope,
  knowledge: object,
  askOutside: AskOutside,
  memberOf: MemberOf,
): KeptPlaces {
  const answers = new Map<string, Resolution | undefined>();
  const world: World = { version: ++versions, bindings: root.bindings, answers, manyAnswers: fewAnswers };
  const stars = root.starImports.join();
  /** The keys of places that something was taken out of. */
  const givenUp = new Set<object>();
  /** The version in which everything held that holds now; undefined where that is not the same one for all. */
  let before: number | undefined;
  let isHolding = false;

  return {
    answers,
    version: world.version,
    haveStood(keys, since) {
      if (since === world.version) return true;
      if (!isHolding) giveUpWhatChanged();
      return since === before && (givenUp.size === 0 || !keys.some((key) => givenUp.has(key)));
    },
    of({ start }) {
      const statement = statementAt(module.body, start);
      if (statement?.kind !== 'class') return statement && keptAt(statement, statement, undefined);
      if (start < (statement.body[0]?.start ?? statement.end)) return keptAt(statement.name, statement, undefined);
      const member = statementAt(statement.body, start);
      const isInBody = member?.kind === 'function' && start >= (member.body[0]?.start ?? member.end);
      return isInBody ? keptAt(member, statement, statement) : keptAt(statement, statement, undefined);
    },
    atTopOf({ start }) {
      const statement = statementAt(module.body, start);
      return statement && keptAt(statement, statement, undefined);
    },
  };

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
      madeInBody: new Map(),
      names: new Set(),
      members: new Map(),
      membersOfOthers: new Map(),
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
    const edits: Edits = { replaced: new Set(), concerned: [] };
    const worlds = new Set<World>();
    const held = module.body.map((statement) => {
      const group = groups.get(statement);
      if (group?.knowledge !== knowledge || group.stars !== stars) return adopted(statement, since, lost, edits);
      if (!holds(group, group, since)) lost.push(...[...group.places].filter((one) => !holds(one, group, since)));
      worlds.add(group.asOf);
      group.asOf = world;
      return group;
    });
    if (worlds.size === 1) for (const { version } of worlds) before = version;
    for (const { places, others } of held) {
      if (!areAllHere(others)) for (const one of places) if (!areAllHere(one.others)) lost.push(one);
    }
    const edited = new Map([...changes.values()].flatMap((one) => [...one.edited]));
    if (lost.length === 0 && edited.size === 0 && edits.concerned.length === 0) return;
    for (const one of changes.values()) for (const { was } of one.edited.values()) edits.replaced.add(was);
    const users = usersIn(held);
    lost.push(...keepBesides(edited, edits, held, users));
    for (let one = lost.pop(); one !== undefined; one = lost.pop()) {
      if (lasting.get(one.key) !== one) continue;
      givenUp.add(one.key);
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

  /**
   * Takes what was found out with definitions that are edited now out of the places that named them, and whatever rests on it.
   * Gives the places that hold no more: those for which a member they asked for is another one.
   */
  function keepBesides(
    edited: ReadonlyMap<string, Edited>,
    { replaced, concerned }: Edits,
    held: readonly Group[],
    users: ReadonlyMap<object, readonly Kept[]>,
  ): readonly Kept[] {
    const lost: Kept[] = [];
    const classes = [...edited.values()].flatMap(({ is }) => (is.kind === 'class' ? [is] : []));
    for (const { names, places } of held)
      if (meet(edited, names)) for (const one of places) if (meet(edited, one.names)) concerned.push(one);
    /** How much was replaced when a place was looked at: a method of which that turns out later may stand in it as well. */
    const seen = new Map<Kept, number>();
    for (let one = concerned.pop(); one !== undefined; one = concerned.pop()) {
      if (seen.get(one) === replaced.size) continue;
      const isSame = haveSameMembers(one, classes, memberOf, replaced);
      seen.set(one, replaced.size);
      // A function that was looked into may stand as it did, and another one in front of it now.
      if (!isSame || meet(replaced, one.others)) lost.push(one);
      else if (forgetReplaced(one, replaced)) {
        givenUp.add(one.key);
        concerned.push(...(users.get(one.key) ?? []));
      }
    }
    return lost;
  }

  /** What stood elsewhere before, as the members of a class that is edited: what was decided in them may still hold. */
  function adopted(
    statement: Statement,
    since: (before: World) => Changes,
    lost: Kept[],
    { replaced, concerned }: Edits,
  ): Group {
    const group = groupFor(statement);
    for (const key of placesOf(statement)) {
      // A method may have stood by itself before, and may again.
      if (key !== statement && key.kind === 'function') groups.delete(key);
      const one = lasting.get(key);
      if (one === undefined) continue;
      const owner = statement.kind === 'class' && key.kind === 'function' ? statement : undefined;
      // A method that stands in another class now, or in none, has another `self`.
      const isSameClass = one.owner?.name === owner?.name;
      const members = isSameClass ? membersNow(one.members, owner, memberOf, replaced) : 'others';
      if (members === 'others' || !holds(one, one.group, since)) lost.push(one);
      else if (members === 'edited') concerned.push(one);
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
    const edited = new Map<string, Edited>();
    for (const [name, bindings] of root.bindings) {
      const those = before.bindings.get(name) ?? none;
      if (areSame(those, bindings)) continue;
      const edit = editedWithin(those, bindings);
      if (edit === undefined) names.add(name);
      else edited.set(name, edit);
    }
    for (const name of before.bindings.keys()) if (!root.bindings.has(name)) names.add(name);
    const outside = new Set<string>();
    for (const key of stillAsked(before)) {
      if (!answers.has(key)) answers.set(key, askOutside(key));
      if (!isSame(before.answers.get(key), answers.get(key))) outside.add(key);
    }
    return { names, edited, outside };
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

/** What answers differently now than in a version before. */
interface Changes {
  readonly names: ReadonlySet<string>;
  /** Names that stand for the same class as before, of which only the body is edited, or for a function in place of another. */
  readonly edited: ReadonlyMap<string, Edited>;
  /** Keys of what lies outside the file. */
  readonly outside: ReadonlySet<string>;
}

interface Edited {
  readonly was: FunctionDefinition | ClassDefinition;
  readonly is: FunctionDefinition | ClassDefinition;
}

/** What is found while places are taken over from the version before. */
interface Edits {
  /** Definitions in whose place there are others now. */
  readonly replaced: Set<object>;
  /** Places that asked for one of them. */
  readonly concerned: Kept[];
}

function meet<Key>(some: { keys(): Iterable<Key> }, others: ReadonlySet<Key>): boolean {
  if (others.size > 0) for (const one of some.keys()) if (others.has(one)) return true;
  return false;
}

/**
 * What a name stands for now and stood for before, where what is decided about it is the same but for that: whoever looks into
 * a function says so.
 */
function editedWithin(before: readonly Binding[], after: readonly Binding[]): Edited | undefined {
  const [was, ...others] = before.map(definitionOf);
  const [is, ...more] = after.map(definitionOf);
  if (was === undefined || is === undefined || others.length > 0 || more.length > 0) return undefined;
  if (was.kind === 'function' || is.kind === 'function') return mayReplace(was, is) ? { was, is } : undefined;
  const isSameHead =
    was.name === is.name && was.bases === is.bases && was.keywords === is.keywords && was.decorators === is.decorators;
  return isSameHead ? { was, is } : undefined;
}

/** Whether nothing is decided otherwise because of the one, before anybody looks into it, than because of the other. */
const mayReplace = (was: FunctionDefinition | ClassDefinition, is: FunctionDefinition | ClassDefinition): boolean =>
  was.kind === 'function' && is.kind === 'function' && givesWhatItReturns(was) === givesWhatItReturns(is);

/** Whether what a call of a function gives back is what its body returns. */
export const givesWhatItReturns = ({ isAsync, decorators }: FunctionDefinition): boolean =>
  !isAsync && decorators.length === 0;

const definitionOf = (binding: Binding): FunctionDefinition | ClassDefinition | undefined =>
  binding.to === 'definition' && binding.path.length === 0 ? binding.definition : undefined;

/** Whether classes that are edited now have what a place asked them for, though it may be edited itself. */
const haveSameMembers = (
  { membersOfOthers }: Kept,
  edited: readonly ClassDefinition[],
  memberOf: MemberOf,
  replaced: Set<object>,
): boolean =>
  edited.every((now) => {
    const asked = membersOfOthers.get(now.name);
    return asked === undefined || membersNow(asked, now, memberOf, replaced) !== 'others';
  });

/**
 * What a class has now under the names that it was asked for: the same, or methods in place of others, which are added to what is
 * replaced.
 */
function membersNow(
  asked: Map<string, Member>,
  owner: ClassDefinition | undefined,
  memberOf: MemberOf,
  replaced: Set<object>,
): 'same' | 'edited' | 'others' {
  let isEdited = false;
  for (const [name, before] of asked) {
    const now = owner && memberOf(owner, name);
    if (!areSameObjects(before.values, now?.values ?? [])) return 'others';
    if (before.method === now?.method) continue;
    if (before.method === undefined || now?.method === undefined || !mayReplace(before.method, now.method))
      return 'others';
    replaced.add(before.method);
    asked.set(name, now);
    isEdited = true;
  }
  return isEdited ? 'edited' : 'same';
}

/** Whether there was anything to forget. */
function forgetReplaced({ decided, made }: Kept, replaced: ReadonlySet<object>): boolean {
  let isAny = made.size > 0;
  made.clear();
  for (const [expression, { targets }] of decided) {
    const isStale = targets.some(({ definition }) => definition !== undefined && replaced.has(definition));
    if (isStale) decided.delete(expression);
    isAny ||= isStale;
  }
  return isAny;
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

/** What one version of a module answers with. */
interface World {
  readonly version: number;
  readonly bindings: ReadonlyMap<string, readonly Binding[]>;
  /** By what was asked outside the file. */
  readonly answers: Map<string, Resolution | undefined>;
  /** With more than this it is time to look which of them are still asked for. */
  manyAnswers: number;
}

const fewAnswers = 64;

let versions = 0;

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
  asOf: { version: 0, bindings: new Map(), answers: new Map(), manyAnswers: 0 },
  places: new Set(),
  names: new Set(),
  outside: new Set(),
  others: new Set(),
};

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
