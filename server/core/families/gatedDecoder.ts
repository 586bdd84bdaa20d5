/** Argument names that transformers' gated decoders (Llama and those after it) share. */
export const gatedDecoderArguments = {
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
