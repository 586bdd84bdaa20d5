import type { Place } from './setup.ts';

/** One line of the account of states, for a stacked bar or a table. */
export interface StatePart {
  /** Stable key, usable as a class name: `gradients`, `first-moment`. */
  readonly key: string;
  /** For people: `Gradients (bf16)`. */
  readonly label: string;
  readonly bytes: number;
  readonly group: StateGroup;
  /** `paged` lies in unified memory: on the device as long as there is room. */
  readonly place: Place | 'paged';
  /** When it is there. */
  readonly live: readonly Phase[];
  /** The computation in words. */
  readonly formula: string;
  /** The paper, documentation or library version the formula is from. */
  readonly source: string;
}

export type StateGroup = 'parameters' | 'gradients' | 'optimizer' | 'communication';

/** A training step, as far as states are concerned. */
export type Phase = 'forward' | 'backward' | 'step';

export const always: readonly Phase[] = ['forward', 'backward', 'step'];
export const whileRunning: readonly Phase[] = ['forward', 'backward'];
export const fromBackward: readonly Phase[] = ['backward', 'step'];

export const withoutEmpty = (parts: readonly StatePart[]): readonly StatePart[] =>
  parts.filter(({ bytes }) => bytes !== 0);

/** `, divided by 8 ranks`, for formulas. */
export const perRank = (ranks: number): string => (ranks === 1 ? '' : `, divided by ${ranks} ranks`);
