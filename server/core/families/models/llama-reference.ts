import type { ModelShape, RunShape } from '../../budget/account.ts';
import type { GraphBuilder } from '../../graph/graph.ts';
import { linear } from '../../graph/products.ts';
import { expand, transpose, view } from '../../graph/shapes.ts';
import { newTensor, size, type Tensor } from '../../graph/tensor.ts';
import { attentionCore, attentionKernel } from '../blocks/attention.ts';
import { plainLoss, runDecoder } from '../blocks/decoder.ts';
import { gatedMlp, referenceNames } from '../blocks/mlp.ts';
import { llamaNorm } from '../blocks/norms.ts';
import { preNormLayer } from '../blocks/preNormLayer.ts';
import { groupedHeadsProblem, rotaryProblem } from '../blocks/problems.ts';
import { complexRotated, complexTable } from '../blocks/rotary.ts';
import { joinedHeads } from '../blocks/selfAttention.ts';
import type { Family } from '../family.ts';

/**
 * Llama's reference code (`ModelArgs`) without its cache, as people train it: complex rotary positions over a table made
 * with the model, grouped heads repeated for every kernel, a loss outside the model.
 */
export const family: Family = {
  name: 'llama-reference',
  label: 'Llama reference',
  configs: [],

  forward(builder, model, run) {
    const table = complexTable(builder, model.headDimension);
    if (attentionKernel(run) === 'eager')
      builder.share(newTensor([run.sequence, run.sequence], builder.precision.weights));
    runDecoder(builder, model, {
      names: { embeddings: 'tok_embeddings', layers: 'layers' },
      layer: (graph, input) =>
        preNormLayer(graph, input, {
          norm: (hidden) => llamaNorm(graph, run, hidden),
          attention: (hidden) => attention(graph, model, run, hidden, table),
          mlp: (hidden) => gatedMlp(graph, model, hidden, { names: referenceNames, fused: run.fused?.mlp }),
        }),
      finalNorm: (graph, input) => llamaNorm(graph, run, input),
      loss: plainLoss,
    });
  },

  problem: (model) => groupedHeadsProblem(model) ?? rotaryProblem(model.headDimension),
};

function attention(graph: GraphBuilder, model: ModelShape, run: RunShape, input: Tensor, table: Tensor): Tensor {
  const rows = (name: string, count: number): Tensor => {
    const projected = linear(graph, input, count * model.headDimension, model.bias, name);
    return view(graph, projected, [run.batch, run.sequence, count, model.headDimension]);
  };
  const [plainQuery, plainKey] = [rows('wq', model.heads), rows('wk', model.keyValueHeads)];
  const plainValue = rows('wv', model.keyValueHeads);
  const query = transpose(graph, complexRotated(graph, plainQuery, table), 1, 2);
  const key = transpose(graph, repeated(graph, model, complexRotated(graph, plainKey, table)), 1, 2);
  const value = transpose(graph, repeated(graph, model, plainValue), 1, 2);
  const core = graph.within('attention-scores', () => attentionCore(graph, run, { query, key, value }, 'fp32'));
  return linear(graph, joinedHeads(graph, run, core), model.hidden, model.outputBias === true, 'wo');
}

/** `[batch, sequence, key/value heads, head]` with each head once for all of its query heads. */
function repeated(graph: GraphBuilder, model: ModelShape, input: Tensor): Tensor {
  const groups = model.heads / model.keyValueHeads;
  if (groups === 1) return input;
  const [batch, sequence, heads, width] = [size(input, 0), size(input, 1), size(input, 2), size(input, 3)];
  const seen = view(graph, input, [batch, sequence, heads, 1, width]);
  const wide = expand(graph, seen, [batch, sequence, heads, groups, width]);
  return view(graph, wide, [batch, sequence, heads * groups, width]);
}
