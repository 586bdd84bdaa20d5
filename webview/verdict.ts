import type { Budget, PytorchStrategy, StrategyName } from '../server/core/budget/account.ts';
import type { BudgetView } from './derive.ts';
import { formatBytes, formatCount, formatExtra, formatShare, keepTogether } from './format.ts';

/** What a person reads first. */
export interface Headline {
  /** Peak with the what-ifs in force; undefined where the sizes allow no estimate. */
  readonly peakBytes: number | undefined;
  /** Peak as the code stands, where what-ifs make it another. */
  readonly peakInCodeBytes: number | undefined;
  /** `no checkpointing`, `full checkpointing, k = 4`. */
  readonly how: string;
  readonly account: 'pytorch' | 'paper';
  readonly advice: readonly string[];
}

export function headline(view: BudgetView): Headline {
  const peakBytes = peakOf(view.budget, view.mode);
  return {
    peakBytes,
    peakInCodeBytes: view.changed.size === 0 ? undefined : peakOf(view.budgetInCode, view.mode),
    how: keepTogether(describeMode(view.mode, view.segment)),
    account: view.budget.pytorch === undefined ? 'paper' : 'pytorch',
    advice: advice(view).map(keepTogether),
  };
}

const peakOf = (budget: Budget, name: StrategyName): number | undefined =>
  (budget.pytorch ?? budget.paper).strategies.find((strategy) => strategy.name === name)?.peakBytes;

export function describeMode(mode: StrategyName, segment: number): string {
  if (mode === 'none') return 'no checkpointing';
  return mode === 'full' ? `full checkpointing, k = ${segment}` : 'selective checkpointing';
}

/** One or two sentences on what checkpointing does here; only the PyTorch account is good enough to advise from. */
function advice(view: BudgetView): readonly string[] {
  const account = view.budget.pytorch;
  const none = account?.strategies.find(({ name }) => name === 'none');
  const full = account?.strategies.find(({ name }) => name === 'full');
  const now = account?.strategies.find(({ name }) => name === view.mode);
  if (account === undefined || none === undefined || full === undefined || now === undefined) return [];
  const bytes = (count: number) => formatBytes(count, view.units);
  const sentences: string[] = [];
  if (view.mode !== 'none') {
    sentences.push(
      now.saving > worthSaying
        ? `Without checkpointing it would be ${bytes(none.peakBytes)}: this saves ${formatShare(now.saving)} for ${formatExtra(now.extraStep)} compute in a step.`
        : `It saves next to nothing here: without checkpointing it would be ${bytes(none.peakBytes)}.`,
    );
  } else if (full.saving > worthSaying) {
    sentences.push(
      `Full checkpointing at k = ${view.segment} would need ${bytes(full.peakBytes)}: ${formatShare(full.saving)} less, for ${formatExtra(full.extraStep)} compute in a step.`,
    );
  } else {
    sentences.push(`Full checkpointing at k = ${view.segment} would save next to nothing here.`);
  }
  const deciding: PytorchStrategy = view.mode === 'none' ? full : now;
  if (deciding.peakPhase === 'loss') {
    const tokens = formatCount(view.model.vocabulary.value);
    sentences.push(
      `That peak is in the loss (logits over ${tokens} tokens), which checkpointing layers does not touch.`,
    );
  }
  const best = account.peaksBySegment[account.bestSegment - 1];
  if (best !== undefined && best < full.peakBytes * (1 - worthSaying)) {
    sentences.push(`k = ${account.bestSegment} needs least, ${bytes(best)}.`);
  }
  return sentences;
}

/** Differences below 2 % are within what an estimate can promise. */
const worthSaying = 0.02;

/** Why the two curves have their lowest points where they have them. */
export function curveReason(view: BudgetView, paperBest: number): string {
  const account = view.budget.pytorch;
  if (account === undefined)
    return keepTogether(`The paper counts a whole layer, A, for each boundary: lowest near k = √L, here ${paperBest}.`);
  const { boundaryBytes, layerBytes, bestSegment } = account;
  // Without the loss the optimum is √(L·X/A). Past that, longer segments help only by leaving fewer boundaries beside it.
  const layersOptimum = Math.sqrt((view.model.layers.value * boundaryBytes) / layerBytes);
  const lossDecides = bestSegment > Math.max(2, Math.ceil(layersOptimum));
  const bytes = (count: number) => formatBytes(count, view.units);
  return keepTogether(
    `In PyTorch a boundary keeps one layer input, X = ${bytes(boundaryBytes)}, only ${formatShare(boundaryBytes / layerBytes)} ` +
      `of a layer’s A = ${bytes(layerBytes)}, so short segments win` +
      (lossDecides
        ? `; up to k = ${bestSegment} the loss, not the layers, sets the peak. `
        : `: k = ${bestSegment}. `) +
      `The paper counts a whole A for each boundary, hence k ≈ √L: ${paperBest}.`,
  );
}
