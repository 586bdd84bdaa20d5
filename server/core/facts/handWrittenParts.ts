import type { Span } from '../text/span.ts';
import type { BlockEvidence } from './blockEvidence.ts';
import type { ActivationFunction, AttentionImplementation, Fact, ModelFamily } from './facts.ts';
import { fieldValue } from './fieldValue.ts';
import type { LayersIn } from './handWrittenFamily.ts';
import { isSize } from './modelReading.ts';
import { derivedAt, type Fields, factOf, type Source, writtenAs } from './source.ts';

export function multipleOf(
  source: Source,
  hidden: Fact<number>,
  name: string,
  { multiple }: BlockEvidence,
): Fact<number> {
  if (multiple === undefined) return { value: 4 * hidden.value, origin: { kind: 'derived', from: `4 * ${name}` } };
  return {
    value: multiple.value * hidden.value,
    origin: derivedAt(source, multiple.at, writtenAs(source, multiple.at)),
  };
}

export function activation(
  source: Source,
  family: ModelFamily,
  { activations }: BlockEvidence,
): Fact<ActivationFunction> {
  const [found] = activations;
  if (found === undefined)
    return family === 'gpt2'
      ? { value: 'gelu', origin: { kind: 'default', library: 'nanoGPT', what: 'nn.GELU' } }
      : { value: 'silu', origin: { kind: 'default', library: 'Llama reference', what: 'F.silu' } };
  return { value: found.value, origin: derivedAt(source, found.at, writtenAs(source, found.at)) };
}

export function tied(
  source: Source,
  family: ModelFamily,
  { tiedWeights, hasLayers }: BlockEvidence,
  layersIn: LayersIn,
): Fact<boolean> {
  if (tiedWeights !== undefined)
    return { value: true, origin: derivedAt(source, tiedWeights, writtenAs(source, tiedWeights)) };
  if (layersIn === 'this file' && hasLayers)
    return { value: false, origin: { kind: 'derived', from: 'no weight is shared in this file' } };
  const library = family === 'gpt2' ? 'nanoGPT' : 'Llama reference';
  return { value: family === 'gpt2', origin: { kind: 'default', library, what: 'tied embeddings' } };
}

export function bias(
  source: Source,
  fields: Fields['fields'],
  family: ModelFamily,
  evidence: BlockEvidence,
): Fact<boolean> {
  const field = fields.get('bias');
  const read = fieldValue(source, field);
  if (typeof read?.value === 'boolean') return factOf(source, read, read.value);
  if (family === 'llama')
    return { value: false, origin: { kind: 'default', library: 'Llama reference', what: 'bias' } };
  return {
    value: true,
    origin: { kind: 'default', library: evidence.hasLayers ? 'torch' : 'nanoGPT', what: 'Linear.bias' },
  };
}

export function attention(
  source: Source,
  { fusedAttention, flashAttention, softmax }: BlockEvidence,
  layersIn: LayersIn,
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
export function largestBatch(source: Source, fields: Fields['fields']): Fact<number> | undefined {
  const field = fields.get('max_batch_size');
  const read = fieldValue(source, field);
  if (read === undefined || !isSize(read.value)) return undefined;
  return factOf(source, read, read.value);
}
