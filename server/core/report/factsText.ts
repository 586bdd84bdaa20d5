import type { FoundRun } from '../facts/configFiles/runs.ts';
import type { Fact } from '../facts/facts.ts';
import { type FactsReport, toldFacts } from './factsReport.ts';
import { factLabel, factValueText } from './factWords.ts';
import { originText } from './originText.ts';
import { plain } from './plain.ts';
import { table } from './table.ts';

/** `facts --format text`: the runs by number, then every value of the chosen one with its source and what lost against it. */
export function factsText({ runs, chosen }: FactsReport): string {
  if (chosen === undefined) return 'No run was found.\n';
  const { facts, title, place } = chosen;
  const sections = [
    runs.length > 1 ? `${runs.length} runs\n${listOf(runs, chosen)}` : undefined,
    `${plain(title)} (${plain(place.path)}:${place.line})\n${table(toldFacts(facts).flatMap(([name, fact]) => rowsOf(name, fact)))}`,
    facts.notes.length === 0 ? undefined : `Notes\n${facts.notes.map((note) => `  ${plain(note)}`).join('\n')}`,
  ];
  return `${sections.filter((section) => section !== undefined).join('\n\n')}\n`;
}

function listOf(runs: readonly FoundRun[], chosen: FoundRun): string {
  const rows = runs.map((run, index) => [
    String(index + 1),
    run === chosen ? '*' : '',
    plain(run.title),
    plain(run.facts.model?.name.value ?? run.facts.namedModel?.value ?? ''),
    plain(`${run.place.path}:${run.place.line}`),
  ]);
  return table(rows, [0]);
}

function rowsOf(name: string, { value, origin, lost }: Fact<unknown>): readonly (readonly string[])[] {
  const row = [factLabel(name), plain(factValueText(value)), plain(originText(origin))];
  const beaten = (lost ?? []).map((one) => [
    '',
    plain(`not ${factValueText(one.value)}`),
    plain(originText(one.origin)),
  ]);
  return [row, ...beaten];
}
