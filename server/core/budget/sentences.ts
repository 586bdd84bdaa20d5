import type { ModelShape, PaperAccount, PytorchAccount, PytorchStrategy, StrategyName } from './account.ts';
import { bestPaperSegment } from './paper.ts';

/** What the numbers of an account say, in short sentences without a full stop, the weightiest first. */
export function accountSentences(
  { layers }: ModelShape,
  account: PytorchAccount,
  paper: PaperAccount,
): readonly string[] {
  return [
    lossPhase(account),
    closeSegments(account),
    fusedAttention(account),
    doneAgain(account),
    paperAgainstPytorch(layers, account, paper),
  ].filter((sentence) => sentence !== undefined);
}

const strategyOf = (account: PytorchAccount, name: StrategyName): PytorchStrategy | undefined =>
  account.strategies.find((strategy) => strategy.name === name);

const percent = (share: number): string => `${Math.round(100 * share)} %`;

function lossPhase(account: PytorchAccount): string | undefined {
  const none = strategyOf(account, 'none');
  const full = strategyOf(account, 'full');
  if (full?.peakPhase === 'loss') {
    return `With full checkpointing the loss phase is the peak: the head and the loss outweigh a layer${longerSegments(account, full.peakBytes)}`;
  }
  return none?.peakPhase === 'loss'
    ? 'Without checkpointing the peak is in the loss: everything the layers keep is there when the loss is computed'
    : undefined;
}

/** Beside the loss stand the inputs of all segments: longer ones leave fewer, until a layer's replay outweighs the loss. */
function longerSegments({ peaksBySegment, bestSegment }: PytorchAccount, peakBytes: number): string {
  if (peaksBySegment.filter((peak) => peak <= peakBytes).length < 2) return '';
  const less = 1 - (peaksBySegment[bestSegment - 1] ?? peakBytes) / peakBytes;
  return less < 0.05
    ? ', so k hardly matters'
    : `; longer segments keep fewer inputs beside it, ${percent(less)} less activations at k = ${bestSegment}`;
}

/** Neighbouring segment lengths that are as good as the same. */
function closeSegments({ peaksBySegment, bestSegment }: PytorchAccount): string | undefined {
  const best = peaksBySegment[bestSegment - 1];
  const next = peaksBySegment[bestSegment];
  if (best === undefined || next === undefined || best === 0) return undefined;
  const share = next / best - 1;
  const difference = share < 0.005 ? 'less than 1 %' : percent(share);
  return share < 0.05
    ? `Activations peak lowest at k = ${bestSegment}; k = ${bestSegment + 1} is ${difference} above`
    : undefined;
}

function fusedAttention(account: PytorchAccount): string | undefined {
  const selective = strategyOf(account, 'selective');
  const hasAttention = account.layerParts.some(({ key }) => key === 'attention-scores');
  if (selective === undefined || !hasAttention) return undefined;
  if (account.fusesAttention)
    return `Attention is fused and keeps no scores: recomputing the attention core saves ${percent(Math.max(0, selective.saving))}`;
  const full = strategyOf(account, 'full');
  return full !== undefined && selective.saving > 0.5 * full.saving
    ? `Recomputing the attention core alone saves ${percent(selective.saving)} for ${percent(selective.extraForward)} of a forward pass; fused attention would save it for nothing`
    : undefined;
}

function doneAgain(account: PytorchAccount): string | undefined {
  const full = strategyOf(account, 'full');
  return full !== undefined && full.extraForward > 0 && full.extraForward < 0.995
    ? `Full checkpointing does ${percent(full.extraForward)} of a forward pass again: the head is in no checkpoint, and a replay stops at the last tensor it needs`
    : undefined;
}

function paperAgainstPytorch(layers: number, account: PytorchAccount, paper: PaperAccount): string | undefined {
  const inPaper = paper.strategies.find(({ name }) => name === 'full');
  if (inPaper === undefined || account.layerBytes === 0 || layers < 4) return undefined;
  const boundary = account.boundaryBytes / account.layerBytes;
  const inThePaper = bestPaperSegment(layers);
  if (account.bestSegment >= inThePaper) return undefined;
  return `The paper charges every stored boundary a whole layer; PyTorch keeps its input, ${percent(boundary)} of one, so short segments win here: k = ${account.bestSegment}, not ${inThePaper}`;
}
