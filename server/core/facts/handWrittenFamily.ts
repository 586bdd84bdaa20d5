import type { BlockEvidence } from './blockEvidence.ts';
import type { ModelFamily, Origin } from './facts.ts';
import { derivedAt, type Fields, type Source } from './source.ts';

/** Where the layers of a model are that the file gives the sizes of. */
export type LayersIn = 'this file' | 'another file';

export type Family =
  | { readonly is: ModelFamily; readonly origin: Origin }
  | { readonly is: undefined; readonly why: string };

/** Which block the layers are, or why that is not known. */
export function familyOf(
  source: Source,
  fields: Fields['fields'],
  evidence: BlockEvidence,
  layersIn: LayersIn,
): Family {
  const { rmsNorm, layerNorm, rotary, experts, activations } = evidence;
  const gated = activations.some(({ value }) => value === 'silu');
  const plain = activations.find(({ value }) => value !== 'silu');
  const hasExpertFields = [...fields.keys()].some((name) => /^(n_|num_)?(routed_|local_)?experts|moe/.test(name));
  if (experts !== undefined || hasExpertFields)
    return { is: undefined, why: 'no PyTorch account for mixtures of experts yet' };
  if ([...fields.keys()].some((name) => /latent|kv_lora_rank|q_lora_rank/.test(name)))
    return { is: undefined, why: 'no PyTorch account for latent attention yet' };
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
