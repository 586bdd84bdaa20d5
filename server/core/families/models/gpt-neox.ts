import type { ModelShape, RunShape } from '../../budget/account.ts';
import { add, dropout } from '../../graph/elementwise.ts';
import type { GraphBuilder } from '../../graph/graph.ts';
import { linear } from '../../graph/products.ts';
import { layerNorm } from '../../graph/reductions.ts';
import { split } from '../../graph/shapes.ts';
import type { Tensor } from '../../graph/tensor.ts';
import { attentionCore } from '../blocks/attention.ts';
import { runDecoder } from '../blocks/decoder.ts';
import { causalMask } from '../blocks/masks.ts';
import { plainMlp } from '../blocks/mlp.ts';
import { rotaryProblem, undividedHeadsProblem } from '../blocks/problems.ts';
import { type RotaryTables, rotaryTables, rotatedInPart } from '../blocks/rotary.ts';
import { asHeads, joinedHeads } from '../blocks/selfAttention.ts';
import type { Family } from '../family.ts';
import { dropoutOf, flagSetting, numberSetting } from '../settings.ts';

/** Pythia and GPT-NeoX-20B: attention and MLP side by side over the same input, a quarter of each head rotated. */
export const family: Family = {
  name: 'gpt-neox',
  label: 'GPT-NeoX',
  configs: [
    {
      name: 'GPTNeoXConfig',
      library: 'transformers',
      modelType: 'gpt_neox',
      arguments: {
        layers: 'num_hidden_layers',
        hidden: 'hidden_size',
        heads: 'num_attention_heads',
        feedForward: 'intermediate_size',
        vocabulary: 'vocab_size',
        maximumSequence: 'max_position_embeddings',
        activation: 'hidden_act',
        tiedEmbeddings: 'tie_word_embeddings',
        bias: 'attention_bias',
      },
      aliases: { partial_rotary_factor: 'rotary_pct' },
      defaults: {
        num_hidden_layers: 44,
        hidden_size: 6144,
        num_attention_heads: 64,
        intermediate_size: 24576,
        vocab_size: 50432,
        max_position_embeddings: 2048,
        hidden_act: 'gelu',
        tie_word_embeddings: false,
        attention_bias: true,
        hidden_dropout: 0,
        attention_dropout: 0,
      },
      fixed: {},
      dropout: ['hidden_dropout', 'attention_dropout'],
      settings: { rotary_pct: 0.25, use_parallel_residual: true },
    },
  ],

  forward(builder, model, run) {
    causalMask(builder);
    const rotary = rotaryTables(builder, rotatedWidth(model));
    runDecoder(builder, model, {
      names: { embeddings: 'gpt_neox.embed_in', layers: 'gpt_neox.layers' },
      embedded: (graph, words) => dropout(graph, words, dropoutOf(model, run, 'hidden_dropout')),
      layer: (graph, input) => layer(graph, model, run, input, rotary),
      finalNorm: (graph, input) => layerNorm(graph, input, true),
    });
  },

  problem: (model) => undividedHeadsProblem(model) ?? rotaryProblem(rotatedWidth(model)),
};

const rotatedWidth = (model: ModelShape): number =>
  Math.floor(model.headDimension * numberSetting(model, 'rotary_pct', 0.25));

function layer(graph: GraphBuilder, model: ModelShape, run: RunShape, input: Tensor, rotary: RotaryTables): Tensor {
  const norm = (hidden: Tensor): Tensor => graph.within('norms', () => layerNorm(graph, hidden, true));
  const dropped = (hidden: Tensor): Tensor => dropout(graph, hidden, dropoutOf(model, run, 'hidden_dropout'));
  const fed = (hidden: Tensor): Tensor =>
    dropped(plainMlp(graph, model, hidden, true, { up: 'dense_h_to_4h', down: 'dense_4h_to_h' }));
  const normed = norm(input);
  const attended = graph.within('attention-rest', () => dropped(attention(graph, model, run, normed, rotary)));
  if (flagSetting(model, 'use_parallel_residual', true)) {
    const normedAgain = norm(input);
    return graph.within('mlp', () => add(graph, add(graph, fed(normedAgain), attended), input));
  }
  const residual = graph.within('attention-rest', () => add(graph, attended, input));
  const normedAgain = norm(residual);
  return graph.within('mlp', () => add(graph, fed(normedAgain), residual));
}

function attention(graph: GraphBuilder, model: ModelShape, run: RunShape, input: Tensor, rotary: RotaryTables): Tensor {
  const projected = linear(graph, input, 3 * model.heads * model.headDimension, model.bias, 'query_key_value');
  // Queries, keys and values of a head lie beside one another.
  const triples = asHeads(graph, run, projected, 3 * model.headDimension);
  const [plainQuery = triples, plainKey = triples, value = triples] = split(graph, triples, 3);
  const query = rotatedInPart(graph, plainQuery, rotary);
  const key = rotatedInPart(graph, plainKey, rotary);
  const core = graph.within('attention-scores', () =>
    attentionCore(graph, run, { query, key, value }, 'fp32', { dropout: dropoutOf(model, run, 'attention_dropout') }),
  );
  return linear(graph, joinedHeads(graph, run, core), model.hidden, model.bias, 'dense');
}
