import type { ModelShape, RunShape } from '../../../server/core/budget/account.ts';
import type { Step } from '../../../server/core/budget/step.ts';
import rows from '../../goldens/checkpoint-peaks.json';
import { type Comparison, notCoveredLines, type Section, worstBar } from '../comparison.ts';
import { metaRun, type Simulated, shapeOf, simulated, simulatedBare, stepOf, textbook } from '../engine.ts';
import { type PlanRow, planOf } from '../plans.ts';

export interface PeakRow extends PlanRow {
  readonly id: string;
  readonly model: string;
  readonly dropout: number;
  readonly layerBytes?: number;
  readonly boundaryBytes?: number;
  readonly afterForwardBytes?: number;
  readonly peakBytes?: number;
  readonly keptPerLayerBytes?: number;
  readonly peakMinusKeptBytes?: number;
}

export const peakRows = rows as readonly PeakRow[];

/** Live storages of whole steps under every kind of checkpointing, measured on real torch over the meta device. */
export function checkpointPeaks(): Section {
  const comparisons = peakRows.flatMap(compare);
  const of = (what: string): readonly Comparison[] => comparisons.filter(({ id }) => id.endsWith(`: ${what}`));
  return {
    title: 'Peaks under checkpointing',
    comparisons,
    bars: [
      worstBar('live after the forward pass, to the byte', of('after forward'), 0),
      worstBar('kept by a layer, to the byte', of('kept by a layer'), 0),
      worstBar('peaks', [...of('peak'), ...of('peak beside what is kept')], 0.02),
    ],
    details: notCoveredLines(of('peak')),
  };
}

function compare(row: PeakRow): readonly Comparison[] {
  const result = simulationOf(row);
  const comparison = (
    what: string,
    expected: number | undefined,
    ours: (result: Simulated) => number,
  ): readonly Comparison[] =>
    expected === undefined
      ? []
      : [
          {
            id: `${row.id}: ${what}`,
            expected,
            unit: 'B',
            ours: typeof result === 'string' ? { notCovered: result } : { value: ours(result) },
          },
        ];
  return [
    ...comparison('after forward', row.afterForwardBytes, ({ afterForwardBytes }) => afterForwardBytes),
    ...comparison('kept by a layer', row.keptPerLayerBytes, ({ keptPerLayerBytes }) => keptPerLayerBytes),
    ...comparison('peak', row.peakBytes, ({ peakBytes }) => peakBytes),
    ...comparison(
      'peak beside what is kept',
      row.peakMinusKeptBytes,
      ({ peakBytes, afterForwardBytes }) => peakBytes - afterForwardBytes,
    ),
  ];
}

interface PeakModel {
  readonly shape: ModelShape | string;
  readonly run: RunShape;
  /** Layers without a model around them. */
  readonly bare: boolean;
}

const llama = (layers: number, more: Readonly<Record<string, unknown>>): ModelShape | string =>
  shapeOf({ model_type: 'llama', hidden_size: 4096, num_attention_heads: 32, num_hidden_layers: layers, ...more });

const eager: RunShape = { ...metaRun, sequence: 1024, attention: 'eager' };
const models: Readonly<Record<string, PeakModel>> = {
  textbook: { shape: textbook(1024, 16, 12), run: eager, bare: true },
  'textbook-4096': { shape: textbook(4096, 32, 3), run: { ...eager, sequence: 2048 }, bare: true },
  'llama-7b': {
    shape: llama(32, { intermediate_size: 11008, vocab_size: 32000 }),
    run: { ...metaRun, sequence: 4096 },
    bare: false,
  },
  'llama3-8b-6': {
    shape: llama(6, { num_key_value_heads: 8, intermediate_size: 14336, vocab_size: 128256 }),
    run: { ...metaRun, sequence: 4096 },
    bare: false,
  },
};

const steps = new Map<string, Step | string>();

export function simulationOf(row: PeakRow): Simulated | string {
  const model = models[row.model];
  if (model === undefined) return `no model ${row.model}`;
  const key = `${row.model} ${row.dropout}`;
  const step = steps.get(key) ?? stepOf(model.shape, { ...model.run, dropout: row.dropout });
  steps.set(key, step);
  if (typeof step === 'string') return step;
  const plan = planOf(row, step.layers);
  if (typeof plan === 'string') return plan;
  return model.bare ? simulatedBare(step, plan) : simulated(step, plan);
}
