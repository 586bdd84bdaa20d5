import type { Given } from './given.ts';
import type { SaidRun } from './said.ts';
import { numberGiven, shareGiven } from './values.ts';

/**
 * Flags that give a rank leave the layers to the program: its own list counts. Where the program's list could not be read
 * nothing is counted, which the program's notes say.
 */
export function adaptersUnderFlags(own: SaidRun, script: SaidRun | undefined, given: Given): SaidRun {
  const { adapters, ...others } = own.settings;
  const isWhole = adapters?.origin.kind !== 'derived';
  if (adapters === undefined || script === undefined || isWhole) return own;
  const ofProgram = script.settings.adapters;
  if (ofProgram === undefined) {
    const isOpen = script.notes.some((note) => /of the adapters on line \d+ could not be read/.test(note));
    return isOpen ? { ...own, settings: others } : own;
  }
  const rank = numberGiven(given, ofProgram.value.rank, 'lora_r', 'lora_rank', 'lora_dim');
  const dropout = shareGiven(given, ofProgram.value.dropout, 'lora_dropout');
  const value = {
    ...ofProgram.value,
    ...(rank !== undefined && { rank: rank.value }),
    ...(dropout !== undefined && { dropout: dropout.value }),
  };
  return { ...own, settings: { ...others, adapters: { value, origin: (rank ?? ofProgram).origin } } };
}
