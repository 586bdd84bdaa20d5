import type { ModelShape, RunShape } from '../../budget/account.ts';
import { listSetting } from '../settings.ts';

/** What models in stages share: lists with one number for each stage. */

/** Blocks in each stage. */
export const stageDepths = (model: ModelShape, name: string, otherwise: readonly number[]): readonly number[] =>
  numbers(listSetting(model, name, otherwise));

/** One number for every stage, or a list with one for each. */
export function perStage(model: ModelShape, name: string, otherwise: number, stages: number): readonly number[] {
  const value = model.settings?.[name];
  if (Array.isArray(value)) return numbers(value);
  return Array.from({ length: stages }, () => (typeof value === 'number' ? value : otherwise));
}

export const numbers = (value: unknown): readonly number[] =>
  Array.isArray(value) ? value.map((each) => (typeof each === 'number' ? each : Number.NaN)) : [];

export const total = (value: unknown): number => numbers(value).reduce((sum, each) => sum + each, 0);

/** What stands between the stages would have to be frozen with them. */
export const frozenStagesProblem = (run: RunShape): string | undefined =>
  (run.frozenLayers ?? 0) > 0 ? 'frozen layers of a model in stages have no account' : undefined;
