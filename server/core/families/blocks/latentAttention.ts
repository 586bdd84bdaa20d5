import type { ModelShape, RunShape } from '../../budget/account.ts';
import { pad } from '../../graph/arrangement.ts';
import { cast } from '../../graph/elementwise.ts';
import type { GraphBuilder } from '../../graph/graph.ts';
import { linear } from '../../graph/products.ts';
import { concatenate, expand, slice, splitInto, transpose, view } from '../../graph/shapes.ts';
import { size, type Tensor } from '../../graph/tensor.ts';
import { attentionCore, attentionKernel, type Heads } from './attention.ts';
import { llamaNorm } from './norms.ts';
import { joinedHeads } from './selfAttention.ts';

/** Widths of multi-head latent attention, under the names of DeepSeek's papers in words. */
export interface LatentWidths {
  /** Of the compressed queries; null where queries are not compressed. */
  readonly queryRank: number | null;
  /** Of the compressed keys and values. */
  readonly keyValueRank: number;
  /** The part of a query or key that is turned by its position; all heads share one such key. */
  readonly rotary: number;
  /** The part that is not. */
  readonly plain: number;
  readonly value: number;
}

/** DeepSeek's attention: keys and values of all heads come out of one narrow vector for each token. */
export function latentAttention(
  graph: GraphBuilder,
  model: ModelShape,
  run: RunShape,
  input: Tensor,
  widths: LatentWidths,
  rotate: (input: Tensor) => Tensor,
): Tensor {
  const [batch, sequence] = [size(input, 0), size(input, 1)];
  const asHeads = (projected: Tensor, width: number): Tensor =>
    transpose(graph, view(graph, projected, [batch, sequence, model.heads, width]), 1, 2);

  const queries = asHeads(compressedQueries(graph, model, run, input, widths), widths.plain + widths.rotary);
  const [plainQuery = queries, turningQuery = queries] = splitInto(graph, queries, [widths.plain, widths.rotary]);
  const compressed = linear(graph, input, widths.keyValueRank + widths.rotary, model.bias, 'kv_a_proj_with_mqa');
  const [narrow = input, turningKey = input] = splitInto(graph, compressed, [widths.keyValueRank, widths.rotary]);
  const latent = view(graph, llamaNorm(graph, run, narrow), [batch, 1, sequence, widths.keyValueRank]);
  const queryTurned = rotate(turningQuery);
  const keyTurned = rotate(view(graph, turningKey, [batch, 1, sequence, widths.rotary]));
  const query = concatenate(graph, [plainQuery, queryTurned]);

  const wide = linear(graph, latent, model.heads * (widths.plain + widths.value), false, 'kv_b_proj');
  const [plainKey = wide, value = wide] = splitInto(graph, asHeads(wide, widths.plain + widths.value), [
    widths.plain,
    widths.value,
  ]);
  const shared = expand(graph, keyTurned, [batch, model.heads, sequence, widths.rotary]);
  const key = concatenate(graph, [plainKey, cast(graph, shared, plainKey.elementType)]);
  const core = graph.within('attention-scores', () => latentCore(graph, run, { query, key, value }));
  return linear(graph, joinedHeads(graph, run, core), model.hidden, model.bias, 'o_proj');
}

function compressedQueries(
  graph: GraphBuilder,
  model: ModelShape,
  run: RunShape,
  input: Tensor,
  { queryRank, plain, rotary }: LatentWidths,
): Tensor {
  const width = model.heads * (plain + rotary);
  if (queryRank === null) return linear(graph, input, width, false, 'q_proj');
  const narrow = linear(graph, input, queryRank, model.bias, 'q_a_proj');
  return linear(graph, llamaNorm(graph, run, narrow), width, false, 'q_b_proj');
}

/**
 * FlashAttention wants values as wide as queries: scaled_dot_product_attention takes the memory-efficient kernel where they
 * are not, and transformers' `flash_attention_2` pads the values and cuts the result.
 */
function latentCore(graph: GraphBuilder, run: RunShape, heads: Heads): Tensor {
  const missing = size(heads.query, -1) - size(heads.value, -1);
  if (missing === 0 || attentionKernel(run) !== 'flash') return attentionCore(graph, run, heads, 'fp32');
  if (run.attention !== 'flash') return attentionCore(graph, { ...run, attention: 'efficient' }, heads, 'fp32');
  const padded = attentionCore(graph, run, { ...heads, value: pad(graph, heads.value, [0, missing]) }, 'fp32');
  return slice(graph, padded, -1, size(heads.value, -1));
}
