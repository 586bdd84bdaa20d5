import type { CodeLens, Command } from 'vscode-languageserver';
import type { RunFacts } from '../../core/facts/facts.ts';
import { lensTexts } from '../../core/report/lensText.ts';
import type { Places } from '../places.ts';

/** What the run costs, above the lines that say so. `command` is what a click does; without one nothing happens. */
export function codeLenses(facts: RunFacts | undefined, places: Places, uri: string, command?: string): CodeLens[] {
  if (facts === undefined) return [];
  return lensTexts(facts).flatMap(({ place, text }) => {
    const at = place.path === uri ? places.at(place.span) : undefined;
    const run: Command = { title: text, command: command ?? '' };
    return at === undefined ? [] : [{ range: at.range, command: run }];
  });
}
