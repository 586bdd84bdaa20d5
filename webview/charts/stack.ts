import type { Part } from '../../server/core/budget/account.ts';

/** One box of a stacked bar, in the units of `width`. */
export type StackBox<P extends Part = Part> = P & {
  /** Share of the whole, 0 … 1. */
  readonly share: number;
  readonly x: number;
  readonly width: number;
  /** Which of the colours; repeats after six. */
  readonly colour: number;
};

const colours = 6;

/** Lays parts side by side over `width`, first to last; parts without bytes get no box. */
export function layoutStack<P extends Part>(parts: readonly P[], width: number): readonly StackBox<P>[] {
  const filled = parts.filter((part) => part.bytes > 0);
  const total = filled.reduce((sum, part) => sum + part.bytes, 0);
  let before = 0;
  return filled.map((part, index) => {
    const x = (before / total) * width;
    before += part.bytes;
    return {
      ...part,
      share: part.bytes / total,
      x,
      width: (before / total) * width - x,
      colour: index % colours,
    };
  });
}
