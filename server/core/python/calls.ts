import { overlaps, type Span } from '../text/span.ts';
import { type GivenArguments, givenArguments } from './arguments.ts';
import type { Call, ClassDefinition, Expression, FunctionDefinition, Module, Statement } from './ast.ts';
import type { Names, Target } from './names.ts';
import { NotesOn } from './notesOn.ts';
import { oncePer } from './oncePer.ts';
import { expressionsBelow, expressionsUnder, partsOf } from './walk.ts';

/** All calls of a file, found once and asked for by name. Calls in code the parser could not make sense of are left out. */
export interface CallIndex {
  all(): readonly Call[];
  /** Calls that can only mean one of these qualified names, `functools.partial` included. */
  to(...qualified: readonly string[]): readonly ResolvedCall[];
  /** Calls by the last name written, whatever it belongs to: `model.enable()` and `enable()` for `enable`. */
  named(name: string): readonly Call[];
  /** Calls of which `isMeant` says so by what names stand for alone; `kind` tells one such question from another. */
  where(kind: symbol, isMeant: (call: Call) => boolean): readonly Call[];
  /** What the callee stands for, where it has exactly one meaning. */
  target(call: Call): Target | undefined;
}

export interface ResolvedCall {
  readonly call: Call;
  readonly qualified: string;
  readonly given: GivenArguments;
}

export function callIndex(module: Module, names: Names): CallIndex {
  const before = indexes.get(names);
  if (before !== undefined) return before;
  const { body } = module;
  const isReliable = (place: Span): boolean => !module.unreliable.some((span) => overlaps(span, place));
  /** Most statements have nothing broken in them, so that their calls need not be looked at one by one. */
  const broken = new Set(module.unreliable.length === 0 ? [] : body.filter((statement) => !isReliable(statement)));
  const reliable = (calls: readonly Call[], statement: Statement): readonly Call[] =>
    broken.has(statement) ? calls.filter(isReliable) : calls;
  let all: readonly Call[] | undefined;
  let allNamed: readonly MapOfLists<Call>[] | undefined;
  let allMeant: readonly MapOfLists<ResolvedCall>[] | undefined;
  let allOpen: readonly MapOfLists<Call>[] | undefined;
  const foundNamed = new Map<string, readonly Call[]>();
  const foundCalling = new Map<string, readonly ResolvedCall[]>();

  const target = (call: Call): Target | undefined => {
    const { targets, complete } = names.resolve(call.callee);
    return complete && targets.length === 1 ? targets[0] : undefined;
  };

  const index: CallIndex = {
    all() {
      all ??= body.flatMap((statement) => reliable(callsWithin(statement), statement));
      return all;
    },
    target,
    named(name) {
      const known = foundNamed.get(name);
      if (known !== undefined) return known;
      allNamed ??= mergedInStretches(body.flatMap(namedIn));
      const found = allNamed.flatMap((one) => one.get(name) ?? none);
      const sound = broken.size === 0 ? found : found.filter(isReliable);
      foundNamed.set(name, sound);
      return sound;
    },
    where: (kind, isMeant) =>
      body.flatMap((one) => {
        const found = names.lasting(one, kind, () =>
          one.kind === 'class'
            ? inSourceOrder([
                ...callsAroundBodies(one).filter(isMeant),
                ...bodiesOf(one).flatMap((method) =>
                  names.lastingInBody(method, kind, () => callsInBody(method).filter(isMeant)),
                ),
              ])
            : callsWithin(one).filter(isMeant),
        );
        return reliable(found, one);
      }),
    to(...qualified) {
      const found = qualified.length === 1 ? calling(qualified[0] ?? '') : qualified.flatMap(calling);
      return found.length < 2 ? found : found.toSorted((a, b) => a.call.start - b.call.start);
    },
  };
  indexes.set(names, index);
  return index;

  /** In no certain order. */
  function calling(qualified: string): readonly ResolvedCall[] {
    const known = foundCalling.get(qualified);
    if (known !== undefined) return known;
    if (allMeant === undefined || allOpen === undefined) {
      const found = body.flatMap(targetsIn);
      allMeant = mergedInStretches(found.map(({ meant }) => meant));
      allOpen = mergedInStretches(found.map(({ open }) => open));
    }
    const name = qualified.slice(qualified.lastIndexOf('.') + 1);
    const meant = allMeant.flatMap((one) => one.get(qualified) ?? none);
    const open = resolved(allOpen.flatMap((one) => one.get(name) ?? none));
    const found = open.length === 0 ? meant : [...meant, ...open.filter((one) => one.qualified === qualified)];
    const sound = broken.size === 0 ? found : found.filter(({ call }) => isReliable(call));
    foundCalling.set(qualified, sound);
    return sound;
  }

  /** Of a class what stands in the bodies of its methods is found body by body: most of them are as they were. */
  function targetsIn(statement: Statement): readonly CallsByTarget[] {
    return names.lasting(statement, targetsKind, () => {
      if (statement.kind !== 'class') return [targetsOf(callsWithin(statement))];
      const inBodies = bodiesOf(statement).map((method) =>
        names.lastingInBody(method, targetsKind, () => targetsOf(callsInBody(method))),
      );
      return [targetsOf(callsAroundBodies(statement)), ...inBodies];
    });
  }

  function targetsOf(calls: readonly Call[]): CallsByTarget {
    const meant = new Map<string, ResolvedCall[]>();
    const open = new Map<string, Call[]>();
    for (const call of calls) {
      const { callee } = call;
      if (callee.kind === 'attribute' && names.mayBeMade(callee.object)) addTo(open, callee.attribute.name, call);
      else for (const one of resolved([call])) addTo(meant, one.qualified, one);
    }
    return { meant, open };
  }

  function resolved(calls: readonly Call[]): readonly ResolvedCall[] {
    return calls.flatMap((call) => {
      const only = target(call);
      if (only?.qualified === undefined) return [];
      return [{ call, qualified: only.qualified, given: givenArguments(only.preset, call.arguments) }];
    });
  }
}

/** The calls of some code by what they mean. */
interface CallsByTarget {
  readonly meant: MapOfLists<ResolvedCall>;
  /**
   * By the last name written, until it is asked for: what a call has made is not looked into, which may take other files. An
   * attribute of it can only mean a function that is called like it.
   */
  readonly open: MapOfLists<Call>;
}

const none: readonly never[] = [];

/** Several askers look at one version of a file. */
const indexes = new NotesOn<Names, CallIndex>();
const targetsKind = Symbol('calls by what they call');

const callsWithin: (statement: Statement) => readonly Call[] = oncePer((statement) =>
  statement.kind === 'class'
    ? [...callsAmong(expressionsBelow(partsOf(statement).expressions)), ...statement.body.flatMap(callsWithin)]
    : callsAmong(expressionsUnder([statement])),
);

const bodiesOf = ({ body }: ClassDefinition): readonly FunctionDefinition[] =>
  body.filter((member) => member.kind === 'function');

/** Those of a class that stand in none of its methods' bodies. */
const callsAroundBodies = (owner: ClassDefinition): readonly Call[] => [
  ...callsAmong(expressionsBelow(partsOf(owner).expressions)),
  ...owner.body.flatMap((member) => (member.kind === 'function' ? callsBeforeBody(member) : callsWithin(member))),
];

/** In its decorators and the defaults of its parameters. */
const callsBeforeBody = oncePer((method: FunctionDefinition) =>
  callsAmong(expressionsBelow(partsOf(method).expressions)),
);

const callsInBody = oncePer(({ body }: FunctionDefinition): readonly Call[] => callsAmong(expressionsUnder(body)));

const callsAmong = (expressions: Iterable<Expression>): Call[] =>
  inSourceOrder([...expressions].filter((one): one is Call => one.kind === 'call').slice());

const inSourceOrder = (calls: Call[]): Call[] => calls.sort((a, b) => a.start - b.start);

/** Of a class, member by member. */
const namedIn = oncePer((statement: Statement): readonly MapOfLists<Call>[] =>
  statement.kind === 'class'
    ? [byName(callsAmong(expressionsBelow(partsOf(statement).expressions))), ...statement.body.map(namedWithin)]
    : [namedWithin(statement)],
);

const namedWithin = oncePer((statement: Statement) => byName(callsWithin(statement)));

function byName(calls: readonly Call[]): MapOfLists<Call> {
  const map = new Map<string, Call[]>();
  for (const call of calls) {
    const { callee } = call;
    const name = callee.kind === 'name' ? callee.name : callee.kind === 'attribute' ? callee.attribute.name : undefined;
    if (name !== undefined) addTo(map, name, call);
  }
  return map;
}

/**
 * Maps of statements that follow each other, some together: rules ask for many names that hardly any statement has. Together
 * they are put once for as long as none of their statements has changed.
 */
function mergedInStretches<T>(maps: readonly MapOfLists<T>[]): readonly MapOfLists<T>[] {
  const stretches: MapOfLists<T>[] = [];
  for (let start = 0; start < maps.length; start += stretchLength) {
    const parts = maps.slice(start, start + stretchLength);
    const [first] = parts;
    if (first === undefined) continue;
    const before = stretchesBegunWith.get(first);
    const isSame = before?.parts.length === parts.length && before.parts.every((one, index) => one === parts[index]);
    const stretch = isSame ? before : { parts, merged: merged(parts) };
    stretchesBegunWith.set(first, stretch);
    stretches.push(stretch.merged as MapOfLists<T>);
  }
  return stretches;
}

type MapOfLists<T> = ReadonlyMap<string, readonly T[]>;

const stretchLength = 16;

const stretchesBegunWith = new NotesOn<object, { parts: readonly object[]; merged: MapOfLists<unknown> }>();

function merged<T>(maps: readonly MapOfLists<T>[]): MapOfLists<T> {
  const all = new Map<string, T[]>();
  for (const map of maps) {
    for (const [key, values] of map) {
      const same = all.get(key);
      if (same === undefined) all.set(key, [...values]);
      else same.push(...values);
    }
  }
  return all;
}

function addTo<T>(map: Map<string, T[]>, key: string, value: T): void {
  const same = map.get(key);
  if (same === undefined) map.set(key, [value]);
  else same.push(value);
}
