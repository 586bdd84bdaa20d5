import type { Given } from './given.ts';
import { adaptersGiven } from './loraSettings.ts';
import type { SaidRun } from './said.ts';
import { inGroups, loraNames } from './trainer.ts';

/**
 * What flags do not say of adapters is left to the program: its own rank, its own list of layers. Where the program's list
 * could not be read nothing is counted, which the program's notes say.
 */
export function adaptersUnderFlags(own: SaidRun, script: SaidRun | undefined, flags: Given): SaidRun {
  const { adapters, ...others } = own.settings;
  const isWhole = adapters !== undefined && !['derived', 'assumed'].includes(adapters.origin.kind);
  if (script === undefined || isWhole) return own;
  const ofProgram = script.settings.adapters;
  if (ofProgram === undefined) {
    const isOpen = script.notes.some((note) => /of the adapters on line \d+ could not be read/.test(note));
    return isOpen ? { ...own, settings: others } : own;
  }
  const given = inGroups(flags);
  const { rank, targets, dropout } = loraNames;
  if (given.find(...rank, ...targets, ...dropout) === undefined) return own;
  const names = { rank, targets, dropout, saysAll: true, defaults: ofProgram.value };
  return { ...own, settings: { ...others, adapters: adaptersGiven(given, names, ofProgram) } };
}
