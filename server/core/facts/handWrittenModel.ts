import type { Span } from '../text/span.ts';
import type { BlockEvidence } from './blockEvidence.ts';
import type { ActivationFunction, AttentionImplementation, Fact, ModelFacts, ModelFamily, Origin } from './facts.ts';
import { fieldValue } from './fieldValue.ts';
import { llamaFeedForward } from './llamaReference.ts';
import { faultOf, isSize, type ModelReading, noModel } from './modelReading.ts';
import { type Fields, originOf, type ReadValue, type Source, writtenAs } from './source.ts';

/** Names that people give a decoder's sizes, the most common first. */
const sizeNames = {
  layers: ['n_layer', 'n_layers', 'num_layers', 'num_hidden_layers', 'n_blocks'],
  hidden: ['n_embd', 'dim', 'd_model', 'hidden_size', 'emb_dim', 'embed_dim', 'n_embed', 'embedding_dim', 'model_dim'],
  heads: ['n_head', 'n_heads', 'num_heads', 'num_attention_heads', 'nhead'],
  keyValueHeads: ['n_kv_heads', 'n_kv_head', 'num_kv_heads', 'num_key_value_heads', 'n_kv_groups', 'n_query_groups'],
  headDimension: ['head_dim', 'head_size'],
  feedForward: ['intermediate_size', 'd_ff', 'ffn_dim', 'ffn_hidden_size', 'hidden_dim', 'dim_feedforward', 'n_inner'],
  vocabulary: ['vocab_size', 'n_vocab', 'vocabulary_size'],
  maximumSequence: [
    'block_size',
    'max_seq_len',
    'context_length',
    'max_position_embeddings',
    'n_positions',
    'n_ctx',
    'seq_len',
    'sequence_length',
    'max_sequence_length',
    'ctx_len',
    'max_len',
  ],
  dropout: ['dropout', 'drop_rate', 'dropout_rate', 'resid_pdrop', 'p_dropout'],
} as const;

type Size = keyof typeof sizeNames;

export const sizeNamed = (fields: Fields['fields'], size: Size): string | undefined =>
  sizeNames[size].find((name) => fields.has(name));

/**
 * A model whose sizes are in a class of its own. The layers in the file decide the family: LayerNorm with GELU or ReLU is
 * GPT-2's block, RMSNorm with SiLU is Llama's. Where the layers are elsewhere, only nanoGPT's and Llama's own field names are taken for
 * theirs; any other block has no account.
 */
export function readHandWritten(
  source: Source,
  name: Fact<string>,
  { fields, open }: Fields,
  evidence: BlockEvidence,
  layersIn: 'this file' | 'another file',
): ModelReading {
  const notes: string[] = [];
  const options: string[] = [];
  const unread = new Map<Size, string>();
  const field = (size: Size): { readonly name: string; readonly read: ReadValue } | undefined => {
    const written = sizeNamed(fields, size);
    const found = written === undefined ? undefined : fields.get(written);
    if (found === undefined || written === undefined) return undefined;
    const read = fieldValue(source, found);
    if (read === undefined) unread.set(size, `${written} on line ${source.lineOf(found.at)} could not be read`);
    else if (read.value !== null && size !== 'dropout' && !isSize(read.value))
      unread.set(size, `${written} on line ${source.lineOf(found.at)} is ${JSON.stringify(read.value)}`);
    else {
      options.push(...read.options);
      return read.value === null ? undefined : { name: written, read };
    }
    return undefined;
  };
  const size = (which: Size): Fact<number> | undefined => {
    const found = field(which);
    return found && { value: Number(found.read.value), origin: originOf(source, found.read) };
  };

  const layers = size('layers');
  const hidden = size('hidden');
  const heads = size('heads');
  const family = familyOf(source, fields, evidence, layersIn);
  if (family.is === undefined) return noModel(`${name.value}: ${family.why}`);
  if (layers === undefined || hidden === undefined || heads === undefined) {
    const why = [...unread.values()][0] ?? 'layers, width or heads are not given';
    return noModel(`${name.value}: ${why}, so the model is not known`);
  }
  const called = (which: Size): string => sizeNamed(fields, which) ?? which;
  const library = family.is === 'gpt2' ? 'nanoGPT' : 'Llama reference';
  const otherwise = <T>(which: Size, value: T): Fact<T> => {
    const why = unread.get(which);
    if (why !== undefined) return { value, origin: { kind: 'assumed', why } };
    return { value, origin: { kind: 'default', library, what: called(which) } };
  };
  const keyValueHeads = size('keyValueHeads') ?? {
    value: heads.value,
    origin: { kind: 'derived', from: called('heads') },
  };
  if (family.is === 'gpt2' && keyValueHeads.value !== heads.value)
    return noModel(`${name.value}: no PyTorch account for a GPT-2 block with fewer key/value heads`);
  const headDimension = size('headDimension') ?? {
    value: Math.floor(hidden.value / heads.value),
    origin: { kind: 'derived', from: `${called('hidden')} / ${called('heads')}` } as const,
  };
  const feedForward =
    family.is === 'gpt2'
      ? (size('feedForward') ?? multipleOf(source, hidden, called('hidden'), evidence))
      : (size('feedForward') ??
        llamaFeedForward(source, fields, hidden, called('hidden'), layersIn === 'this file' ? undefined : 256));
  if (feedForward === undefined)
    return noModel(`${name.value}: the width of its feed-forward layers could not be read`);
  const model: ModelFacts = {
    name,
    family: { value: family.is, origin: family.origin },
    layers,
    hidden,
    heads,
    keyValueHeads,
    headDimension,
    feedForward,
    vocabulary: size('vocabulary') ?? otherwise('vocabulary', family.is === 'gpt2' ? 50304 : 32000),
    maximumSequence: size('maximumSequence') ?? otherwise('maximumSequence', family.is === 'gpt2' ? 1024 : 2048),
    activation: activation(source, family.is, evidence),
    tiedEmbeddings: tied(source, family.is, evidence, layersIn),
    bias: bias(source, fields, family.is, evidence),
  };
  const fault = faultOf(model);
  if (fault !== undefined) return noModel(`${name.value}: ${fault}, so the model is not known`);
  notes.push(...unread.values());
  if (open !== undefined) notes.push(`line ${source.lineOf(open)} may set more of ${name.value} than could be read`);
  if (layersIn === 'another file')
    notes.push(
      `the layers of ${name.value} are not in this file; they are counted as ${family.is === 'gpt2' ? "nanoGPT's" : "the Llama reference's"}`,
    );
  const dropout = field('dropout')?.read;
  return {
    model,
    dropout:
      dropout !== undefined && typeof dropout.value === 'number' && dropout.value >= 0 && dropout.value < 1
        ? { value: dropout.value, origin: originOf(source, dropout) }
        : otherwise('dropout', 0),
    attention: attention(source, evidence, layersIn, library),
    weights: undefined,
    sequence:
      model.maximumSequence.origin.kind === 'literal' || model.maximumSequence.origin.kind === 'derived'
        ? model.maximumSequence
        : undefined,
    batch: largestBatch(source, fields),
    options,
    notes,
  };
}

type Family = { readonly is: ModelFamily; readonly origin: Origin } | { readonly is: undefined; readonly why: string };

function familyOf(
  source: Source,
  fields: Fields['fields'],
  evidence: BlockEvidence,
  layersIn: 'this file' | 'another file',
): Family {
  const { rmsNorm, layerNorm, rotary, experts, activations } = evidence;
  const gated = activations.some(({ value }) => value === 'silu');
  const plain = activations.find(({ value }) => value !== 'silu');
  const hasExpertFields = [...fields.keys()].some((name) => /^(n_|num_)?(routed_|local_)?experts|moe/.test(name));
  if (experts !== undefined || hasExpertFields)
    return { is: undefined, why: 'no PyTorch account for mixtures of experts yet' };
  if (layersIn === 'this file' && evidence.hasLayers) {
    if (layerNorm !== undefined && rmsNorm === undefined && rotary === undefined && !gated && plain !== undefined)
      return { is: 'gpt2', origin: derivedAt(source, layerNorm, 'LayerNorm and an MLP of two matrices') };
    if (rmsNorm !== undefined && gated && plain === undefined && layerNorm === undefined)
      return { is: 'llama', origin: derivedAt(source, rmsNorm, 'RMSNorm and a gated SiLU MLP') };
    const parts = [
      rmsNorm && 'RMSNorm',
      layerNorm && 'LayerNorm',
      rotary && 'rotary positions',
      ...new Set(activations.map(({ value }) => value)),
    ];
    return {
      is: undefined,
      why: `no PyTorch account for a block of ${parts.filter(Boolean).join(', ') || 'unknown layers'}`,
    };
  }
  const names = new Set(fields.keys());
  if (
    ['n_layer', 'n_head', 'n_embd'].every((one) => names.has(one)) &&
    [...names].every((one) => nanoGptFields.has(one))
  )
    return { is: 'gpt2', origin: { kind: 'default', library: 'nanoGPT', what: 'GPTConfig' } };
  const signs = ['n_kv_heads', 'multiple_of', 'ffn_dim_multiplier', 'norm_eps', 'rope_theta'];
  if (['dim', 'n_layers', 'n_heads'].every((one) => names.has(one)) && signs.some((one) => names.has(one)))
    return { is: 'llama', origin: { kind: 'default', library: 'Llama reference', what: 'ModelArgs' } };
  return { is: undefined, why: 'its layers are not in this file, so its PyTorch account is not known' };
}

/** A field that nanoGPT does not have (`use_rmsnorm`) speaks of another block than nanoGPT's. */
const nanoGptFields = new Set(['n_layer', 'n_head', 'n_embd', 'block_size', 'vocab_size', 'dropout', 'bias']);

const derivedAt = (source: Source, at: Span, from: string): Origin => ({
  kind: 'derived',
  from,
  place: source.placeOf(at),
});

function multipleOf(source: Source, hidden: Fact<number>, name: string, { multiple }: BlockEvidence): Fact<number> {
  if (multiple === undefined) return { value: 4 * hidden.value, origin: { kind: 'derived', from: `4 * ${name}` } };
  return {
    value: multiple.value * hidden.value,
    origin: derivedAt(source, multiple.at, writtenAs(source, multiple.at)),
  };
}

function activation(source: Source, family: ModelFamily, { activations }: BlockEvidence): Fact<ActivationFunction> {
  const [found] = activations;
  if (found === undefined)
    return family === 'gpt2'
      ? { value: 'gelu', origin: { kind: 'default', library: 'nanoGPT', what: 'nn.GELU' } }
      : { value: 'silu', origin: { kind: 'default', library: 'Llama reference', what: 'F.silu' } };
  return { value: found.value, origin: derivedAt(source, found.at, writtenAs(source, found.at)) };
}

function tied(
  source: Source,
  family: ModelFamily,
  { tiedWeights, hasLayers }: BlockEvidence,
  layersIn: 'this file' | 'another file',
): Fact<boolean> {
  if (tiedWeights !== undefined)
    return { value: true, origin: derivedAt(source, tiedWeights, writtenAs(source, tiedWeights)) };
  if (layersIn === 'this file' && hasLayers)
    return { value: false, origin: { kind: 'derived', from: 'no weight is shared in this file' } };
  const library = family === 'gpt2' ? 'nanoGPT' : 'Llama reference';
  return { value: family === 'gpt2', origin: { kind: 'default', library, what: 'tied embeddings' } };
}

function bias(source: Source, fields: Fields['fields'], family: ModelFamily, evidence: BlockEvidence): Fact<boolean> {
  const field = fields.get('bias');
  const read = fieldValue(source, field);
  if (typeof read?.value === 'boolean') return { value: read.value, origin: originOf(source, read) };
  if (family === 'llama')
    return { value: false, origin: { kind: 'default', library: 'Llama reference', what: 'bias' } };
  return {
    value: true,
    origin: { kind: 'default', library: evidence.hasLayers ? 'torch' : 'nanoGPT', what: 'Linear.bias' },
  };
}

function attention(
  source: Source,
  { fusedAttention, flashAttention, softmax }: BlockEvidence,
  layersIn: 'this file' | 'another file',
  library: string,
): Fact<AttentionImplementation> {
  const found = (value: AttentionImplementation, at: Span): Fact<AttentionImplementation> => ({
    value,
    origin: derivedAt(source, at, writtenAs(source, at)),
  });
  if (flashAttention !== undefined) return found('flash', flashAttention);
  if (fusedAttention !== undefined) return found('sdpa', fusedAttention);
  if (softmax !== undefined && layersIn === 'this file') return found('eager', softmax);
  if (library === 'nanoGPT')
    return { value: 'sdpa', origin: { kind: 'default', library, what: 'scaled_dot_product_attention' } };
  return { value: 'sdpa', origin: { kind: 'assumed', why: 'the attention is not in this file' } };
}

/** Llama's `max_batch_size` sizes its cache; a run uses at most that. */
function largestBatch(source: Source, fields: Fields['fields']): Fact<number> | undefined {
  const field = fields.get('max_batch_size');
  const read = fieldValue(source, field);
  if (read === undefined || !isSize(read.value)) return undefined;
  return { value: read.value, origin: originOf(source, read) };
}
