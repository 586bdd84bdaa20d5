import type { ModelShape, RunShape } from '../../budget/account.ts';
import type { GraphBuilder } from '../../graph/graph.ts';
import { rmsNorm } from '../../graph/norms.ts';
import { flashAttention, linear } from '../../graph/products.ts';
import { transpose, view } from '../../graph/shapes.ts';
import type { Tensor } from '../../graph/tensor.ts';
import { plainLoss, runDecoder } from '../blocks/decoder.ts';
import { gatedMlp, referenceNames } from '../blocks/mlp.ts';
import { preNormLayer } from '../blocks/preNormLayer.ts';
import { groupedHeadsProblem, rotaryProblem } from '../blocks/problems.ts';
import { complexRotated, complexTable } from '../blocks/rotary.ts';
import { joinedHeads } from '../blocks/selfAttention.ts';
import type { Family } from '../family.ts';

/**
 * torchtitan's Llama 3: torch's fused RMSNorm, complex rotary positions, grouped heads as they are. All its attention kernels
 * (flex, varlen) keep what FlashAttention keeps, whatever the run asks for.
 */
export const family: Family = {
  name: 'torchtitan-llama',
  label: 'torchtitan Llama',
  configs: [],

  forward(builder, model, run) {
    const table = complexTable(builder, model.headDimension);
    runDecoder(builder, model, {
      names: { embeddings: 'tok_embeddings', layers: 'layers' },
      layer: (graph, input) =>
        preNormLayer(graph, input, {
          norm: (hidden) => rmsNorm(graph, hidden),
          attention: (hidden) => attention(graph, model, run, hidden, table),
          mlp: (hidden) => gatedMlp(graph, model, hidden, { names: referenceNames, fused: run.fused?.mlp }),
        }),
      finalNorm: (graph, input) => rmsNorm(graph, input),
      loss: plainLoss,
    });
  },

  attention: () => 'flash',

  problem: (model) => groupedHeadsProblem(model) ?? rotaryProblem(model.headDimension),
};

/** One projection for all three, or three: queries, keys and values end up in storages of their own. */
function attention(graph: GraphBuilder, model: ModelShape, run: RunShape, input: Tensor, table: Tensor): Tensor {
  const rows = (name: string, count: number): Tensor => {
    const projected = linear(graph, input, count * model.headDimension, model.bias, name);
    return view(graph, projected, [run.batch, run.sequence, count, model.headDimension]);
  };
  const ahead = (each: Tensor): Tensor => transpose(graph, each, 1, 2);
  const query = ahead(complexRotated(graph, rows('wq', model.heads), table));
  const key = ahead(complexRotated(graph, rows('wk', model.keyValueHeads), table));
  const value = ahead(rows('wv', model.keyValueHeads));
  const core = graph.within('attention-scores', () => flashAttention(graph, query, key, value));
  return linear(graph, joinedHeads(graph, run, core), model.hidden, model.outputBias === true, 'wo');
}
