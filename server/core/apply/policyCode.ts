import type { Expression } from '../python/ast.ts';
import type { Names } from '../python/names.ts';
import { isBefore, type Versions } from '../torch/version.ts';
import type { Imports } from './imports.ts';
import type { ApplyContext } from './place.ts';

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
const contextsFunction = 'torch.utils.checkpoint.create_selective_checkpoint_contexts';
const [operationsName, contextsName] = ['saved_operations', 'selective_contexts'];
export const policyConstants: ReadonlySet<string> = new Set([operationsName, contextsName]);

/** `context_fn=…` for a checkpoint of that policy; undefined where its names cannot be had. */
export function policyKeyword({ names }: ApplyContext, imports: Imports): string | undefined {
  // Written before for another loop of the file.
  const [known, ...others] = names.moduleBindings(contextsName);
  if (known?.to === 'value' && others.length === 0 && makesContexts(names, known.value))
    return `context_fn=${contextsName}`;
  const partial = imports.nameOf('functools.partial');
  const contexts = imports.nameOf(contextsFunction);
  const operations = imports.nameOf('torch.ops');
  if (partial === undefined || contexts === undefined || operations === undefined) return undefined;
  const list = savedOperations.map((operation) => `    ${operations}.aten.${operation},`);
  imports.comment(policyComment);
  const saved = imports.constant(operationsName, ['[', ...list, ']'].join('\n'));
  const made = saved === undefined ? undefined : imports.constant(contextsName, `${partial}(${contexts}, ${saved})`);
  return made === undefined ? undefined : `context_fn=${made}`;
}

const makesContexts = (names: Names, value: Expression): boolean => {
  const { targets, complete } = names.resolve(value);
  return complete && targets.length === 1 && targets[0]?.qualified === contextsFunction;
};

/** Why a torch cannot run it: `create_selective_checkpoint_contexts` came with 2.4, the cuDNN kernel's operation with 2.5. */
export const policyNeeds = ({ torch }: Versions): string | undefined =>
  isBefore(torch, 2, 5) ? 'selective checkpointing of these operations needs torch 2.5' : undefined;
