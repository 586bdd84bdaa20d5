import type { ModelShape, SettingValue } from '../budget/account.ts';

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

const isList = (value: SettingValue | undefined): value is readonly SettingValue[] => Array.isArray(value);
