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
    if (fix === undefined || fix.edits.some((edit) => taken.some((other) => collides(edit, other)))) continue;
    taken.push(...fix.edits);
  }
  return taken;
}

/** A file changes at most this often; each round only makes fixes that the round before had to put off. */
const mostRounds = 10;

/** Applies preferred fixes until none is left. `check` looks at a text anew after each round. */
export function fixAll(text: string, check: (text: string) => readonly Diagnostic[]): { text: string; fixed: number } {
  let current = text;
  let fixed = 0;
  for (let round = 0; round < mostRounds; round++) {
    const before = check(current);
    const edits = preferredEdits(before);
    if (edits.length === 0) break;
    const next = applyEdits(current, edits);
    const after = check(next);
    if (after.length >= before.length) break;
    fixed += before.length - after.length;
    current = next;
  }
  return { text: current, fixed };
}

/** Touching counts: two insertions at one place have no certain order, and equal ones must not be made twice. */
function collides(a: TextEdit, b: TextEdit): boolean {
  return a.span.start <= b.span.end && b.span.start <= a.span.end;
}

export const preferredFix = (diagnostic: Diagnostic): Fix | undefined => diagnostic.fixes.find((fix) => fix.preferred);
