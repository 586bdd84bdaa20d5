import { type ConfigMapping, entryAt, isMissing, switchAt } from '../config/tree.ts';
import type { SettingProblem } from './settingProblem.ts';

/** Combinations that axolotl refuses when it reads its file. Source: axolotl, `utils/schemas/validation.py`. */
export function axolotlProblems(root: ConfigMapping): readonly SettingProblem[] {
  const problems: SettingProblem[] = [];
  const refuse = (key: string, message: string): void => {
    const entry = entryAt(root, key);
    if (entry !== undefined) problems.push({ entry, severity: 'error', message: `raises ValueError: ${message}` });
  };
  const isOff = isMissing(root, 'gradient_checkpointing') || isFalse(root, 'gradient_checkpointing');
  const isReentrant = switchAt(root, 'gradient_checkpointing_kwargs', 'use_reentrant') === true;
  if (isOff && isSet(root, 'activation_offloading')) {
    refuse('activation_offloading', 'activation_offloading requires gradient_checkpointing');
  }
  if (isSet(root, 'selective_checkpointing')) {
    if (isOff) refuse('selective_checkpointing', 'selective_checkpointing requires gradient_checkpointing');
    else if (isReentrant) {
      refuse('selective_checkpointing', 'selective_checkpointing requires use_reentrant: false');
    }
  }
  if (isReentrant && isSet(root, 'unfrozen_parameters')) {
    refuse('gradient_checkpointing_kwargs', '`use_reentrant` must be false when used with partially frozen model');
  }
  return problems;
}

/** For certain something that counts as true. */
function isSet(root: ConfigMapping, key: string): boolean {
  const value = entryAt(root, key)?.value;
  switch (value?.kind) {
    case 'mapping':
      return value.entries.length > 0;
    case 'sequence':
      return value.items.length > 0;
    case 'scalar':
      return value.value !== null && value.value !== false && value.value !== '' && value.value !== 0;
    default:
      return false;
  }
}

/** Given as false, or given as nothing. */
function isFalse(root: ConfigMapping, key: string): boolean {
  const value = entryAt(root, key)?.value;
  return value?.kind === 'scalar' && (value.value === false || value.value === null);
}
