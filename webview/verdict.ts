import type { StrategyName } from '../server/core/budget/account.ts';
import { fitSentence } from '../server/core/report/fitSentence.ts';
import { sizesAssumed } from '../server/core/total/sizesAssumed.ts';
import type { BudgetView, Whole } from './derive.ts';
import { deviceOf } from './deviceName.ts';
import { formatBytes, formatCount, formatExtra, formatShare, keepTogether } from './format.ts';
import { t } from './l10n.ts';
import { describeCheckpointing, strategyLabel } from './words.ts';

/** What a person reads first. */
export interface Headline {
  /** `Fits on A100 40 GB, 11.2 GB to spare`; where no device is chosen, what the step takes. */
  readonly verdict: string;
  readonly tone: 'fits' | 'tight' | 'over' | 'open';
  /** As the code stands, where what-ifs make it another. */
  readonly verdictInCode: string | undefined;
  /** `no checkpointing`, `full checkpointing, k = 4`. */
  readonly how: string;
  /** `Assumed: micro-batch 1, 1,024 tokens.`, where the numbers rest on sizes that no code says. */
  readonly assumed: string | undefined;
  readonly advice: readonly string[];
}

export function headline(view: BudgetView): Headline {
  const { whole, wholeInCode, changed, run } = view;
  const isChanged = changed.size > 0;
  return {
    verdict: whole === undefined ? withoutAccount(view) : verdictSentence(whole, view),
    tone: whole?.verdict?.outcome ?? 'open',
    verdictInCode: isChanged && wholeInCode !== undefined ? verdictSentence(wholeInCode, view) : undefined,
    how: describeCheckpointing(run.checkpointing.value),
    assumed: assumedSizes(view),
    advice: advice(view).map(keepTogether),
  };
}

function verdictSentence({ verdict, now }: Whole, { units }: BudgetView): string {
  if (verdict === undefined) return t('Takes {0} at its peak', formatBytes(now.range.expected, units));
  return fitSentence(verdict, deviceOf(verdict.device, units), (count) => formatBytes(count, units), t);
}

function assumedSizes({ model, run }: BudgetView): string | undefined {
  const { batch, sequence } = sizesAssumed(model, run);
  const sizes = [
    ...(batch === undefined ? [] : [t('micro-batch {0}', formatCount(batch))]),
    ...(sequence === undefined ? [] : [t('{0} tokens', formatCount(sequence))]),
  ];
  return sizes.length === 0 ? undefined : keepTogether(t('Assumed: {0}', sizes.join(', ')));
}

function withoutAccount({ budget, problems, units, strategy }: BudgetView): string {
  if (problems.length > 0) return t('No total for these settings');
  if (budget.rough !== undefined) {
    const { none, full } = budget.rough;
    const { lowBytes, highBytes } = strategy === 'none' ? none : full;
    return t('Activations: {0} to {1}, a rough guess', formatBytes(lowBytes, units), formatBytes(highBytes, units));
  }
  return t('No estimate for this model');
}

/** One or two sentences on what checkpointing does here. */
function advice({ whole, strategy, units, run }: BudgetView): readonly string[] {
  if (whole === undefined) return [];
  const none = totalOf(whole, 'none');
  const full = totalOf(whole, 'full');
  if (none === undefined || full === undefined) return [];
  const now = whole.now.range.expected;
  const bytes = (count: number): string => formatBytes(count, units);
  const sentences: string[] = [];
  if (run.checkpointing.value.mode === 'none') {
    const saving = 1 - full.totalBytes / none.totalBytes;
    sentences.push(
      saving > worthSaying
        ? t(
            'Full checkpointing at k = {0} would take {1}: {2} less, for {3} work in a step.',
            full.segment,
            bytes(full.totalBytes),
            formatShare(saving),
            formatExtra(full.extraStep),
          )
        : t('Full checkpointing at k = {0} would save next to nothing.', full.segment),
    );
  } else if (1 - now / none.totalBytes > worthSaying) {
    const [less, saved] = [bytes(none.totalBytes), formatShare(1 - now / none.totalBytes)];
    sentences.push(
      whole.extraStep > 0
        ? t(
            'Without checkpointing it would take {0}: this saves {1} for {2} work in a step.',
            less,
            saved,
            formatExtra(whole.extraStep),
          )
        : t('Without checkpointing it would take {0}: this saves {1} and repeats no matrix product.', less, saved),
    );
  } else {
    sentences.push(
      t('Checkpointing saves next to nothing here: without it it would take {0}.', bytes(none.totalBytes)),
    );
  }
  const best = cheaperThatFits(whole, strategy);
  if (best !== undefined) {
    sentences.push(
      t('Cheapest strategy that fits: {0}, {1} work in a step.', strategyLabel(best.name), formatExtra(best.extraStep)),
    );
  }
  return sentences;
}

interface TotalOfStrategy {
  readonly name: StrategyName;
  readonly segment: number;
  readonly totalBytes: number;
  readonly extraStep: number;
}

function totalOf({ strategies }: Whole, name: StrategyName): TotalOfStrategy | undefined {
  const found = strategies.find((each) => each.name === name);
  return found && { ...found, totalBytes: found.total.range.expected };
}

/** Worth naming only where what runs now does not fit. */
function cheaperThatFits({ verdict, strategies }: Whole, strategy: StrategyName | undefined) {
  if (verdict === undefined || verdict.outcome === 'fits') return undefined;
  return strategies
    .filter((each) => each.verdict?.outcome === 'fits' && each.name !== strategy)
    .toSorted((a, b) => a.extraStep - b.extraStep)[0];
}

/** Differences below 2 % are within what an estimate can promise. */
const worthSaying = 0.02;

/** Why the curves have their lowest points where they have them; `paperBest` is absent where the paper has no account. */
export function curveReason({ budget, model, units }: BudgetView, paperBest: number | undefined): string {
  const account = budget.pytorch;
  if (account === undefined)
    return keepTogether(
      t('The paper counts a whole layer, A, for each boundary: lowest near k = √L, here {0}.', paperBest ?? 1),
    );
  if (paperBest === undefined) return keepTogether(t('Lowest at k = {0}.', account.bestSegment));
  const { boundaryBytes, layerBytes, bestSegment } = account;
  // Without the loss the optimum is √(L·X/A). Past that, longer segments help only by leaving fewer boundaries beside it.
  const layersOptimum = Math.sqrt((model.layers.value * boundaryBytes) / layerBytes);
  const lossDecides = bestSegment > Math.max(2, Math.ceil(layersOptimum));
  const bytes = (count: number): string => formatBytes(count, units);
  return keepTogether(
    [
      t(
        'In PyTorch a boundary keeps one layer input, X = {0}, only {1} of a layer’s A = {2}, so short segments win.',
        bytes(boundaryBytes),
        formatShare(boundaryBytes / layerBytes),
        bytes(layerBytes),
      ),
      lossDecides
        ? t('Up to k = {0} the loss, not the layers, sets the peak.', bestSegment)
        : t('Lowest at k = {0}.', bestSegment),
      t('The paper counts a whole A for each boundary, so its best k is near √L, here {0}.', paperBest),
      t(measuredStory),
    ].join(' '),
  );
}

/** Peaks of GPT-2-shaped models of 12 layers, measured with torch on every k. */
const measuredStory =
  'Measured on 12 layers with X/A = 0.0175, peaks in A were 1.33, 2.22, 3.18, 4.17, 6.15 and 12.13 for k = 1, 2, 3, 4, 6 and 12; the paper’s count says 13, 8, 7, 7, 8 and 13.';
