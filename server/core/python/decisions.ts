import type { Span } from '../text/span.ts';
import type { ClassDefinition, Expression, FunctionDefinition, Module } from './ast.ts';
import {
  type AskOutside,
  type Kept,
  keptPlaces,
  type Made,
  type Member,
  type MemberOf,
  type MembersOfOthers,
  restOn,
} from './keptPlaces.ts';
import type { Resolution } from './names.ts';
import { NotesOn } from './notesOn.ts';
import type { Binding, Scope } from './scope.ts';

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
  /**
   * What `workOut` makes of some statements at the top, or methods, by what is lasting of each of them: kept for as long as all
   * of that is.
   */
  lastingTogether<Result>(nodes: readonly object[], kind: symbol, workOut: () => Result): Result;
  /** Whatever is being worked out rests on more than these decisions, so that it holds for this version alone. */
  holdsForNow(): void;
  /** Told of what a class has under a name: the values it assigns to it and its method. */
  member(owner: ClassDefinition, name: string): Member;
  /** Told that an answer rests on what a function does, not just on which one it is. */
  bodyOf(definition: FunctionDefinition): void;
  /** The bindings of a name in the module's own scope. */
  bindingsInModule(name: string): readonly Binding[];
  /** What lies outside the file: `ask` is asked once for each key. */
  outside(key: string, ask: () => Resolution | undefined): Resolution | undefined;
}

export function decisionsOf(
  module: Module,
  root: Scope,
  knowledge: object,
  askOutside: AskOutside,
  memberOf: MemberOf,
): Decisions {
  const places = keptPlaces(module, root, knowledge, askOutside, memberOf);
  const now = new Map<Expression, Resolution>();
  const notLasting = new Set<Expression>();
  let current: Kept | undefined;
  let isSettled = true;

  return {
    about(expression, decide) {
      const before = now.get(expression);
      if (before !== undefined && current === undefined) return before;
      const place = places.of(expression);
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
    lasting(node, kind, workOut) {
      const place = places.atTopOf(node);
      return keptIn(place, place?.made, node, kind, workOut);
    },
    lastingInBody(method, kind, workOut) {
      const [first] = method.body;
      const place = first && places.of(first);
      return keptIn(place, place?.madeInBody, method, kind, workOut);
    },
    lastingTogether(nodes, kind, workOut) {
      if (current !== undefined) return workOut();
      const known = together.get(nodes)?.get(kind);
      if (known !== undefined && places.haveStood(nodes, known.asOf)) {
        known.asOf = places.version;
        return known.result as ReturnType<typeof workOut>;
      }
      const wasSettled = isSettled;
      isSettled = true;
      const result = workOut();
      if (isSettled) keepTogether(nodes, kind, { result, asOf: places.version });
      isSettled &&= wasSettled;
      return result;
    },
    holdsForNow() {
      isSettled = false;
    },
    member(owner, name) {
      const found = memberOf(owner, name);
      if (current?.owner?.name === owner.name) current.members.set(name, found);
      else if (current !== undefined) noteMember(current.membersOfOthers, owner, name, found);
      return found;
    },
    bodyOf({ body: [first] }) {
      const place = first && places.of(first);
      // A function without any body is still being typed.
      if (place === undefined) isSettled = false;
      else if (current !== undefined && place !== current) restOn(current, place);
    },
    bindingsInModule(name) {
      current?.names.add(name);
      current?.group.names.add(name);
      return root.bindings.get(name) ?? none;
    },
    outside(key, ask) {
      const { answers } = places;
      if (!answers.has(key)) answers.set(key, ask());
      current?.outside.add(key);
      current?.group.outside.add(key);
      return answers.get(key);
    },
  };

  /** `made` is where the place keeps what is made like this. */
  function keptIn<Result>(
    place: Kept | undefined,
    made: Made | undefined,
    node: object,
    kind: symbol,
    workOut: () => Result,
  ): Result {
    if (current !== undefined && place !== undefined && place !== current) restOn(current, place);
    const known = made?.get(kind)?.get(node);
    if (known !== undefined) return known.result as Result;
    const [around, wasSettled] = [current, isSettled];
    current = place;
    isSettled = true;
    try {
      const result = workOut();
      if (isSettled && made !== undefined) keep(made, node, kind, result);
      return result;
    } finally {
      current = around;
      isSettled &&= wasSettled;
    }
  }
}

/** What was made of some nodes together, and the version of the module for which it is known to hold. */
interface Together {
  readonly result: unknown;
  asOf: number;
}

const together = new NotesOn<readonly object[], Map<symbol, Together>>();

function keepTogether(nodes: readonly object[], kind: symbol, made: Together): void {
  const known = together.get(nodes) ?? new Map<symbol, Together>();
  together.set(nodes, known);
  known.set(kind, made);
}

function keep(made: Made, node: object, kind: symbol, result: unknown): void {
  const ofKind = made.get(kind) ?? new Map<object, { readonly result: unknown }>();
  made.set(kind, ofKind);
  ofKind.set(node, { result });
}

function noteMember(asked: MembersOfOthers, owner: ClassDefinition, name: string, found: Member): void {
  const ofOwner = asked.get(owner.name) ?? new Map<string, Member>();
  asked.set(owner.name, ofOwner);
  ofOwner.set(name, found);
}

const none: readonly Binding[] = [];
