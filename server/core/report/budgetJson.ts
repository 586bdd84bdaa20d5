import type { Fact, Origin } from '../facts/facts.ts';
import type { Remedy } from '../total/advise.ts';
import type { Assessment } from '../total/assess.ts';
import { type BudgetReport, modelFactsByName, reportedFacts, runFactsByName } from './budgetReport.ts';
import { originText, placeOfOrigin } from './originText.ts';

/** `budget --format json`. All memory in bytes. A change that would break a reader of it raises `version`. */
export function budgetJson(report: BudgetReport): string {
  const { model, run, budget, assessment, advice } = report;
  const { paper, pytorch } = budget;
  const sources = reportedFacts(report).map(([field, fact]) => [field, sourceOf(fact.origin)]);
  const log = {
    version: 1,
    model: valuesOf(modelFactsByName(model)),
    run: valuesOf(runFactsByName(model, run)),
    sources: Object.fromEntries(sources),
    paper,
    // Null, not absent: the notes say why there is none.
    pytorch: pytorch ?? null,
    ...(budget.rough && { rough: budget.rough }),
    device: assessment ? deviceJson(assessment) : null,
    ...(advice && { largest: advice.largest, remedies: advice.remedies.map(withoutDevice) }),
    notes: report.notes,
  };
  return `${JSON.stringify(log, null, 2)}\n`;
}

const valuesOf = (facts: readonly (readonly [string, Fact<unknown>])[]) =>
  Object.fromEntries(facts.map(([field, { value }]) => [field, value]));

function sourceOf(origin: Origin) {
  const place = placeOfOrigin(origin);
  return {
    path: place?.path ?? null,
    line: place?.line ?? null,
    column: place?.column ?? null,
    kind: origin.kind,
    says: originText(origin),
  };
}

/** The whole device at its peak, and under each strategy. */
function deviceJson({ now, verdict, strategies, share }: Assessment) {
  return {
    name: verdict?.device.name ?? null,
    memoryBytes: verdict?.device.memoryBytes ?? null,
    outcome: verdict?.outcome ?? null,
    spareBytes: verdict?.spareBytes ?? null,
    peak: now.peak,
    range: now.range,
    states: now.states.map(({ key, label, bytes, place, live, formula, source }) => ({
      key,
      label,
      bytes,
      place,
      live,
      formula,
      source,
    })),
    allowance: now.allowance,
    freeableBytes: share?.freeableBytes ?? null,
    strategies: strategies.map(({ name, segment, total, extraStep, extraSeconds, verdict: judged }) => ({
      name,
      segment,
      peak: total.peak,
      range: total.range,
      extraStep,
      extraSeconds: extraSeconds ?? null,
      outcome: judged?.outcome ?? null,
    })),
  };
}

const withoutDevice = ({ verdict, ...remedy }: Remedy) => ({ ...remedy, outcome: verdict?.outcome ?? null });
