import { html, type TemplateResult } from 'lit/html.js';
import type { StrategyName } from '../../server/core/budget/account.ts';
import { readsImages } from '../../server/core/budget/readsImages.ts';
import type { BudgetView } from '../derive.ts';
import { formatCount, keepTogether } from '../format.ts';
import { t } from '../l10n.ts';
import { hasAttention, hasUnequalLayers } from '../modelKind.ts';
import { hasSegments } from '../whatIf.ts';
import { describeCheckpointing, strategyLabel } from '../words.ts';
import type { Actions } from './actions.ts';
import { type NumberControl, numberInput, select, slider } from './controls.ts';
import { trainingRows } from './trainingRows.ts';
import { type WhatIfRow, whatIfRow } from './whatIfRow.ts';

/** The run as detected, each value an input that tries another one, marked where it differs from the code. */
export function runSection(view: BudgetView, act: Actions): TemplateResult {
  const row = (parts: WhatIfRow) => whatIfRow(parts, view, act);
  return html`<ul class="facts run">${[...sizeRows(view, act), ...checkpointRows(view, act), ...trainingRows(view, act)].map(row)}</ul>`;
}

function sizeRows({ model, run, runInCode }: BudgetView, act: Actions): readonly WhatIfRow[] {
  const hasImages = readsImages(model.family.value);
  const batch: WhatIfRow = {
    field: 'batch',
    label: t('Micro-batch'),
    letter: 'b',
    inCode: runInCode.batch,
    valueInCode: formatCount(runInCode.batch.value),
    unit: hasImages ? t('images') : t('sequences'),
    control: numberInput(
      {
        field: 'batch',
        spoken: hasImages ? t('Micro-batch, in images') : t('Micro-batch, in sequences'),
        value: run.batch.value,
        largest: largestBatch,
      },
      act,
    ),
  };
  if (hasImages) return [batch];
  return [
    batch,
    {
      field: 'sequence',
      label: t('Sequence'),
      letter: 's',
      inCode: runInCode.sequence,
      valueInCode: formatCount(runInCode.sequence.value),
      unit: t('tokens'),
      control: numberInput(
        {
          field: 'sequence',
          spoken: t('Sequence length, in tokens'),
          value: run.sequence.value,
          largest: largestSequence,
        },
        act,
      ),
    },
  ];
}

function checkpointRows(view: BudgetView, act: Actions): readonly WhatIfRow[] {
  const { runInCode, model, run, strategy, strategyInCode } = view;
  const segment: NumberControl = {
    field: 'segment',
    spoken: t('Segment length k, in layers'),
    value: view.segment,
    largest: Math.max(1, model.layers.value),
  };
  const own = describeCheckpointing(runInCode.checkpointing.value);
  const options: readonly (readonly [StrategyName | 'own', string])[] = [
    // What the code does may be none of the strategies; then it is a choice of its own.
    ...(strategyInCode === undefined ? ([['own', own]] as const) : []),
    ...strategies
      .filter((name) => name !== 'selective' || name === strategy || name === strategyInCode || hasAttention(view))
      .map((name) => [name, strategyLabel(name)] as const),
  ];
  const hasLength = strategy === undefined ? run.checkpointing.value.mode === 'full' : hasSegments(strategy);
  return [
    {
      field: 'strategy',
      label: t('Checkpointing'),
      inCode: runInCode.checkpointing,
      valueInCode: strategyInCode === undefined ? own : strategyLabel(strategyInCode),
      control: select<StrategyName | 'own'>(
        {
          field: 'strategy',
          test: 'strategy',
          spoken: t('Checkpointing strategy'),
          options,
          value: strategy ?? 'own',
          changeOf: (name) => (name === 'own' ? {} : { strategy: name }),
        },
        act,
      ),
    },
    // Of a strategy with regions of its own size there is no length to try.
    ...(hasLength ? [segmentRow(view, segment, act)] : []),
  ];
}

function segmentRow(view: BudgetView, segment: NumberControl, act: Actions): WhatIfRow {
  // While the optimizer steps no activations are left, and no length of segments lowers what is there.
  const best = view.whole?.now.peak.phase === 'step' ? undefined : view.budget.pytorch?.bestSegment;
  const isOne = view.segment === 1;
  const blocks = hasUnequalLayers(view);
  return {
    field: 'segment',
    label: t('Segment'),
    letter: 'k',
    inCode: view.runInCode.checkpointing,
    valueInCode: String(view.segmentInCode),
    unit: blocks ? (isOne ? t('block') : t('blocks')) : isOne ? t('layer') : t('layers'),
    control: numberInput(segment, act),
    below: html`${slider(segment, act)}${best === undefined ? '' : bestSegment(best, view, act)}`,
  };
}

/** The length with the lowest peak, where one looks for it. */
function bestSegment(best: number, { segment }: BudgetView, act: Actions): TemplateResult {
  return segment === best
    ? html`<small data-test="segment-is-best">${keepTogether(t('Lowest peak: k = {0}', best))}</small>`
    : html`<button class="link" data-test="try-best-segment" title=${t('Try k = {0}', best)}
        @click=${() => act.tryOut({ segment: best })}><small>${keepTogether(t('Lowest peak: k = {0}', best))}</small></button>`;
}

const strategies: readonly StrategyName[] = [
  'none',
  'full',
  'selective',
  'every-second',
  'sequential',
  'policy',
  'policy-second',
  'offload',
];

/** Generous ends that keep a slip of the finger from asking for petabytes. */
const largestBatch = 65_536;
const largestSequence = 16_777_216;
