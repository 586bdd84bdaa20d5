import type { ModelShape, RunShape } from '../../budget/account.ts';
import type { GraphBuilder } from '../../graph/graph.ts';
import { linear } from '../../graph/products.ts';
import { layerNorm } from '../../graph/reductions.ts';
import type { Tensor } from '../../graph/tensor.ts';
import { attentionCore } from './attention.ts';
import { plainMlp } from './mlp.ts';
import { preNormLayer } from './preNormLayer.ts';
import { joinedHeads, projectedHeads } from './selfAttention.ts';

/** A layer of either of CLIP's towers. Whether places may look ahead makes no difference to what is kept. */
export const clipLayer = (graph: GraphBuilder, model: ModelShape, run: RunShape, input: Tensor): Tensor =>
  preNormLayer(graph, input, {
    norm: (each) => layerNorm(graph, each, true),
    attention: (each) => attention(graph, model, run, each),
    mlp: (each) => plainMlp(graph, model, each, true, { up: 'fc1', down: 'fc2' }),
  });

function attention(graph: GraphBuilder, model: ModelShape, run: RunShape, input: Tensor): Tensor {
  const heads = projectedHeads(graph, model, run, input);
  const core = graph.within('attention-scores', () => attentionCore(graph, run, heads, 'fp32'));
  return linear(graph, joinedHeads(graph, run, core), model.hidden, true, 'out_proj');
}
