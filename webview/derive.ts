import { type Budget, modelShape, type RunShape, runShape, type StrategyName } from '../server/core/budget/account.ts';
import { fullUnits } from '../server/core/budget/paper.ts';
import { planNow } from '../server/core/budget/planNow.ts';
import { strategyOf } from '../server/core/budget/strategyNow.ts';
import type { Device } from '../server/core/devices/device.ts';
import type { ModelFacts, RunFacts, RunSettings } from '../server/core/facts/facts.ts';
import type { ByteUnits } from '../server/core/report/quantities.ts';
import type { Problem } from '../server/core/states/problems.ts';
import type { Advice } from '../server/core/total/advise.ts';
import type { Assessment, AssessResult, Training } from '../server/core/total/assess.ts';
import { extraStepOf } from '../server/core/total/extraStep.ts';
import { trainingOf } from '../server/core/total/setupOfRun.ts';
import type { FileFacts, ServerHealth } from './protocol.ts';
import { type Compared, canUndo, type PanelState, whatIfOf } from './store.ts';
import { tryInRun, valuesInCode, type WhatIf, type WhatIfField } from './whatIf.ts';

/** What the panel shows, computed anew from its state on every change; the views only lay it out. */
export type PanelView = EmptyView | BudgetView;

/** No Python file yet, or one that says nothing about a model. */
export interface EmptyView {
  readonly kind: 'empty';
  readonly shown: FileFacts | undefined;
  /** Name of the document that is being read. */
  readonly awaited: string | undefined;
  readonly server: ServerHealth;
}

export interface BudgetView {
  readonly kind: 'budget';
  readonly shown: FileFacts;
  readonly server: ServerHealth;
  readonly model: ModelFacts;
  /** As the code says, with the what-ifs in it. */
  readonly run: RunSettings;
  /** As the code says. */
  readonly runInCode: RunSettings;
  /** What-ifs that differ from the code. */
  readonly changed: ReadonlySet<WhatIfField>;
  readonly canUndo: boolean;
  /** The strategy in force, what-if included; undefined where it is none of the table's. */
  readonly strategy: StrategyName | undefined;
  readonly strategyInCode: StrategyName | undefined;
  /** Layers in a segment, k, what-if included; never more than the model has layers. */
  readonly segment: number;
  readonly segmentInCode: number;
  readonly budget: Budget;
  readonly budgetInCode: Budget;
  /** Undefined where the person chose none. */
  readonly device: Device | undefined;
  /** Of everything on the device; undefined where the family has no account or the setting cannot be. */
  readonly whole: Whole | undefined;
  readonly wholeInCode: Whole | undefined;
  /** Why there is no `whole`. */
  readonly problems: readonly Problem[];
  readonly advice: Advised;
  /** Full checkpointing by the paper's count, in units of A, for every k = 1 … L; empty where the sizes allow no account. */
  readonly paperUnits: readonly number[];
  readonly units: ByteUnits;
  readonly open: Readonly<Record<string, boolean>>;
  readonly compared: Compared;
}

export interface Whole extends Assessment {
  /** Share of a step that is done again as things stand. */
  readonly extraStep: number;
}

export interface Advised {
  /** The newest there is. */
  readonly advice: Advice | undefined;
  /** It is for the values before; the one for these is being computed. */
  readonly isPending: boolean;
}

/** What the numbers come from; the panel remembers answers, tests give round ones. */
export interface Computations {
  readonly estimate: (model: ReturnType<typeof modelShape>, run: RunShape, segment: number) => Budget;
  readonly assess: (training: Training, units: ByteUnits) => AssessResult;
  readonly advise: (training: Training, assessment: Assessment) => Advised;
}

export function derivePanel(state: PanelState, compute: Computations): PanelView {
  const { shown, awaited, server, units, device } = state;
  const facts = shown?.facts;
  if (shown === undefined || facts?.model === undefined) return { kind: 'empty', shown, awaited, server };
  const { model } = facts;
  const layers = Math.max(1, model.layers.value);
  const whatIf = whatIfOf(state);
  const inCode = facts.run;
  const run = tryInRun(inCode, whatIf);
  const segmentInCode = Math.min(inCode.checkpointing.value.segment, layers);
  const segment = Math.min(run.checkpointing.value.segment, layers);
  const changed = changedFields(facts, whatIf, segment === segmentInCode);
  const shape = modelShape(model);
  const budgetInCode = compute.estimate(shape, runShape(inCode), segmentInCode);
  const budget = changed.size === 0 ? budgetInCode : compute.estimate(shape, runShape(run), segment);
  const training = trainingOf(model, run, device);
  const { whole, problems } = wholeOf(budget, training, units, compute);
  return {
    kind: 'budget',
    shown,
    server,
    model,
    run,
    runInCode: inCode,
    changed,
    canUndo: canUndo(state),
    strategy: strategyOf(run.checkpointing.value),
    strategyInCode: strategyOf(inCode.checkpointing.value),
    segment,
    segmentInCode,
    budget,
    budgetInCode,
    device,
    whole,
    wholeInCode:
      changed.size === 0 ? whole : wholeOf(budgetInCode, trainingOf(model, inCode, device), units, compute).whole,
    problems,
    advice: whole === undefined ? noAdvice : compute.advise(training, whole),
    paperUnits: budgetInCode.paper.strategies.length === 0 ? [] : unitsBySegment(layers),
    units,
    open: state.open,
    compared: state.compared,
  };
}

const noAdvice: Advised = { advice: undefined, isPending: false };

function wholeOf(
  budget: Budget,
  training: Training,
  units: ByteUnits,
  compute: Computations,
): { readonly whole: Whole | undefined; readonly problems: readonly Problem[] } {
  if (budget.pytorch === undefined) return { whole: undefined, problems: [] };
  const { assessment, problems } = compute.assess(training, units);
  if (assessment === undefined) return { whole: undefined, problems };
  const { stage } = assessment.totals;
  return { whole: { ...assessment, extraStep: extraStepOf(stage, planNow(training.now, stage.layers)) }, problems };
}

const unitsBySegment = (layers: number): readonly number[] =>
  Array.from({ length: layers }, (_, index) => fullUnits(layers, index + 1));

function changedFields(facts: RunFacts, whatIf: WhatIf, sameSegment: boolean): ReadonlySet<WhatIfField> {
  const inCode: WhatIf = valuesInCode(facts.run);
  const fields = Object.keys(whatIf) as WhatIfField[];
  return new Set(fields.filter((field) => whatIf[field] !== inCode[field] && !(field === 'segment' && sameSegment)));
}
