import type { ModelFamily } from '../facts/facts.ts';

/**
 * The configuration classes whose models have a PyTorch account: which argument says which size, and what the class takes
 * when an argument is not given. Read from transformers 5.18 and from nanoGPT's `model.py`.
 */
export interface ConfigClass {
  readonly name: string;
  readonly library: string;
  /** `model_type` in a `config.json`; undefined for a class that has no such file. */
  readonly modelType: string | undefined;
  readonly family: ModelFamily;
  /** The argument that says a size. A size without an argument is in `fixed`, or is derived from others. */
  readonly arguments: Readonly<Partial<Record<SizeName, string>>>;
  /** Other names the class accepts for its arguments (transformers calls this `attribute_map`). */
  readonly aliases: Readonly<Record<string, string>>;
  /** By argument. `null` means the class computes the value from others: see `derivations`. */
  readonly defaults: Readonly<Record<string, ConfigValue>>;
  /** What every model of the class has and no argument changes. */
  readonly fixed: Readonly<Partial<Record<SizeName, ConfigValue>>>;
  /** Probability arguments; the first one stands for the run's dropout. */
  readonly dropout: readonly string[];
}

export type ConfigValue = number | string | boolean | null;

export type SizeName =
  | 'layers'
  | 'hidden'
  | 'heads'
  | 'keyValueHeads'
  | 'headDimension'
  | 'feedForward'
  | 'vocabulary'
  | 'maximumSequence'
  | 'activation'
  | 'tiedEmbeddings'
  | 'bias'
  | 'outputBias'
  | 'feedForwardBias';

export const configClass = (name: string): ConfigClass | undefined => configClasses.find((each) => each.name === name);

export const configClassOfModelType = (modelType: string): ConfigClass | undefined =>
  configClasses.find((each) => each.modelType === modelType);

const gatedDecoderArguments = {
  layers: 'num_hidden_layers',
  hidden: 'hidden_size',
  heads: 'num_attention_heads',
  keyValueHeads: 'num_key_value_heads',
  headDimension: 'head_dim',
  feedForward: 'intermediate_size',
  vocabulary: 'vocab_size',
  maximumSequence: 'max_position_embeddings',
  activation: 'hidden_act',
  tiedEmbeddings: 'tie_word_embeddings',
} as const;

export const configClasses: readonly ConfigClass[] = [
  {
    name: 'GPT2Config',
    library: 'transformers',
    modelType: 'gpt2',
    family: 'gpt2',
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
      n_layer: 12,
      n_embd: 768,
      n_head: 12,
      n_inner: null,
      vocab_size: 50257,
      n_positions: 1024,
      activation_function: 'gelu_new',
      tie_word_embeddings: true,
      resid_pdrop: 0.1,
      embd_pdrop: 0.1,
      attn_pdrop: 0.1,
    },
    fixed: { bias: true },
    dropout: ['resid_pdrop', 'attn_pdrop', 'embd_pdrop'],
  },
  {
    name: 'GPTConfig',
    library: 'nanoGPT',
    modelType: undefined,
    family: 'gpt2',
    arguments: {
      layers: 'n_layer',
      hidden: 'n_embd',
      heads: 'n_head',
      vocabulary: 'vocab_size',
      maximumSequence: 'block_size',
      bias: 'bias',
    },
    aliases: {},
    defaults: {
      n_layer: 12,
      n_embd: 768,
      n_head: 12,
      vocab_size: 50304,
      block_size: 1024,
      bias: true,
      dropout: 0,
    },
    fixed: { activation: 'gelu', tiedEmbeddings: true },
    dropout: ['dropout'],
  },
  {
    name: 'LlamaConfig',
    library: 'transformers',
    modelType: 'llama',
    family: 'llama',
    arguments: {
      ...gatedDecoderArguments,
      bias: 'attention_bias',
      outputBias: 'attention_bias',
      feedForwardBias: 'mlp_bias',
    },
    aliases: {},
    defaults: {
      num_hidden_layers: 32,
      hidden_size: 4096,
      num_attention_heads: 32,
      num_key_value_heads: null,
      head_dim: null,
      intermediate_size: 11008,
      vocab_size: 32000,
      max_position_embeddings: 2048,
      hidden_act: 'silu',
      tie_word_embeddings: false,
      attention_bias: false,
      mlp_bias: false,
      attention_dropout: 0,
    },
    fixed: {},
    dropout: ['attention_dropout'],
  },
  {
    name: 'MistralConfig',
    library: 'transformers',
    modelType: 'mistral',
    family: 'llama',
    arguments: gatedDecoderArguments,
    aliases: {},
    defaults: {
      num_hidden_layers: 32,
      hidden_size: 4096,
      num_attention_heads: 32,
      num_key_value_heads: 8,
      head_dim: null,
      intermediate_size: 14336,
      vocab_size: 32000,
      max_position_embeddings: 131072,
      hidden_act: 'silu',
      tie_word_embeddings: false,
      attention_dropout: 0,
    },
    fixed: { bias: false },
    dropout: ['attention_dropout'],
  },
  {
    name: 'Qwen2Config',
    library: 'transformers',
    modelType: 'qwen2',
    family: 'llama',
    arguments: gatedDecoderArguments,
    aliases: {},
    defaults: {
      num_hidden_layers: 32,
      hidden_size: 4096,
      num_attention_heads: 32,
      num_key_value_heads: 32,
      head_dim: null,
      intermediate_size: 22016,
      vocab_size: 151936,
      max_position_embeddings: 32768,
      hidden_act: 'silu',
      tie_word_embeddings: false,
      attention_dropout: 0,
    },
    // Query, key and value projections have a bias in every Qwen2; the output projection and the MLP have none.
    fixed: { bias: true },
    dropout: ['attention_dropout'],
  },
];
