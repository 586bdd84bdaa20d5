import type { ConfigFormat } from '../../../server/core/config/configFile.ts';
import type { RunFacts } from '../../../server/core/facts/facts.ts';

/** Something a real person ran into, as the smallest program that does the same. */
export type Report = Told | Untold;

export interface Told {
  /** The first line break does not count. */
  readonly shape: string;
  /** What the shape is written in; Python where nothing is said. */
  readonly as?: ConfigFormat;
  /** Every finding of all rules, in source order. */
  readonly codes: readonly string[];
  readonly versions?: Readonly<Record<string, string>>;
  /** What the memory panel knows about it, where that is the answer. */
  readonly panel?: (facts: RunFacts) => void;
}

/** Nothing a reader of the code alone could say. */
export interface Untold {
  readonly outOfReach: string;
}

export type Reports = Readonly<Record<string, Report>>;
