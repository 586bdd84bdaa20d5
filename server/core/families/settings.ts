import type { ModelShape, RunShape, SettingValue } from '../budget/account.ts';

/** A number only this family has; `otherwise` where the model was not read from a configuration or says `null`. */
export function numberSetting(model: ModelShape, name: string, otherwise: number): number {
  const value = model.settings?.[name];
  return typeof value === 'number' ? value : otherwise;
}

export function flagSetting(model: ModelShape, name: string, otherwise: boolean): boolean {
  const value = model.settings?.[name];
  return typeof value === 'boolean' ? value : otherwise;
}

export function textSetting(model: ModelShape, name: string, otherwise: string): string {
  const value = model.settings?.[name];
  return typeof value === 'string' ? value : otherwise;
}

export function listSetting(
  model: ModelShape,
  name: string,
  otherwise: readonly SettingValue[],
): readonly SettingValue[] {
  const value = model.settings?.[name];
  return isList(value) ? value : otherwise;
}

/**
 * Probability of one of the family's kinds of dropout, under the argument of its configuration class. The run's own unless
 * the configuration has this kind off while others are on.
 */
export const dropoutOf = (model: ModelShape, run: RunShape, argument: string): number =>
  numberSetting(model, argument, run.dropout) > 0 ? run.dropout : 0;

const isList = (value: SettingValue | undefined): value is readonly SettingValue[] => Array.isArray(value);
