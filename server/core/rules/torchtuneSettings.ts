import { type ConfigMapping, entryAt, isMissing, scalarAt, switchAt } from '../config/tree.ts';
import type { SettingProblem } from './settingProblem.ts';

/** What torchtune's recipes do with checkpointing settings. Source: torchtune, `recipes/*.py`, `training/activations.py`. */
export function torchtuneProblems(root: ConfigMapping): readonly SettingProblem[] {
  const problems: SettingProblem[] = [];
  const enabled = switchAt(root, 'enable_activation_checkpointing');
  const isOff = enabled === false || isMissing(root, 'enable_activation_checkpointing');
  const offloading = entryAt(root, 'enable_activation_offloading');
  if (offloading !== undefined && switchAt(root, offloading.key) === true && isOff) {
    const message =
      'raises RuntimeError: enable_activation_offloading should only be True when enable_activation_checkpointing is True';
    problems.push({ entry: offloading, severity: 'error', message });
  }
  const mode = entryAt(root, 'ac_mode');
  const modeName = scalarAt(root, 'ac_mode')?.value;
  if (mode === undefined || (modeName !== 'full' && modeName !== 'selective')) return problems;
  if (enabled === true) {
    const message =
      'checkpoints nothing: ac_mode is read only while enable_activation_checkpointing is False, and that switch only without ac_mode';
    problems.push({ entry: mode, severity: 'warning', message });
  } else if (isOff && modeName === 'selective') {
    const option = entryAt(root, 'ac_option');
    const value = scalarAt(root, 'ac_option')?.value;
    if (option !== undefined && typeof value === 'string' && !/^\s*\d+\s*$/.test(value)) {
      const message = `raises ValueError: invalid literal for int(): ac_option is a number of layers, not ${value}`;
      problems.push({ entry: option, severity: 'error', message });
    } else if (isMissing(root, 'ac_option') || value === null) {
      const message = 'raises TypeError: selective mode needs ac_option, the number of layers to checkpoint one of';
      problems.push({ entry: mode, severity: 'error', message });
    }
  }
  return problems;
}
