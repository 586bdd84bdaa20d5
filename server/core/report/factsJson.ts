import type { FoundRun } from '../facts/configFiles/runs.ts';
import type { Fact, Origin } from '../facts/facts.ts';
import { type FactsReport, factsByName } from './factsReport.ts';
import { originText, placeOfOrigin } from './originText.ts';

/** `facts --format json`. A change that would break a reader of it raises `version`. */
export function factsJson({ runs, chosen }: FactsReport): string {
  const log = { version: 1, runs: runs.map((run) => runJson(run)), chosen: chosen?.id ?? null };
  return `${JSON.stringify(log, null, 2)}\n`;
}

function runJson({ id, title, place, facts, isWhole }: FoundRun) {
  const { path, line, column } = place;
  return {
    id,
    title,
    place: { path, line, column },
    whole: isWhole,
    facts: Object.fromEntries(factsByName(facts).map(([name, fact]) => [name, factJson(fact)])),
    notes: facts.notes,
  };
}

function factJson({ value, origin, lost }: Fact<unknown>) {
  return {
    value,
    ...originJson(origin),
    ...(lost !== undefined && { lost: lost.map((one) => ({ value: one.value ?? null, ...originJson(one.origin) })) }),
  };
}

function originJson(origin: Origin) {
  const place = placeOfOrigin(origin);
  return {
    kind: origin.kind,
    says: originText(origin),
    path: place?.path ?? null,
    line: place?.line ?? null,
    column: place?.column ?? null,
  };
}
