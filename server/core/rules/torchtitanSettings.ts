import { type ConfigMapping, entryAt, scalarAt, switchAt } from '../config/tree.ts';
import type { SettingProblem } from './settingProblem.ts';

/** `policy` is a mode of a fork. */
const modes = ['none', 'full', 'selective', 'memory_budget', 'policy'];

/** What torchtitan does with `[activation_checkpoint]`. Source: torchtitan before 2026, `distributed/activation_checkpoint.py`. */
export function torchtitanProblems(root: ConfigMapping): readonly SettingProblem[] {
  const table = 'activation_checkpoint';
  const mode = entryAt(root, table, 'mode');
  const name = scalarAt(root, table, 'mode')?.value;
  if (mode !== undefined && typeof name === 'string' && !modes.includes(name)) {
    const message = `raises ValueError: Invalid AC mode: ${name}; it is none, selective, full or memory_budget`;
    return [{ entry: mode, severity: 'error', message }];
  }
  const option = entryAt(root, table, 'selective_ac_option');
  const value = scalarAt(root, table, 'selective_ac_option')?.value;
  if (
    option !== undefined &&
    name === 'selective' &&
    typeof value === 'string' &&
    value !== 'op' &&
    !/^\d+$/.test(value)
  ) {
    const message = `raises ValueError: Invalid selective AC option: ${value}; it is "op" or a number of layers in quotes`;
    return [{ entry: option, severity: 'error', message }];
  }
  const compiles = switchAt(root, 'compile', 'enable') === true || switchAt(root, 'training', 'compile') === true;
  if (mode !== undefined && name === 'memory_budget' && !compiles) {
    const message =
      'raises AssertionError: Memory budget mode requires model to be compiled, unless --compile.enable is given';
    return [{ entry: mode, severity: 'warning', message }];
  }
  return [];
}
