import type { BlockEvidence } from './blockEvidence.ts';
import type { Fact, ModelFacts } from './facts.ts';
import { fieldValue } from './fieldValue.ts';
import { familyOf, type LayersIn } from './handWrittenFamily.ts';
import { activation, attention, bias, largestBatch, multipleOf, tied } from './handWrittenParts.ts';
import { llamaFeedForward } from './llamaReference.ts';
import { faultOf, isSize, type ModelReading, noModel } from './modelReading.ts';
import { type Fields, factOf, type ReadValue, type Source } from './source.ts';

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
  dropout: ['dropout', 'drop_rate', 'dropout_rate', 'resid_pdrop', 'p_dropout', 'dropout_p'],
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
  layersIn: LayersIn,
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
    return found && factOf(source, found.read, Number(found.read.value));
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
  if (family.is === 'gpt2' && evidence.layerNormByHand !== undefined)
    notes.push("LayerNorm is written out by hand and keeps more than torch's, which is counted");
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
        ? factOf(source, dropout, dropout.value)
        : otherwise('dropout', 0),
    attention: attention(source, evidence, layersIn, library),
    weights: undefined,
    sequence: isTrainedAt(model.maximumSequence) ? model.maximumSequence : undefined,
    batch: largestBatch(source, fields),
    options,
    notes,
  };
}

/** A hand-written model is trained at its full context, unless that is one that only serving reaches. */
const isTrainedAt = ({ value, origin }: Fact<number>): boolean =>
  (origin.kind === 'literal' || origin.kind === 'derived') && value <= 32768;
