import type { Budget, ModelShape, PytorchAccount, RunShape } from '../../server/core/budget/account.ts';
import { estimateBudget } from '../../server/core/budget/estimate.ts';
import { readHfConfig } from '../../server/core/families/hfConfig.ts';

/**
 * The way from a row to the product's own numbers. Rows name a model as its library does, so they go through the same reading
 * of configurations as a user's `config.json`. A sentence instead of a result says why there is none.
 */
export function shapeOf(config: Readonly<Record<string, unknown>>): ModelShape | string {
  const { shape, problems } = readHfConfig(config);
  return problems[0] ?? shape ?? 'no account';
}

export function accountOf(shape: ModelShape | string, run: RunShape, segment = 1): PytorchAccount | string {
  if (typeof shape === 'string') return shape;
  const budget: Budget = estimateBudget(shape, run, segment);
  return budget.pytorch ?? budget.notes[0] ?? 'no account';
}

/** A run in bf16 with fused attention; rows name what is different. */
export const plainRun: RunShape = {
  batch: 1,
  sequence: 2048,
  dataType: 'bf16',
  autocast: false,
  attention: 'sdpa',
  dropout: 0,
};

/** The GPT block of the literature in a model of bare layers: no vocabulary to speak of, gelu as one operation. */
export const textbook = (hidden: number, heads: number, layers: number): ModelShape | string =>
  shapeOf({
    model_type: 'gpt2',
    n_embd: hidden,
    n_head: heads,
    n_layer: layers,
    n_positions: 65536,
    vocab_size: 1,
    activation_function: 'gelu',
  });
