import type { PytorchAccount, RunShape } from '../../../server/core/budget/account.ts';
import rows from '../../goldens/measured-saved-bytes.json';
import { type Comparison, notCoveredLines, type Section, worstBar } from '../comparison.ts';
import { accountOf, plainRun, stepOf } from '../engine.ts';
import { shapeOfSavedRow } from '../shapeOfSavedRow.ts';

export interface SavedRow {
  readonly id: string;
  readonly library: string;
  readonly model: string;
  readonly config: Readonly<Record<string, unknown>>;
  readonly batch: number;
  readonly sequence: number;
  readonly dataType: string;
  readonly attention?: string;
  readonly dropout: number;
  /** `cuda`, or `raw`: what the CPU's and the meta device's own kernels keep. */
  readonly semantics: string;
  readonly layersBytes?: readonly number[];
  readonly layerBytes?: number;
  readonly outsideBytes?: number;
  readonly totalBytes: number;
}

export const savedRows = rows as unknown as readonly SavedRow[];

/** What autograd keeps, measured with torch's own hooks on whole models: equal to the byte or not covered. */
export function savedBytes(): Section {
  const comparisons = savedRows.flatMap(compare);
  const of = (what: string): readonly Comparison[] => comparisons.filter(({ id }) => id.endsWith(`, ${what}`));
  return {
    title: 'Saved for backward',
    comparisons,
    bars: [
      worstBar('layers, to the byte', of('layer'), 0),
      worstBar('outside the layers, to the byte', of('outside'), 0),
      worstBar('in total, to the byte', of('total'), 0),
    ],
    details: notCoveredLines(comparisons.filter(({ id }) => id.endsWith(', total'))),
  };
}

function compare(row: SavedRow): readonly Comparison[] {
  const account = accountOfSavedRow(row);
  const comparison = (what: string, expected: number, ours: (account: PytorchAccount) => number): Comparison => ({
    id: `${row.id}, ${what}`,
    expected,
    unit: 'B',
    ours: typeof account === 'string' ? { notCovered: account } : { value: ours(account) },
  });
  const layers = row.layersBytes?.map((expected, at) =>
    comparison(`layer ${at}, layer`, expected, ({ layersBytes }) => layersBytes[at] ?? 0),
  );
  return [
    ...(layers ?? []),
    ...(layers || row.layerBytes === undefined
      ? []
      : [comparison('layer', row.layerBytes, ({ layerBytes }) => layerBytes)]),
    ...(row.outsideBytes === undefined
      ? []
      : [comparison('outside', row.outsideBytes, (each) => outsideOf(each, row.layersBytes?.length ?? 0))]),
    comparison('total', row.totalBytes, (each) =>
      // Layers without a model around them: the input is the caller's and not counted.
      isBare(row) ? each.layersBytes.reduce((sum, bytes) => sum + bytes, -keptInputBytes(row)) : each.savedBytes,
    ),
  ];
}

/** The rows of models with two stacks name the layers of the encoder; its decoder is outside of them. */
export const outsideOf = ({ layersBytes, savedBytes }: PytorchAccount, layers: number): number =>
  layersBytes.slice(0, layers).reduce((left, bytes) => left - bytes, savedBytes);

const isBare = ({ library }: SavedRow): boolean => library === 'torch';

/** Of the first layer's input, if that layer keeps it. */
function keptInputBytes(row: SavedRow): number {
  const step = stepOf(shapeOfSavedRow(row), runOfSavedRow(row));
  const first = typeof step === 'string' ? undefined : step.units.find(({ isLayer }) => isLayer)?.memory;
  return first?.keepsInput ? first.inputBytes : 0;
}

export function accountOfSavedRow(row: SavedRow): PytorchAccount | string {
  const known = accounts.get(row) ?? computedAccount(row);
  accounts.set(row, known);
  return known;
}

/** Several sections ask for the same rows. */
const accounts = new Map<SavedRow, PytorchAccount | string>();

function computedAccount(row: SavedRow): PytorchAccount | string {
  if (row.semantics !== 'cuda' && !composed.includes(row.model)) {
    return "kernels of the CPU and the meta device, which keep other tensors than CUDA's";
  }
  return accountOf(shapeOfSavedRow(row), runOfSavedRow(row));
}

/** Recurrent layers that the meta device composes of operations with an account. */
const composed: readonly string[] = ['nn.LSTM-4x1024-meta', 'nn.LSTMCell-4x1024-unrolled64'];

const runOfSavedRow = (row: SavedRow): RunShape => ({
  ...plainRun,
  batch: row.batch,
  sequence: row.sequence,
  dataType: row.dataType as RunShape['dataType'],
  attention: (row.attention ?? 'sdpa') as RunShape['attention'],
  dropout: row.dropout,
});
