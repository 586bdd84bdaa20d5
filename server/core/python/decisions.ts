import type { Span } from '../text/span.ts';
import type { Expression, Module, Statement } from './ast.ts';
import type { Resolution } from './names.ts';
import type { Binding, Scope } from './scope.ts';
import { statementAt } from './walk.ts';

/**
 * What has been decided about the expressions of a module. Each statement at the top of a module keeps what was decided about
 * its expressions together with every answer from outside it that was needed, so that in the next version of the module,
 * where most statements are the same objects, only those are decided anew for which an answer has changed.
 */
export interface Decisions {
  /**
   * Decides about an expression once; `decide` may ask for others on the way. Where it has no answer, since the expression is
   * being decided already or is too far away, whatever asked for it holds for this version alone.
   */
  about(expression: Expression, decide: () => Resolution | undefined): Resolution | undefined;
  /**
   * What `workOut` makes of a node from nothing but the code around it and these decisions, kept for as long as they hold.
   * `kind` tells apart what is kept of one node.
   */
  lasting<Result>(node: Span, kind: symbol, workOut: () => Result): Result;
  /** The bindings of a name in the module's own scope. */
  bindingsInModule(name: string): readonly Binding[];
  /** What lies outside the file: `ask` is asked once for each key. */
  outside(key: string, ask: () => Resolution | undefined): Resolution | undefined;
}

/** Asks anew what lies outside the file, by the key it was asked with. */
export type AskOutside = (key: string) => Resolution | undefined;

export function decisionsOf(module: Module, root: Scope, knowledge: object, askOutside: AskOutside): Decisions {
  const answers = new Map<string, Resolution | undefined>();
  const now = new Map<Expression, Resolution>();
  const notLasting = new Set<Expression>();
  let kept: ReadonlyMap<Statement, Kept> | undefined;
  let current: Kept | undefined;
  let isSettled = true;

  return {
    about(expression, decide) {
      const before = now.get(expression);
      if (before !== undefined && current === undefined) return before;
      const place = placeOf(expression);
      if (current !== undefined && place !== undefined && place !== current) current.others.add(place.statement);
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
    lasting<Result>(node: Span, kind: symbol, workOut: () => Result): Result {
      const place = placeOf(node);
      if (current !== undefined && place !== undefined && place !== current) current.others.add(place.statement);
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
    },
    bindingsInModule(name) {
      const bindings = root.bindings.get(name) ?? none;
      current?.names.set(name, bindings);
      return bindings;
    },
    outside(key, ask) {
      if (!answers.has(key)) answers.set(key, ask());
      const answer = answers.get(key);
      current?.outside.set(key, answer);
      return answer;
    },
  };

  function placeOf({ start }: Span): Kept | undefined {
    const statement = statementAt(module.body, start);
    kept ??= stillHolding();
    return statement === undefined ? undefined : kept.get(statement);
  }

  function stillHolding(): ReadonlyMap<Statement, Kept> {
    const found = new Map(module.body.map((statement) => [statement, keptOf(statement)]));
    const stars = root.starImports.join();
    const lost = [...found.values()].filter(
      (one) => one.knowledge !== knowledge || one.stars !== stars || !answersAsBefore(one),
    );
    const users = new Map<Statement, Kept[]>();
    for (const one of found.values()) {
      for (const other of one.others) {
        if (!found.has(other)) lost.push(one);
        const same = users.get(other);
        if (same === undefined) users.set(other, [one]);
        else same.push(one);
      }
    }
    for (let one = lost.pop(); one !== undefined; one = lost.pop()) {
      if (found.get(one.statement) !== one) continue;
      const fresh = nothingKept(one.statement);
      found.set(one.statement, fresh);
      lasting.set(one.statement, fresh);
      lost.push(...(users.get(one.statement) ?? []));
    }
    return found;
  }

  function keptOf(statement: Statement): Kept {
    const before = lasting.get(statement);
    if (before !== undefined) return before;
    const fresh = nothingKept(statement);
    lasting.set(statement, fresh);
    return fresh;
  }

  function nothingKept(statement: Statement): Kept {
    return {
      statement,
      knowledge,
      stars: root.starImports.join(),
      decided: new Map(),
      made: new Map(),
      names: new Map(),
      outside: new Map(),
      others: new Set(),
    };
  }

  function answersAsBefore({ names, outside }: Kept): boolean {
    for (const [name, bindings] of names) if (!areSame(bindings, root.bindings.get(name) ?? none)) return false;
    for (const [key, before] of outside) {
      if (!answers.has(key)) answers.set(key, askOutside(key));
      if (!isSame(before, answers.get(key))) return false;
    }
    return true;
  }
}

interface Kept {
  readonly statement: Statement;
  readonly knowledge: object;
  readonly stars: string;
  readonly decided: Map<Expression, Resolution>;
  readonly made: Map<symbol, Map<Span, { readonly result: unknown }>>;
  readonly names: Map<string, readonly Binding[]>;
  readonly outside: Map<string, Resolution | undefined>;
  /** Statements with expressions that were decided on the way. */
  readonly others: Set<Statement>;
}

function keep({ made }: Kept, node: Span, kind: symbol, result: unknown): void {
  const ofKind = made.get(kind) ?? new Map<Span, { readonly result: unknown }>();
  made.set(kind, ofKind);
  ofKind.set(node, { result });
}

const lasting = new WeakMap<Statement, Kept>();

const none: readonly Binding[] = [];

const areSame = (before: readonly Binding[], after: readonly Binding[]): boolean =>
  before.length === after.length && before.every((binding, index) => binding.made === after[index]?.made);

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
