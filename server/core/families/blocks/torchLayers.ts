import type { ModelShape, RunShape } from '../../budget/account.ts';
import { add, dropout } from '../../graph/elementwise.ts';
import type { GraphBuilder } from '../../graph/graph.ts';
import { linear } from '../../graph/products.ts';
import { layerNorm } from '../../graph/reductions.ts';
import { newTensor, type Shape, type Tensor } from '../../graph/tensor.ts';
import type { ConfigClassOfFamily } from '../configClass.ts';
import type { ModelBuilder } from '../modelBuilder.ts';
import { flagSetting } from '../settings.ts';
import { activated } from './activation.ts';
import { multiheadAttention } from './multiheadAttention.ts';

/** What the constructors of torch's transformer layers share; the hidden size and the heads have no defaults. */
export const torchLayerConfig = {
  library: 'torch',
  modelType: undefined,
  aliases: {},
  // Tokens and positions are the caller's, so that neither is limited here.
  fixed: { vocabulary: 1, maximumSequence: 1_048_576 },
  dropout: ['dropout'],
} as const satisfies Partial<ConfigClassOfFamily>;

export const torchLayerArguments = {
  hidden: 'd_model',
  heads: 'nhead',
  feedForward: 'dim_feedforward',
  activation: 'activation',
  bias: 'bias',
} as const;

export const torchLayerDefaults = { dim_feedforward: 2048, activation: 'relu', bias: true, dropout: 0.1 } as const;

export const torchLayerSettings = { batch_first: false, norm_first: false } as const;

/** `torch.nn.TransformerEncoderLayer` in training. */
export function torchEncoderLayer(graph: GraphBuilder, model: ModelShape, run: RunShape, input: Tensor): Tensor {
  const batchFirst = flagSetting(model, 'batch_first', false);
  const attended = sublayer(graph, model, run, input, 'attention-rest', (from) =>
    multiheadAttention(graph, model, run, from, { batchFirst }),
  );
  return sublayer(graph, model, run, attended, 'mlp', (from) => feedForward(graph, model, run, from));
}

/** `torch.nn.TransformerDecoderLayer` in training; `memory` is what the encoder made. */
export function torchDecoderLayer(
  graph: GraphBuilder,
  model: ModelShape,
  run: RunShape,
  input: Tensor,
  memory: Tensor,
): Tensor {
  const batchFirst = flagSetting(model, 'batch_first', false);
  const attended = sublayer(graph, model, run, input, 'attention-rest', (from) =>
    multiheadAttention(graph, model, run, from, { batchFirst }),
  );
  const crossed = sublayer(graph, model, run, attended, 'attention-rest', (from) =>
    multiheadAttention(graph, model, run, from, { batchFirst, memory }),
  );
  return sublayer(graph, model, run, crossed, 'mlp', (from) => feedForward(graph, model, run, from));
}

/** Hidden states that the caller hands in: `[batch, length, hidden]`, or `[length, batch, hidden]`. */
export function hiddenStates(builder: ModelBuilder, model: ModelShape, length: number): Tensor {
  const { run } = builder;
  const places: Shape = flagSetting(model, 'batch_first', false) ? [run.batch, length] : [length, run.batch];
  return newTensor([...places, model.hidden], builder.precision.weights, {
    role: 'input',
    requiresGradient: run.adapters === undefined && (run.frozenLayers ?? 0) === 0,
  });
}

/** Hands them to the first layer, which they are counted with if it keeps them. */
export const handedIn = (builder: ModelBuilder, name: string, states: Tensor): Tensor =>
  builder.outside(name, states, (_, input) => input);

/** `x + dropout(part(norm(x)))`, or the norm after the sum. */
function sublayer(
  graph: GraphBuilder,
  model: ModelShape,
  run: RunShape,
  input: Tensor,
  name: 'attention-rest' | 'mlp',
  part: (from: Tensor) => Tensor,
): Tensor {
  const norm = (from: Tensor): Tensor => graph.within('norms', () => layerNorm(graph, from, model.bias));
  const withRest = (from: Tensor): Tensor =>
    graph.within(name, () => add(graph, input, dropout(graph, part(from), run.dropout)));
  return flagSetting(model, 'norm_first', false) ? withRest(norm(input)) : norm(withRest(input));
}

function feedForward(graph: GraphBuilder, model: ModelShape, run: RunShape, input: Tensor): Tensor {
  const wide = activated(graph, model, linear(graph, input, model.feedForward, model.bias, 'linear1'));
  return linear(graph, dropout(graph, wide, run.dropout), model.hidden, model.bias, 'linear2');
}
