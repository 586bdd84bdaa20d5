import type { ModelShape, RunShape } from '../../budget/account.ts';
import type { GraphBuilder } from '../../graph/graph.ts';
import { linear } from '../../graph/products.ts';
import type { Tensor } from '../../graph/tensor.ts';
import { attentionCore, type Heads } from './attention.ts';
import { type RotaryTables, rotated } from './rotary.ts';
import { joinedHeads } from './selfAttention.ts';

/** Causal attention of Llama and its like: queries and keys turned by their positions, then the core and `o_proj`. */
export function rotaryAttention(
  graph: GraphBuilder,
  model: ModelShape,
  run: RunShape,
  heads: Heads,
  rotary: RotaryTables,
  options: { readonly mask: Tensor | undefined; readonly outputBias: boolean },
): Tensor {
  const query = rotated(graph, heads.query, rotary);
  const key = rotated(graph, heads.key, rotary);
  const core = graph.within('attention-scores', () =>
    attentionCore(graph, run, { query, key, value: heads.value }, 'fp32', { mask: options.mask }),
  );
  return linear(graph, joinedHeads(graph, run, core), model.hidden, options.outputBias, 'o_proj');
}
