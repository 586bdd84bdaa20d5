import { isBefore, type Versions } from '../torch/version.ts';
import type { Imports } from './imports.ts';

/**
 * Operations whose results a selective checkpoint keeps: matrix products and fused attention, which cost the most to run
 * again. The names are those of ATen's overloads, for a list that `create_selective_checkpoint_contexts` takes.
 */
const savedOperations = [
  'mm.default',
  'addmm.default',
  'bmm.default',
  '_scaled_dot_product_flash_attention.default',
  '_scaled_dot_product_efficient_attention.default',
  '_scaled_dot_product_cudnn_attention.default',
];

export const policyComment =
  '# Results that a selective checkpoint keeps; everything else runs again in the backward pass.';
const [operationsName, contextsName] = ['saved_operations', 'selective_contexts'];
export const policyConstants: ReadonlySet<string> = new Set([operationsName, contextsName]);

/** `context_fn=…` for a checkpoint of that policy; undefined where its names cannot be had. */
export function policyKeyword(imports: Imports): string | undefined {
  const partial = imports.nameOf('functools.partial');
  const contexts = imports.nameOf('torch.utils.checkpoint.create_selective_checkpoint_contexts');
  const operations = imports.nameOf('torch.ops');
  if (partial === undefined || contexts === undefined || operations === undefined) return undefined;
  const list = savedOperations.map((operation) => `    ${operations}.aten.${operation},`);
  imports.comment(policyComment);
  const saved = imports.constant(operationsName, ['[', ...list, ']'].join('\n'));
  const made = saved === undefined ? undefined : imports.constant(contextsName, `${partial}(${contexts}, ${saved})`);
  return made === undefined ? undefined : `context_fn=${made}`;
}

/** Why a torch cannot run it: `create_selective_checkpoint_contexts` came with 2.4, the cuDNN kernel's operation with 2.5. */
export const policyNeeds = ({ torch }: Versions): string | undefined =>
  isBefore(torch, 2, 5) ? 'selective checkpointing of these operations needs torch 2.5' : undefined;
