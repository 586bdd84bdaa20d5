import type { ModelShape, RunShape } from '../../budget/account.ts';
import { stack } from '../../graph/arrangement.ts';
import { add, cast, dropout, multiply, negate, scale } from '../../graph/elementwise.ts';
import type { GraphBuilder } from '../../graph/graph.ts';
import { gather } from '../../graph/indexing.ts';
import { flashAttention, linear, matrixProduct } from '../../graph/products.ts';
import { layerNorm, softmax } from '../../graph/reductions.ts';
import { concatenate, repeat, slice, split, transpose, view } from '../../graph/shapes.ts';
import { newTensor, size, type Tensor } from '../../graph/tensor.ts';
import type { Heads } from '../blocks/attention.ts';
import { runDecoder } from '../blocks/decoder.ts';
import { causalMask } from '../blocks/masks.ts';
import { plainMlp } from '../blocks/mlp.ts';
import { rotaryProblem, undividedHeadsProblem } from '../blocks/problems.ts';
import { sharePositions } from '../blocks/rotary.ts';
import { joinedHeads } from '../blocks/selfAttention.ts';
import type { Family } from '../family.ts';
import { dropoutOf, numberSetting } from '../settings.ts';

/**
 * GPT-J: attention and MLP side by side over one norm, rotary tables looked up again in every layer, scores in fp32.
 * transformers has eager attention and FlashAttention for it, so eager is counted where `sdpa` is asked for.
 */
export const family: Family = {
  name: 'gptj',
  label: 'GPT-J',
  configs: [
    {
      name: 'GPTJConfig',
      library: 'transformers',
      modelType: 'gptj',
      arguments: {
        layers: 'n_layer',
        hidden: 'n_embd',
        heads: 'n_head',
        feedForward: 'n_inner',
        vocabulary: 'vocab_size',
        maximumSequence: 'n_positions',
        activation: 'activation_function',
        tiedEmbeddings: 'tie_word_embeddings',
      },
      aliases: {
        hidden_size: 'n_embd',
        max_position_embeddings: 'n_positions',
        num_attention_heads: 'n_head',
        num_hidden_layers: 'n_layer',
      },
      defaults: {
        n_layer: 28,
        n_embd: 4096,
        n_head: 16,
        n_inner: null,
        vocab_size: 50400,
        n_positions: 2048,
        activation_function: 'gelu_new',
        tie_word_embeddings: false,
        resid_pdrop: 0,
        embd_pdrop: 0,
        attn_pdrop: 0,
      },
      fixed: { bias: true },
      dropout: ['resid_pdrop', 'embd_pdrop', 'attn_pdrop'],
      settings: { rotary_dim: 64 },
    },
  ],

  forward(builder, model, run) {
    causalMask(builder, isFlash(run) ? run : { ...run, attention: 'eager' });
    sharePositions(builder);
    runDecoder(builder, model, {
      names: { embeddings: 'transformer.wte', layers: 'transformer.h' },
      embedded: (graph, words) => dropout(graph, words, dropoutOf(model, run, 'embd_pdrop')),
      layer: (graph, input) => layer(graph, model, run, input),
      finalNorm: (graph, input) => layerNorm(graph, input, true),
      headBias: true,
    });
  },

  attention: (run) => (isFlash(run) ? 'flash' : 'eager'),

  problem: (model) => undividedHeadsProblem(model) ?? rotaryProblem(rotatedWidth(model)),
};

const isFlash = (run: RunShape): boolean => run.attention === 'flash' && run.dataType !== 'fp32';

const rotatedWidth = (model: ModelShape): number => numberSetting(model, 'rotary_dim', model.headDimension);

function layer(graph: GraphBuilder, model: ModelShape, run: RunShape, input: Tensor): Tensor {
  const dropped = (hidden: Tensor): Tensor => dropout(graph, hidden, dropoutOf(model, run, 'resid_pdrop'));
  const normed = graph.within('norms', () => layerNorm(graph, input, true));
  const attended = graph.within('attention-rest', () => dropped(attention(graph, model, run, normed)));
  return graph.within('mlp', () => {
    const fed = dropped(plainMlp(graph, model, normed, true, { up: 'fc_in', down: 'fc_out' }));
    return add(graph, add(graph, attended, fed), input);
  });
}

function attention(graph: GraphBuilder, model: ModelShape, run: RunShape, input: Tensor): Tensor {
  const heads = (name: string): Tensor => {
    const projected = linear(graph, input, model.heads * model.headDimension, false, name);
    return view(graph, projected, [run.batch, run.sequence, model.heads, model.headDimension]);
  };
  const [plainQuery, plainKey, plainValue] = [heads('q_proj'), heads('k_proj'), heads('v_proj')];
  const tables = positionTables(graph, model, run, plainKey);
  const key = transpose(graph, rotated(graph, plainKey, tables), 1, 2);
  const query = transpose(graph, rotated(graph, plainQuery, tables), 1, 2);
  const value = transpose(graph, plainValue, 1, 2);
  const core = graph.within('attention-scores', () =>
    isFlash(run)
      ? flashAttention(graph, query, key, value)
      : eagerAttention(graph, { query, key, value }, dropoutOf(model, run, 'attn_pdrop')),
  );
  return linear(graph, joinedHeads(graph, run, core), model.hidden, false, 'out_proj');
}

/** The product of queries and keys is in fp32, so both are copied for it. */
function eagerAttention(graph: GraphBuilder, { query, key, value }: Heads, probability: number): Tensor {
  const wideKey = cast(graph, key, 'fp32');
  const product = matrixProduct(graph, cast(graph, query, 'fp32'), transpose(graph, wideKey, -1, -2));
  const weights = cast(graph, softmax(graph, scale(graph, product)), value.elementType);
  return matrixProduct(graph, dropout(graph, weights, probability), value);
}

/**
 * Sines and cosines of the positions, `[1, sequence, 1, width / 2]` each. Every layer copies the table for all positions to
 * look them up.
 */
function positionTables(graph: GraphBuilder, model: ModelShape, run: RunShape, like: Tensor): readonly Tensor[] {
  const width = rotatedWidth(model);
  const all = repeat(graph, newTensor([1, model.maximumSequence, width], 'fp32', { role: 'input' }), [1, 1, 1]);
  const places = repeat(graph, newTensor([1, run.sequence, 1], 'int64', { role: 'input' }), [1, 1, width]);
  const found = cast(graph, gather(graph, all, places), like.elementType);
  return split(graph, found, 2).map((each) => view(graph, each, [1, run.sequence, 1, width / 2]));
}

/** Of `[batch, sequence, heads, head]` the first entries of each head rotated in pairs that lie beside one another. */
function rotated(graph: GraphBuilder, input: Tensor, [sines = input, cosines = input]: readonly Tensor[]): Tensor {
  const width = 2 * size(sines, -1);
  // Each number twice, copied again for queries and keys.
  const twice = (table: Tensor): Tensor => repeat(graph, table, [1, 1, 1, 2]);
  const [sine, cosine] = [twice(sines), twice(cosines)];
  const turning = slice(graph, input, -1, width);
  const turned = add(graph, multiply(graph, turning, cosine), multiply(graph, everyTwoTurned(graph, turning), sine));
  return concatenate(graph, [turned, slice(graph, input, -1, size(input, -1) - width)]);
}

function everyTwoTurned(graph: GraphBuilder, input: Tensor): Tensor {
  const half = size(input, -1) / 2;
  const [first, second] = [slice(graph, input, -1, half), slice(graph, input, -1, half)];
  return view(graph, stack(graph, [negate(graph, second), first], -1), input.shape);
}
