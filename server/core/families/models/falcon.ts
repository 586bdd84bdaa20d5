import type { ModelShape, RunShape } from '../../budget/account.ts';
import { add, dropout } from '../../graph/elementwise.ts';
import type { GraphBuilder } from '../../graph/graph.ts';
import { indexSelect } from '../../graph/indexing.ts';
import { linear, parameter } from '../../graph/products.ts';
import { layerNorm } from '../../graph/reductions.ts';
import { expand, slice, split, transpose, view } from '../../graph/shapes.ts';
import { newTensor, type Tensor } from '../../graph/tensor.ts';
import { activated } from '../blocks/activation.ts';
import { attentionCore, type Heads, plainAttention } from '../blocks/attention.ts';
import { runDecoder } from '../blocks/decoder.ts';
import { fullMask } from '../blocks/masks.ts';
import { groupedHeadsProblem, rotaryProblem, undividedHeadsProblem } from '../blocks/problems.ts';
import { type RotaryTables, rotaryTables, rotated } from '../blocks/rotary.ts';
import { asHeads, joinedHeads } from '../blocks/selfAttention.ts';
import type { Family } from '../family.ts';
import { dropoutOf, flagSetting, numberSetting } from '../settings.ts';

/**
 * Falcon: attention and MLP side by side. All query heads of the 7B share one key/value head; the larger ones repeat grouped
 * heads before attention. transformers makes the causal mask for every kernel but FlashAttention's own.
 */
export const family: Family = {
  name: 'falcon',
  label: 'Falcon',
  undivided: true,
  configs: [
    {
      name: 'FalconConfig',
      library: 'transformers',
      modelType: 'falcon',
      arguments: {
        layers: 'num_hidden_layers',
        hidden: 'hidden_size',
        heads: 'num_attention_heads',
        keyValueHeads: 'num_kv_heads',
        feedForward: 'ffn_hidden_size',
        vocabulary: 'vocab_size',
        maximumSequence: 'max_position_embeddings',
        activation: 'activation',
        tiedEmbeddings: 'tie_word_embeddings',
        bias: 'bias',
      },
      aliases: { n_embed: 'hidden_size', n_layer: 'num_hidden_layers', n_head: 'num_attention_heads' },
      defaults: {
        num_hidden_layers: 32,
        hidden_size: 4544,
        num_attention_heads: 71,
        num_kv_heads: null,
        ffn_hidden_size: null,
        vocab_size: 65024,
        max_position_embeddings: 2048,
        activation: 'gelu',
        tie_word_embeddings: true,
        bias: false,
        hidden_dropout: 0,
        attention_dropout: 0,
      },
      fixed: {},
      dropout: ['hidden_dropout', 'attention_dropout'],
      settings: {
        new_decoder_architecture: false,
        multi_query: true,
        parallel_attn: true,
        num_ln_in_parallel_attn: null,
        alibi: false,
      },
    },
  ],

  forward(builder, model, run) {
    const mask = fullMask(builder);
    const rotary = rotaryTables(builder, model.headDimension);
    runDecoder(builder, model, {
      names: { embeddings: 'transformer.word_embeddings', layers: 'transformer.h' },
      layer: (graph, input) =>
        layer(graph, model, run, input, (normed) => attention(graph, model, run, normed, rotary, mask)),
      finalNorm: (graph, input) => layerNorm(graph, input, true),
    });
  },

  problem: (model) =>
    flagSetting(model, 'alibi', false)
      ? 'Falcon with ALiBi (alibi) has no account yet'
      : (undividedHeadsProblem(model) ?? groupedHeadsProblem(model) ?? rotaryProblem(model.headDimension)),
};

const isGrouped = (model: ModelShape): boolean => flagSetting(model, 'new_decoder_architecture', false);
const sharesOneHead = (model: ModelShape): boolean => !isGrouped(model) && flagSetting(model, 'multi_query', true);

function layer(
  graph: GraphBuilder,
  model: ModelShape,
  run: RunShape,
  input: Tensor,
  attend: (normed: Tensor) => Tensor,
): Tensor {
  const norm = (hidden: Tensor): Tensor => graph.within('norms', () => layerNorm(graph, hidden, true));
  const fed = (hidden: Tensor): Tensor => {
    const wide = activated(graph, model, falconLinear(graph, model, hidden, model.feedForward, 'dense_h_to_4h'));
    return falconLinear(graph, model, wide, model.hidden, 'dense_4h_to_h');
  };
  const dropped = (hidden: Tensor, kind: string): Tensor => dropout(graph, hidden, dropoutOf(model, run, kind));
  const normed = norm(input);
  if (isGrouped(model) || flagSetting(model, 'parallel_attn', true)) {
    const hasTwoNorms = isGrouped(model) && numberSetting(model, 'num_ln_in_parallel_attn', 2) === 2;
    const normedForMlp = hasTwoNorms ? norm(input) : normed;
    const attended = graph.within('attention-rest', () => attend(normed));
    return graph.within('mlp', () =>
      add(graph, input, dropped(add(graph, fed(normedForMlp), attended), 'hidden_dropout')),
    );
  }
  const residual = graph.within('attention-rest', () =>
    add(graph, input, dropped(attend(normed), 'attention_dropout')),
  );
  const normedAgain = norm(residual);
  return graph.within('mlp', () => add(graph, residual, dropped(fed(normedAgain), 'hidden_dropout')));
}

/** No dropout in the attention core. */
function attention(
  graph: GraphBuilder,
  model: ModelShape,
  run: RunShape,
  input: Tensor,
  rotary: RotaryTables,
  mask: Tensor | undefined,
): Tensor {
  const heads = splitHeads(graph, model, run, input);
  const turned = { ...heads, query: rotated(graph, heads.query, rotary), key: rotated(graph, heads.key, rotary) };
  const core = graph.within('attention-scores', () =>
    mask && sharesOneHead(model)
      ? plainAttention(graph, turned)
      : attentionCore(graph, run, turned, undefined, { mask, dropout: 0 }),
  );
  return falconLinear(graph, model, joinedHeads(graph, run, core), model.hidden, 'dense');
}

function splitHeads(graph: GraphBuilder, model: ModelShape, run: RunShape, input: Tensor): Heads {
  const { heads, headDimension, hidden } = model;
  const { batch, sequence } = run;
  const project = (width: number): Tensor => falconLinear(graph, model, input, width, 'query_key_value');
  const ahead = (each: Tensor): Tensor => transpose(graph, each, 1, 2);
  const picked = (from: Tensor, dimension: number): Tensor =>
    indexSelect(graph, from, dimension, newTensor([1], 'int64'));
  if (isGrouped(model)) {
    const groups = heads / model.keyValueHeads;
    const shape = [batch, sequence, model.keyValueHeads, groups + 2, headDimension];
    const all = view(graph, project(hidden + 2 * model.keyValueHeads * headDimension), shape);
    const flat = (each: Tensor): Tensor => ahead(view(graph, each, [batch, sequence, heads, headDimension]));
    const repeated = (): Tensor => flat(expand(graph, picked(all, 3), shape.with(3, groups)));
    return { query: flat(slice(graph, all, 3, groups)), key: repeated(), value: repeated() };
  }
  if (sharesOneHead(model)) {
    const all = view(graph, project(hidden + 2 * headDimension), [batch, sequence, heads + 2, headDimension]);
    const one = (): Tensor => ahead(picked(all, 2));
    return { query: ahead(slice(graph, all, 2, heads)), key: one(), value: one() };
  }
  const triples = asHeads(graph, run, project(3 * hidden), 3 * headDimension);
  const [query = triples, key = triples, value = triples] = split(graph, triples, 3);
  return { query, key, value };
}

/** The bias is added after the product, which leaves autocast's low precision. */
function falconLinear(graph: GraphBuilder, model: ModelShape, input: Tensor, outputs: number, name: string): Tensor {
  const product = linear(graph, input, outputs, false, name);
  return model.bias ? add(graph, product, parameter(graph, outputs)) : product;
}
