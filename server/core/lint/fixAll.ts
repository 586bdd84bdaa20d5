import { applyEdits, type TextEdit } from '../text/edit.ts';
import type { Diagnostic, Fix } from './rule.ts';

/**
 * The preferred fixes that can be made together. Two findings often share one fix (a missing `use_reentrant` and the
 * keyword it forbids); it is made once. A fix that touches what another one changes waits for the next round.
 */
export function preferredEdits(diagnostics: readonly Diagnostic[]): TextEdit[] {
  const taken: TextEdit[] = [];
  for (const diagnostic of diagnostics) {
    const fix = preferredFix(diagnostic);
    if (fix === undefined) continue;
    const places = fix.edits.map((edit) => placeFor(edit, taken));
    if (places.includes(undefined)) continue;
    for (const edit of fix.edits) taken.splice(placeFor(edit, taken) ?? taken.length, 0, edit);
  }
  return taken;
}

/** A file changes at most this often; each round only makes fixes that the round before had to put off. */
export const mostRounds = 10;

/**
 * Applies preferred fixes until none is left. `check` looks at a text anew after each round. A fix may uncover a finding of
 * another rule; one that does not take its own away is a fault of ours and is not made.
 */
export function fixAll(text: string, check: (text: string) => readonly Diagnostic[]): { text: string; fixed: number } {
  let current = text;
  let fixed = 0;
  let before = check(current);
  for (let round = 0; round < mostRounds; round++) {
    const edits = preferredEdits(before);
    if (edits.length === 0) break;
    const next = applyEdits(current, edits);
    const after = check(next);
    const codes = new Set(before.filter(preferredFix).map(({ code }) => code));
    const left = (all: readonly Diagnostic[]): number => all.filter(({ code }) => codes.has(code)).length;
    if (left(after) >= left(before)) break;
    fixed += left(before) - left(after);
    current = next;
    before = after;
  }
  return { text: current, fixed };
}

/**
 * Where an edit belongs among edits sorted by place; undefined where it collides with one. Touching counts: two insertions
 * at one place have no certain order, and equal ones must not be made twice.
 */
function placeFor({ span }: TextEdit, sorted: readonly TextEdit[]): number | undefined {
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((sorted[middle]?.span.start ?? 0) < span.start) low = middle + 1;
    else high = middle;
  }
  const before = sorted[low - 1];
  const after = sorted[low];
  const collides =
    (before !== undefined && before.span.end >= span.start) || (after !== undefined && after.span.start <= span.end);
  return collides ? undefined : low;
}

export const preferredFix = (diagnostic: Diagnostic): Fix | undefined => diagnostic.fixes.find((fix) => fix.preferred);
