import { overlaps } from '../text/span.ts';
import { type GivenArguments, givenArguments } from './arguments.ts';
import type { Call, Expression, FunctionDefinition, Module, Statement } from './ast.ts';
import type { Names, Target } from './names.ts';
import { NotesOn } from './notesOn.ts';
import { oncePer } from './oncePer.ts';
import { stretchesOf } from './stretches.ts';
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
  const { statements, methods } = stretchesOf(module);
  const reliable = <Found>(found: readonly Found[], callOf: (one: Found) => Call): readonly Found[] =>
    module.unreliable.length === 0
      ? found
      : found.filter((one) => !module.unreliable.some((span) => overlaps(span, callOf(one))));
  let all: readonly Call[] | undefined;
  let allByTarget: readonly CallsByTarget[] | undefined;
  const foundNamed = new Map<string, readonly Call[]>();
  const foundCalling = new Map<string, readonly ResolvedCall[]>();

  const target = (call: Call): Target | undefined => {
    const { targets, complete } = names.resolve(call.callee);
    return complete && targets.length === 1 ? targets[0] : undefined;
  };

  const index: CallIndex = {
    all() {
      all ??= reliable(module.body.flatMap(callsWithin), itself);
      return all;
    },
    target,
    named(name) {
      const known = foundNamed.get(name);
      if (known !== undefined) return known;
      const maps = [...statements.map(namedAround), ...methods.map(namedInBodies)];
      const found = inSourceOrder(
        reliable(
          maps.flatMap((one) => one.get(name) ?? none),
          itself,
        ),
        itself,
      );
      foundNamed.set(name, found);
      return found;
    },
    where: (kind, isMeant) =>
      inSourceOrder(
        reliable(
          ofAllCode(
            kind,
            (calls) => calls.filter(isMeant),
            (found) => found.flat(),
          ).flat(),
          itself,
        ),
        itself,
      ),
    to(...qualified) {
      return inSourceOrder(qualified.flatMap(calling), ({ call }) => call);
    },
  };
  indexes.set(names, index);
  return index;

  /**
   * What `workOut` makes of the calls of each statement, without those in the bodies of methods, and of each such body; what
   * is made of some that follow each other is put together. All of it is kept while other code is edited.
   */
  function ofAllCode<Result>(
    kind: symbol,
    workOut: (calls: readonly Call[]) => Result,
    putTogether: (results: readonly Result[]) => Result,
  ): readonly Result[] {
    const around = statements.map((some) =>
      names.lastingTogether(some, kind, () =>
        putTogether(some.map((one) => names.lasting(one, kind, () => workOut(callsAroundBodies(one))))),
      ),
    );
    const inBodies = methods.map((some) =>
      names.lastingTogether(some, kind, () =>
        putTogether(some.map((one) => names.lastingInBody(one, kind, () => workOut(callsInBody(one))))),
      ),
    );
    return [...around, ...inBodies];
  }

  /** In no certain order. */
  function calling(qualified: string): readonly ResolvedCall[] {
    const known = foundCalling.get(qualified);
    if (known !== undefined) return known;
    allByTarget ??= ofAllCode(targetsKind, targetsOf, (found) => ({
      meant: merged(found.map(({ meant }) => meant)),
      open: merged(found.map(({ open }) => open)),
    }));
    const name = qualified.slice(qualified.lastIndexOf('.') + 1);
    const meant = allByTarget.flatMap((one) => one.meant.get(qualified) ?? none);
    const open = resolved(allByTarget.flatMap((one) => one.open.get(name) ?? none));
    const found = open.length === 0 ? meant : [...meant, ...open.filter((one) => one.qualified === qualified)];
    const sound = reliable(found, ({ call }) => call);
    foundCalling.set(qualified, sound);
    return sound;
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

const itself = (call: Call): Call => call;

const callsWithin: (statement: Statement) => readonly Call[] = oncePer((statement) => {
  if (statement.kind !== 'class' && statement.end - statement.start < longStatement)
    return callsAmong(expressionsUnder([statement]));
  const { expressions, blocks } = partsOf(statement);
  return inSourceOrder([...callsAmong(expressionsBelow(expressions)), ...blocks.flat().flatMap(callsWithin)], itself);
});

/** Shorter ones are as quickly gone through whole. In UTF-16 units. */
const longStatement = 4_000;

/** Those of a class that stand in none of its methods' bodies; all calls of any other statement. */
const callsAroundBodies = (statement: Statement): readonly Call[] =>
  statement.kind === 'class'
    ? [
        ...callsAmong(expressionsBelow(partsOf(statement).expressions)),
        ...statement.body.flatMap((member) =>
          member.kind === 'function' ? callsBeforeBody(member) : callsWithin(member),
        ),
      ]
    : callsWithin(statement);

/** In its decorators and the defaults of its parameters. */
const callsBeforeBody = oncePer((method: FunctionDefinition) =>
  callsAmong(expressionsBelow(partsOf(method).expressions)),
);

const callsInBody = oncePer(({ body }: FunctionDefinition): readonly Call[] => body.flatMap(callsWithin));

function callsAmong(expressions: Iterable<Expression>): readonly Call[] {
  const calls = [...expressions].filter((one): one is Call => one.kind === 'call');
  // A list that grew has room for more, and most of these are kept for long and have one call or none.
  return calls.length < 2 ? calls.slice() : inSourceOrder(calls, itself);
}

const inSourceOrder = <Found>(found: readonly Found[], callOf: (one: Found) => Call): readonly Found[] =>
  found.length < 2 ? found : found.toSorted((a, b) => callOf(a).start - callOf(b).start);

const namedAround = oncePer((statements: readonly Statement[]) => byName(statements.flatMap(callsAroundBodies)));

const namedInBodies = oncePer((methods: readonly FunctionDefinition[]) => byName(methods.flatMap(callsInBody)));

function byName(calls: readonly Call[]): MapOfLists<Call> {
  const map = new Map<string, Call[]>();
  for (const call of calls) {
    const { callee } = call;
    const name = callee.kind === 'name' ? callee.name : callee.kind === 'attribute' ? callee.attribute.name : undefined;
    if (name !== undefined) addTo(map, name, call);
  }
  return map;
}

type MapOfLists<T> = ReadonlyMap<string, readonly T[]>;

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
