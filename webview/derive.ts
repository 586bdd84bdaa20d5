import { type Budget, modelShape, type RunShape, runShape, type StrategyName } from '../server/core/budget/account.ts';
import { fullUnits } from '../server/core/budget/paper.ts';
import type { Fact, ModelFacts, RunFacts, RunSettings } from '../server/core/facts/facts.ts';
import type { ByteUnits } from '../server/core/report/quantities.ts';
import type { FileFacts } from './protocol.ts';
import { type PanelState, type WhatIf, type WhatIfField, whatIfOf } from './store.ts';

/** What the panel shows, computed anew from its state on every change; the views only lay it out. */
export type PanelView =
  /** No Python file yet, or one that says nothing about a model. */
  { readonly kind: 'empty'; readonly shown: FileFacts | undefined } | BudgetView;

export interface BudgetView {
  readonly kind: 'budget';
  readonly shown: FileFacts;
  readonly model: ModelFacts;
  /** As the code says, with the what-ifs in it. */
  readonly run: RunSettings;
  /** As the code says. */
  readonly runInCode: RunSettings;
  /** What-ifs that differ from the code. */
  readonly changed: ReadonlySet<WhatIfField>;
  /** What the code does about checkpointing; tells which strategy is "now". */
  readonly mode: StrategyName;
  /** Layers in a segment, k, what-if included; never more than the model has layers. */
  readonly segment: number;
  readonly segmentInCode: number;
  readonly budget: Budget;
  readonly budgetInCode: Budget;
  /** Full checkpointing by the paper's count, in units of A, for every k = 1 … L; empty where the sizes allow no account. */
  readonly paperUnits: readonly number[];
  readonly units: ByteUnits;
  readonly open: Readonly<Record<string, boolean>>;
}

export type Estimate = (model: ReturnType<typeof modelShape>, run: RunShape, segment: number) => Budget;

export function derivePanel(state: PanelState, estimate: Estimate): PanelView {
  const facts = state.shown?.facts;
  if (state.shown === undefined || facts?.model === undefined) return { kind: 'empty', shown: state.shown };
  const model = facts.model;
  const layers = Math.max(1, model.layers.value);
  const segmentInCode = Math.min(facts.run.checkpointing.value.segment, layers);
  const whatIf = whatIfOf(state);
  const run = tryInRun(facts.run, whatIf);
  const segment = Math.min(whatIf.segment ?? segmentInCode, layers);
  const changed = changedFields(facts, whatIf, segment, segmentInCode);
  const shape = modelShape(model);
  const budgetInCode = estimate(shape, runShape(facts.run), segmentInCode);
  return {
    kind: 'budget',
    shown: state.shown,
    model,
    run,
    runInCode: facts.run,
    changed,
    mode: facts.run.checkpointing.value.mode,
    segment,
    segmentInCode,
    budget: changed.size === 0 ? budgetInCode : estimate(shape, runShape(run), segment),
    budgetInCode,
    paperUnits: budgetInCode.paper.strategies.length === 0 ? [] : unitsBySegment(layers),
    units: state.units,
    open: state.open,
  };
}

const unitsBySegment = (layers: number): readonly number[] =>
  Array.from({ length: layers }, (_, index) => fullUnits(layers, index + 1));

function tryInRun(run: RunSettings, whatIf: WhatIf): RunSettings {
  return {
    ...run,
    batch: chosen(run.batch, whatIf.batch),
    sequence: chosen(run.sequence, whatIf.sequence),
    dataType: chosen(run.dataType, whatIf.dataType),
    attention: chosen(run.attention, whatIf.attention),
    // Autocast to fp32 does nothing, so trying fp32 means plain fp32 training.
    autocast: whatIf.dataType === 'fp32' ? chosen(run.autocast, false) : run.autocast,
  };
}

const chosen = <T>(fact: Fact<T>, value: T | undefined): Fact<T> =>
  value === undefined || value === fact.value ? fact : { value, origin: { kind: 'chosen', by: 'the panel' } };

function changedFields(
  facts: RunFacts,
  whatIf: WhatIf,
  segment: number,
  segmentInCode: number,
): ReadonlySet<WhatIfField> {
  const changed = new Set<WhatIfField>();
  for (const field of ['batch', 'sequence', 'dataType', 'attention'] as const) {
    if (whatIf[field] !== undefined && whatIf[field] !== facts.run[field].value) changed.add(field);
  }
  if (segment !== segmentInCode) changed.add('segment');
  return changed;
}
