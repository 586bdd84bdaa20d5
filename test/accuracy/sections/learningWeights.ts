import type { ModelShape, PytorchAccount, RunShape } from '../../../server/core/budget/account.ts';
import rows from '../../goldens/learning-weights.json';
import { type Comparison, notCoveredLines, type Section, worstBar } from '../comparison.ts';
import { accountOf, plainRun, shapeOf } from '../engine.ts';

interface WeightsRow {
  readonly id: string;
  readonly model: string;
  readonly autocast: boolean;
  readonly attention: string;
  readonly dropout?: number;
  /** `full`, `frozen` (the first `frozenLayers`, or all) or `lora`. */
  readonly weights: string;
  readonly frozenLayers?: number;
  /** transformers' `enable_input_require_grads`: the embeddings' result needs a gradient though no weight before it learns. */
  readonly inputNeedsGradient?: boolean;
  /** Final norm and head are frozen while a layer learns. */
  readonly headFrozen?: boolean;
  readonly targets?: 'all-linear' | readonly string[];
  readonly rank?: number;
  readonly adapterDataType?: string;
  readonly layersBytes?: readonly number[];
  readonly layerBytes?: number;
  readonly outsideBytes?: number;
}

/** Adapters beside a frozen model, frozen layers, and autocast over fp32 weights. */
export function learningWeights(): Section {
  const comparisons = (rows as readonly WeightsRow[]).flatMap(compare);
  return {
    title: 'Adapters, frozen weights, autocast',
    comparisons,
    bars: [worstBar('kept by layers and outside of them', comparisons, 0.01)],
    details: notCoveredLines(comparisons),
  };
}

const models: Readonly<Record<string, ModelShape | string>> = {
  'llama3-8b': shapeOf({
    model_type: 'llama',
    hidden_size: 4096,
    num_attention_heads: 32,
    num_key_value_heads: 8,
    intermediate_size: 14336,
    num_hidden_layers: 3,
    vocab_size: 128256,
  }),
  'gpt2-small': shapeOf({ model_type: 'gpt2', n_embd: 768, n_head: 12, n_layer: 3, n_positions: 2048 }),
  'bert-base': shapeOf({ model_type: 'bert', num_hidden_layers: 3, max_position_embeddings: 2048 }),
};

function compare(row: WeightsRow): readonly Comparison[] {
  const account = weightsAccount(row);
  const comparison = (
    what: string,
    expected: number,
    ours: (account: PytorchAccount) => number,
    notCovered?: string,
  ): Comparison => ({
    id: `${row.id}: ${what}`,
    expected,
    unit: 'B',
    ours:
      typeof account === 'string' || notCovered !== undefined
        ? { notCovered: notCovered ?? String(account) }
        : { value: ours(account) },
  });
  const isHeadFrozen = row.headFrozen || (row.weights === 'frozen' && row.inputNeedsGradient);
  const outside = isHeadFrozen ? 'a frozen head over layers that gradients flow through' : undefined;
  return [
    ...(row.layersBytes ?? []).map((expected, at) =>
      comparison(`layer ${at}`, expected, ({ layersBytes }) => layersBytes[at] ?? 0),
    ),
    ...(row.layerBytes === undefined ? [] : [comparison('layer', row.layerBytes, ({ layerBytes }) => layerBytes)]),
    ...(row.outsideBytes === undefined
      ? []
      : [comparison('outside', row.outsideBytes, ({ outsideBytes }) => outsideBytes, outside)]),
  ];
}

function weightsAccount(row: WeightsRow): PytorchAccount | string {
  const run: RunShape = {
    ...plainRun,
    batch: 2,
    sequence: 512,
    autocast: row.autocast,
    attention: row.attention as RunShape['attention'],
    ...(row.weights === 'lora'
      ? {
          adapters: {
            rank: row.rank ?? 8,
            targets: row.targets ?? 'all-linear',
            dropout: row.dropout ?? 0,
            elementType: row.adapterDataType === 'bf16' ? 'bf16' : 'fp32',
          },
        }
      : { dropout: row.dropout ?? 0 }),
    ...(row.weights === 'frozen' ? { frozenLayers: row.frozenLayers ?? 3 } : {}),
    ...(row.inputNeedsGradient ? { inputRequiresGradient: true } : {}),
  };
  return accountOf(models[row.model] ?? `no model ${row.model}`, run);
}
