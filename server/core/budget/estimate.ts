import { attentionKernel, isWrittenOut } from '../families/blocks/attention.ts';
import { familyNamed } from '../families/generated/registry.ts';
import { mostLayers } from '../families/modelBuilder.ts';
import type { Budget, ModelShape, PaperAccount, PytorchAccount, RunShape } from './account.ts';
import { paperAccount } from './paper.ts';
import { segmentLength } from './plan.ts';
import { pytorchAccount } from './pytorch.ts';
import { roughAccount } from './roughAccount.ts';
import { accountSentences } from './sentences.ts';

/**
 * Both accounts of a model and a run; `segment` is the segment length shown for checkpointing. Never throws: sizes that no
 * model can have give notes, an undefined PyTorch account and a paper account of zeros, which models of images always have.
 */
export function estimateBudget(model: ModelShape, run: RunShape, segment: number): Budget {
  const problems = sizeProblems(model, run);
  if (problems.length > 0) return { paper: emptyPaper, pytorch: undefined, notes: problems };
  const k = segmentLength(model.layers, segment);
  const family = familyNamed(model.family);
  // The paper counts by the sequence, which an image does not have.
  const paper = family?.readsImages ? emptyPaper : paperAccount(model, run, k);
  if (family === undefined) return unknownFamily(model, run, k, paper);
  const problem = family.problem(model, run);
  if (problem !== undefined) return { paper, pytorch: undefined, notes: [problem] };
  const attention = family.attention?.(run) ?? run.attention;
  const really = attention === run.attention ? run : { ...run, attention };
  const pytorch = pytorchAccount(model, really, k);
  if (pytorch === undefined || !isCountable(pytorch))
    return { paper, pytorch: undefined, notes: ['these sizes are too large to count'] };
  const notes = [...settingNotes(model, really, pytorch), ...accountSentences(model, pytorch, paper)];
  const other = `${family.label} has no ${run.attention} attention; ${attention} is what runs`;
  return { paper, pytorch, notes: attention === run.attention ? notes : [other, ...notes] };
}

function unknownFamily(model: ModelShape, run: RunShape, segment: number, paper: PaperAccount): Budget {
  const note = `no PyTorch account for ${model.family} models yet`;
  const rough = roughAccount(model, run, segment);
  if (rough === undefined || !Number.isSafeInteger(Math.ceil(rough.none.highBytes)))
    return { paper, pytorch: undefined, notes: [note] };
  const assumed = `${note}; the range is assumed from textbook blocks of these sizes, with a quarter on either side`;
  return { paper, pytorch: undefined, rough, notes: [assumed] };
}

const emptyPaper = { layerBytes: 0, parts: [], strategies: [] };

function sizeProblems(model: ModelShape, run: RunShape): readonly string[] {
  const counts: readonly (readonly [string, number])[] = [
    ['layers', model.layers],
    ['hidden size', model.hidden],
    ['heads', model.heads],
    ['key/value heads', model.keyValueHeads],
    ['head dimension', model.headDimension],
    ['feed-forward width', model.feedForward],
    ['vocabulary', model.vocabulary],
    ['maximum sequence', model.maximumSequence],
    ['batch size', run.batch],
    ['sequence length', run.sequence],
  ];
  const problems = counts
    .filter(([, count]) => !(Number.isSafeInteger(count) && count > 0))
    .map(([name, count]) => `${name} is ${count}, not a positive whole number`);
  for (const [name, value] of Object.entries(model.settings ?? {})) {
    if (typeof value === 'number' && !(value >= 0)) problems.push(`${name} is ${value}, which no model has`);
  }
  if (model.layers > mostLayers)
    problems.push(`${model.layers} layers are more than the budget covers (${mostLayers})`);
  if (!(run.dropout >= 0 && run.dropout <= 1)) problems.push(`dropout is ${run.dropout}, not a probability`);
  return problems;
}

/** Whether a double holds every number of bytes exactly. */
const isCountable = (account: PytorchAccount): boolean =>
  [account.savedBytes, account.parameters, ...account.peaksBySegment].every(Number.isSafeInteger);

const groupedHeadsNotes = [
  'The memory-efficient kernel takes no grouped heads; keys and values are repeated for every query head',
  'scaled_dot_product_attention has no fused kernel for grouped heads in fp32: it is computed step by step and keeps its scores',
] as const;

function settingNotes(model: ModelShape, run: RunShape, { fusesAttention }: PytorchAccount): readonly string[] {
  const notes: string[] = [];
  const kernel = attentionKernel(run);
  if (run.attention === 'flash' && kernel !== 'flash' && fusesAttention) {
    notes.push('FlashAttention takes no fp32 tensors; the memory-efficient kernel is counted');
  }
  if (kernel === 'efficient' && model.keyValueHeads < model.heads) {
    const [repeated, writtenOut] = groupedHeadsNotes;
    if (fusesAttention) notes.push(repeated);
    else if (isWrittenOut(run, model.heads / model.keyValueHeads)) notes.push(writtenOut);
  }
  if (run.sequence > model.maximumSequence) {
    notes.push(`Sequence length ${run.sequence} is longer than the ${model.maximumSequence} positions of the model`);
  }
  return notes;
}
