import type { ModelShape } from '../budget/account.ts';
import type { ModelWeights, WeightTensor } from './weights.ts';

/**
 * Every weight of a GPT-2 or Llama shape as transformers lays it out, all trainable. Tensor parallelism cuts query, key,
 * value, gate and up projections by their outputs, output and down projections by their inputs (Megatron-LM), embeddings and
 * head by the vocabulary; norms and the biases of output projections stay whole. The total equals `parameterCount`.
 */
export function transformerWeights(model: ModelShape): ModelWeights {
  const { vocabulary, hidden } = model;
  const isGpt2 = model.family === 'gpt2';
  const embedding: WeightTensor = {
    ...weight('embed_tokens.weight', [vocabulary, hidden], 'embedding', 0),
    ...(model.tiedEmbeddings ? { tiedToHead: true } : {}),
  };
  const positions = weight('position_embeddings.weight', [model.maximumSequence, hidden], 'embedding');
  const head = weight('lm_head.weight', [vocabulary, hidden], 'head', 0);
  const norm = (name: string): readonly WeightTensor[] => normTensors(name, hidden, isGpt2 && model.bias);
  return {
    units: [
      { name: 'embedding', place: 'before', repeats: 1, tensors: isGpt2 ? [embedding, positions] : [embedding] },
      {
        name: 'layer',
        place: 'layers',
        repeats: model.layers,
        tensors: isGpt2
          ? [...norm('ln_1'), ...norm('ln_2'), ...gpt2Linears(model)]
          : [...norm('input_layernorm'), ...norm('post_attention_layernorm'), ...llamaLinears(model)],
      },
      {
        name: 'head',
        place: 'after',
        repeats: 1,
        tensors: model.tiedEmbeddings ? norm('norm') : [...norm('norm'), head],
      },
    ],
  };
}

const weight = (
  name: string,
  shape: readonly number[],
  role: WeightTensor['role'],
  tensorParallelDimension?: number,
): WeightTensor => ({
  name,
  shape,
  role,
  trainable: true,
  ...(tensorParallelDimension === undefined ? {} : { tensorParallelDimension }),
});

const normTensors = (name: string, hidden: number, bias: boolean): readonly WeightTensor[] => [
  weight(`${name}.weight`, [hidden], 'other'),
  ...(bias ? [weight(`${name}.bias`, [hidden], 'other')] : []),
];

/** transformers' Conv1D keeps its matrices input first; what is cut are a column's outputs and a row's inputs all the same. */
function gpt2Linears({ hidden, feedForward, bias }: ModelShape): readonly WeightTensor[] {
  const linear = (name: string, input: number, output: number, cut: 'outputs' | 'inputs') => [
    weight(`${name}.weight`, [input, output], 'linear', cut === 'outputs' ? 1 : 0),
    ...(bias ? [weight(`${name}.bias`, [output], 'other', cut === 'outputs' ? 0 : undefined)] : []),
  ];
  return [
    ...linear('attn.c_attn', hidden, 3 * hidden, 'outputs'),
    ...linear('attn.c_proj', hidden, hidden, 'inputs'),
    ...linear('mlp.c_fc', hidden, feedForward, 'outputs'),
    ...linear('mlp.c_proj', feedForward, hidden, 'inputs'),
  ];
}

function llamaLinears(model: ModelShape): readonly WeightTensor[] {
  const { hidden, feedForward, headDimension } = model;
  const queries = model.heads * headDimension;
  const keys = model.keyValueHeads * headDimension;
  const linear = (name: string, input: number, output: number, cut: 'outputs' | 'inputs', bias: boolean) => [
    weight(`${name}.weight`, [output, input], 'linear', cut === 'outputs' ? 0 : 1),
    ...(bias ? [weight(`${name}.bias`, [output], 'other', cut === 'outputs' ? 0 : undefined)] : []),
  ];
  const mlpBias = model.feedForwardBias === true;
  return [
    ...linear('self_attn.q_proj', hidden, queries, 'outputs', model.bias),
    ...linear('self_attn.k_proj', hidden, keys, 'outputs', model.bias),
    ...linear('self_attn.v_proj', hidden, keys, 'outputs', model.bias),
    ...linear('self_attn.o_proj', queries, hidden, 'inputs', model.outputBias === true),
    ...linear('mlp.gate_proj', hidden, feedForward, 'outputs', mlpBias),
    ...linear('mlp.up_proj', hidden, feedForward, 'outputs', mlpBias),
    ...linear('mlp.down_proj', feedForward, hidden, 'inputs', mlpBias),
  ];
}
