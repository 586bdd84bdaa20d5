import type { ModelShape } from '../budget/account.ts';

/**
 * Number of parameters of a model, embeddings included, a tied head counted once. Equal to transformers' `num_parameters()`
 * for GPT-2 (learned positions, LayerNorm, two-matrix MLP) and Llama (RMSNorm, gated MLP without positions) shapes.
 */
export const parameterCount = (model: ModelShape): number =>
  model.layers * layerParameterCount(model) + outsideParameterCount(model);

/** Of one layer. */
export const layerParameterCount = (model: ModelShape): number =>
  model.family === 'gpt2' ? gpt2Layer(model) : llamaLayer(model);

/** Of embeddings, final norm and head. */
export function outsideParameterCount(model: ModelShape): number {
  const embeddings = model.vocabulary * model.hidden;
  const head = model.tiedEmbeddings ? 0 : embeddings;
  if (model.family === 'gpt2') {
    return embeddings + head + model.maximumSequence * model.hidden + layerNorm(model);
  }
  return embeddings + head + model.hidden;
}

const linear = (input: number, output: number, bias: boolean): number => input * output + (bias ? output : 0);

const layerNorm = (model: ModelShape): number => (model.bias ? 2 : 1) * model.hidden;

function gpt2Layer(model: ModelShape): number {
  const { hidden, feedForward, bias } = model;
  const attention = linear(hidden, 3 * hidden, bias) + linear(hidden, hidden, bias);
  const mlp = linear(hidden, feedForward, bias) + linear(feedForward, hidden, bias);
  return attention + mlp + 2 * layerNorm(model);
}

function llamaLayer(model: ModelShape): number {
  const { hidden, feedForward, bias } = model;
  const queries = model.heads * model.headDimension;
  const keys = model.keyValueHeads * model.headDimension;
  const attention =
    linear(hidden, queries, bias) + 2 * linear(hidden, keys, bias) + linear(queries, hidden, model.outputBias === true);
  const upwards = linear(hidden, feedForward, model.feedForwardBias === true);
  const downwards = linear(feedForward, hidden, model.feedForwardBias === true);
  return attention + 2 * upwards + downwards + 2 * hidden;
}
