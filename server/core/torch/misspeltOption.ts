/**
 * The option of `checkpoint` a keyword was meant to be: one or two edits away from its name (a letter missing, too many,
 * wrong, or two swapped). Short names have too many neighbours for that and are left out.
 */
export function misspeltOption(keyword: string): string | undefined {
  return options.find((option) => option !== keyword && editsBetween(keyword, option) <= 2);
}

const options = ['use_reentrant', 'preserve_rng_state', 'determinism_check', 'respect_saved_tensors_hooks'] as const;

/** Insertions, deletions, replacements and swaps of neighbours that turn one text into the other; stops counting at 3. */
function editsBetween(a: string, b: string): number {
  if (Math.abs(a.length - b.length) > 2) return 3;
  let beforeLast: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const same = a[i - 1] === b[j - 1] ? 0 : 1;
      let edits = Math.min((last[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1, (last[j - 1] ?? 0) + same);
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) {
        edits = Math.min(edits, (beforeLast[j - 2] ?? 0) + 1);
      }
      row.push(edits);
    }
    beforeLast = last;
    last = row;
  }
  return last[b.length] ?? 3;
}
