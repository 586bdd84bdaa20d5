import type { ConfigEntry } from '../config/tree.ts';
import type { Severity } from '../lint/rule.ts';

/** What one library does with one of its settings. */
export interface SettingProblem {
  readonly entry: ConfigEntry;
  readonly severity: Severity;
  readonly message: string;
}
