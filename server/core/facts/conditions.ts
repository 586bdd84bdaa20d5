import type { Condition, Source, Surroundings, Use } from './source.ts';

/** Whether a block runs: known tests decide, a `try` body is taken to succeed, a loop to run at least once. */
export function conditionHolds(source: Source, { statement, branch }: Condition): boolean | undefined {
  switch (statement.kind) {
    case 'if': {
      let known = true;
      for (const [index, { test }] of statement.branches.entries()) {
        const holds = source.read(test)?.value;
        if (index === branch)
          return holds === undefined || !known ? (isFalse(holds) ? false : undefined) : Boolean(holds);
        if (holds === undefined) known = false;
        else if (holds) return false;
      }
      return known ? true : undefined;
    }
    case 'try':
      return branch === 0 || branch > statement.handlers.length;
    default:
      return undefined;
  }
}

const isFalse = (value: unknown): boolean => value !== undefined && !value;

/** Whether something that happens at `span` has happened before `use`; undefined where it may or may not. */
export function happensBefore(
  source: Source,
  { start, around }: { readonly start: number; readonly around: Surroundings },
  use: Use,
): boolean | undefined {
  if (around.function === use.around.function) {
    if (start >= use.offset) return false;
  } else if (around.function !== undefined) return undefined;
  let certain = true;
  for (const condition of around.conditions) {
    const same = use.around.conditions.find((one) => one.statement === condition.statement);
    if (same !== undefined) {
      if (same.branch === condition.branch) continue;
      if (condition.statement.kind === 'if' || condition.statement.kind === 'match') return false;
    }
    const holds = source.holds(condition);
    if (holds === false) return false;
    if (holds === undefined) certain = false;
  }
  return certain ? true : undefined;
}
