import type { ByteRange, PaperAccount, PytorchAccount, RoughAccount, StrategyName } from '../budget/account.ts';
import { bestPaperSegment } from '../budget/paper.ts';
import { strategyOf } from '../budget/strategyNow.ts';
import type { CheckpointingNow } from '../facts/facts.ts';
import { type BudgetReport, reportedFacts } from './budgetReport.ts';
import { factLabel, factValueText } from './factWords.ts';
import { originText } from './originText.ts';
import { plain } from './plain.ts';
import { bytesText, parametersText, shareText, unitsText } from './quantities.ts';
import { table } from './table.ts';
import { totalText } from './totalText.ts';

/** `budget --format text`: every value with its source, then the two accounts, PyTorch's first. */
export function budgetText(report: BudgetReport): string {
  const { model, run, budget, assessment, advice, notes } = report;
  const now = run.checkpointing.value;
  const hasPaper = budget.paper.strategies.length > 0;
  const sections = [
    `${plain(model.name.value)} (${plain(originText(model.name.origin))})\n${factTable(report)}`,
    budget.pytorch && pytorchSection(budget.pytorch, now),
    budget.rough && roughSection(budget.rough),
    assessment && totalText(assessment, advice),
    hasPaper ? paperSection(budget.paper, model.layers.value, now) : undefined,
    notes.length === 0 ? undefined : `Notes\n${notes.map((note) => `  ${plain(note)}`).join('\n')}`,
    `${hasPaper ? 'The two accounts count' : 'The account counts'} activations only; the device counts everything. 1 GB = 1000 MB.`,
  ];
  return `${sections.filter((section) => section !== undefined).join('\n\n')}\n`;
}

const factTable = (report: BudgetReport): string =>
  table(
    reportedFacts(report)
      .filter(([field]) => field !== 'name')
      .map(([field, { value, origin }]) => [
        labels[field] ?? factLabel(field),
        plain(factValueText(value)),
        plain(originText(origin)),
      ]),
  );

/** The field's own words where the name in code is not yet that. */
const labels: Readonly<Record<string, string>> = {
  keyValueHeads: 'key/value heads',
  headDimension: 'head dimension',
  feedForward: 'feed-forward width',
  maximumSequence: 'longest sequence',
  tiedEmbeddings: 'tied embeddings',
  outputBias: 'output bias',
  feedForwardBias: 'feed-forward bias',
};

const strategyText = (name: StrategyName, segment: number): string =>
  name === 'none' ? 'none' : `${name}, k = ${segment}`;

function pytorchSection(account: PytorchAccount, now: CheckpointingNow): string {
  const best = account.peaksBySegment[account.bestSegment - 1];
  const sizes = [
    ['one layer', bytesText(account.layerBytes)],
    ['outside the layers', bytesText(account.outsideBytes)],
    ['kept for backward', bytesText(account.savedBytes)],
    ['parameters', parametersText(account.parameters)],
  ];
  const rows = account.strategies.map(({ name, label, segment, afterForwardBytes, peakBytes, saving, extraStep }) => [
    name === 'full' ? strategyText(name, segment) : label,
    bytesText(afterForwardBytes),
    bytesText(peakBytes),
    name === 'none' ? '' : shareText(saving),
    name === 'none' ? '' : shareText(extraStep),
    marker(name, now),
  ]);
  const header = ['checkpointing', 'after forward', 'peak', 'saving', 'extra of step', ''];
  const bestLine =
    best === undefined
      ? ''
      : `\n  Smallest peak of full checkpointing: ${bytesText(best)} at k = ${account.bestSegment}`;
  return `PyTorch: what autograd keeps, and the peak of a step\n${table(sizes, [1])}\n\n${table([header, ...rows], [1, 2, 3, 4])}${bestLine}`;
}

function roughSection({ none, full }: RoughAccount): string {
  const range = ({ lowBytes, highBytes }: ByteRange): string => `${bytesText(lowBytes)} to ${bytesText(highBytes)}`;
  const rows = [
    ['none', range(none)],
    ['full', range(full)],
  ];
  return `PyTorch, assumed: the peak of textbook blocks of these sizes, a quarter less to a quarter more\n${table(rows)}`;
}

function paperSection({ layerBytes, strategies }: PaperAccount, layers: number, now: CheckpointingNow): string {
  const rows = strategies.map(({ name, segment, units, peakBytes, saving, extraForward, extraStep }) => [
    strategyText(name, segment),
    unitsText(units),
    bytesText(peakBytes),
    name === 'none' ? '' : shareText(saving),
    name === 'none' ? '' : shareText(extraForward),
    name === 'none' ? '' : shareText(extraStep),
    marker(name, now),
  ]);
  const header = ['checkpointing', 'in layers', 'peak', 'saving', 'extra forward', 'extra of step', ''];
  return [
    'Paper: segments of k layers, each boundary charged as a whole layer, A = 34bsh + 5bs²a',
    `${table([['one layer, A', bytesText(layerBytes)]], [1])}\n`,
    table([header, ...rows], [1, 2, 3, 4, 5]),
    `  Smallest peak of full checkpointing: at k = ${bestPaperSegment(layers)}`,
  ].join('\n');
}

const marker = (name: StrategyName, now: CheckpointingNow): string => (name === strategyOf(now) ? '<- now' : '');
