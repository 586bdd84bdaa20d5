import type { Span } from './span.ts';

/** The stretch of the text before that is another one now, and where that ends now. */
export interface Change extends Span {
  readonly newEnd: number;
}

export function changeBetween(before: string, after: string): Change {
  const shorter = Math.min(before.length, after.length);
  const start = commonLength(shorter, (length, at) => before.slice(at, at + length) === after.slice(at, at + length));
  const behind = commonLength(shorter - start, (length, at) => {
    const end = at + length;
    return before.slice(before.length - end, before.length - at) === after.slice(after.length - end, after.length - at);
  });
  return { start, end: before.length - behind, newEnd: after.length - behind };
}

/** Where a stretch of the text before stands now; undefined where the change reaches into it. */
export function movedThrough(change: Change, { start, end }: Span): Span | undefined {
  if (end <= change.start) return { start, end };
  const by = change.newEnd - change.end;
  return start >= change.end ? { start: start + by, end: end + by } : undefined;
}

/** How far two texts agree, by halves: comparing whole stretches is many times quicker than unit by unit. */
function commonLength(most: number, agree: (length: number, at: number) => boolean): number {
  let known = 0;
  for (let step = most; step > 0; step = Math.min(step, most - known) >> 1) {
    while (known + step <= most && agree(step, known)) known += step;
  }
  return known;
}
