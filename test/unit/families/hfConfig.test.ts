import assert from 'node:assert/strict';
import { test } from 'node:test';
import { configClass } from '../../../server/core/families/configClass.ts';
import { readHfConfig } from '../../../server/core/families/hfConfig.ts';
import { readConfig } from '../../../server/core/families/readConfig.ts';

test('an empty GPT-2 file is GPT-2 small', () => {
  assert.deepEqual(readHfConfig({ model_type: 'gpt2' }).shape, {
    family: 'gpt2',
    layers: 12,
    hidden: 768,
    heads: 12,
    keyValueHeads: 12,
    headDimension: 64,
    feedForward: 3072,
    vocabulary: 50257,
    maximumSequence: 1024,
    activation: 'gelu_new',
    tiedEmbeddings: true,
    bias: true,
  });
});

test('a Llama file takes grouped heads, and a null head_dim means hidden / heads', () => {
  const { shape, problems } = readHfConfig({
    model_type: 'llama',
    hidden_size: 2048,
    num_attention_heads: 32,
    num_key_value_heads: 8,
    head_dim: null,
    intermediate_size: 8192,
    num_hidden_layers: 16,
    vocab_size: 128256,
    tie_word_embeddings: true,
  });
  assert.deepEqual(problems, []);
  assert.equal(shape?.headDimension, 64);
  assert.equal(shape?.keyValueHeads, 8);
  assert.equal(shape?.tiedEmbeddings, true);
  assert.equal(shape?.maximumSequence, 2048);
});

test('Qwen2 has biases on query, key and value only', () => {
  const { shape } = readHfConfig({ model_type: 'qwen2' });
  assert.deepEqual([shape?.bias, shape?.outputBias, shape?.feedForwardBias], [true, false, false]);
  const biased = readHfConfig({ model_type: 'llama', attention_bias: true }).shape;
  assert.deepEqual([biased?.bias, biased?.outputBias, biased?.feedForwardBias], [true, true, false]);
});

test('every value names its argument, its default or its derivation', () => {
  const gpt2 = configClass('GPT2Config')!;
  const { readings } = readConfig(gpt2, { num_hidden_layers: 24, n_embd: 1024 });
  assert.deepEqual(readings.layers, {
    value: 24,
    source: { kind: 'given', argument: 'n_layer', as: 'num_hidden_layers' },
  });
  assert.deepEqual(readings.heads, {
    value: 12,
    source: { kind: 'default', library: 'transformers', what: 'GPT2Config.n_head' },
  });
  assert.deepEqual(readings.feedForward, { value: 4096, source: { kind: 'derived', from: '4 * n_embd' } });
  assert.deepEqual(readings.dropout, {
    value: 0.1,
    source: { kind: 'default', library: 'transformers', what: 'GPT2Config.resid_pdrop' },
  });
});

test('nanoGPT: exact GELU, tied embeddings, dropout off', () => {
  const { readings } = readConfig(configClass('GPTConfig')!, { n_layer: 6, n_head: 6, n_embd: 384, bias: false });
  assert.equal(readings.activation.value, 'gelu');
  assert.equal(readings.tiedEmbeddings.value, true);
  assert.equal(readings.bias.value, false);
  assert.equal(readings.dropout.value, 0);
  assert.equal(readings.vocabulary.value, 50304);
});

test('what cannot be read is said, never thrown', () => {
  for (const odd of [undefined, null, 3, 'x', [], {}, { model_type: 7 }, { model_type: 'rwkv' }]) {
    const { shape, problems } = readHfConfig(odd);
    assert.equal(shape, undefined);
    assert.equal(problems.length, 1);
  }
  const { shape, problems } = readHfConfig({
    model_type: 'llama',
    hidden_size: 'wide',
    num_attention_heads: -1,
    hidden_act: 'gelu_fast',
    tie_word_embeddings: 1,
  });
  assert.equal(shape?.hidden, 4096);
  assert.equal(shape?.activation, 'silu');
  assert.equal(problems.length, 4);
});

test('what a configuration asks for beyond the account is said', () => {
  const notes = (json: object) => readHfConfig(json).problems;
  assert.equal(notes({ model_type: 'bert', is_decoder: true, chunk_size_feed_forward: 64 }).length, 2);
  assert.equal(notes({ model_type: 'mixtral', output_router_logits: true, router_jitter_noise: 0.1 }).length, 2);
  assert.equal(notes({ model_type: 'whisper', encoder_layerdrop: 0.1 }).length, 1);
  const silent = { is_decoder: false, chunk_size_feed_forward: 0, encoder_layerdrop: 0, output_router_logits: false };
  assert.deepEqual(notes({ model_type: 'whisper', ...silent }), []);
});

test('a multimodal file is read through its text_config', () => {
  const { shape, problems } = readHfConfig({ model_type: 'llava', text_config: { model_type: 'mistral' } });
  assert.equal(shape?.feedForward, 14336);
  assert.equal(problems.length, 1);
});

test('what a dictionary of rotary parameters says counts as if it stood beside it', () => {
  const nested = readHfConfig({ model_type: 'gpt_neox', rope_parameters: { partial_rotary_factor: 1 } });
  assert.equal(nested.shape?.settings?.rotary_pct, 1);
  assert.equal(readHfConfig({ model_type: 'gpt_neox', rotary_pct: 0.5 }).shape?.settings?.rotary_pct, 0.5);
  assert.equal(readHfConfig({ model_type: 'gpt_neox' }).shape?.settings?.rotary_pct, 0.25);
});
