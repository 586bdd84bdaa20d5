import type { FusedKernels } from '../budget/account.ts';
import type { Fact } from './facts.ts';
import { fieldValue } from './fieldValue.ts';
import { factOf, type Source } from './source.ts';
import { isAside } from './standing.ts';
import { type TrainerArguments, trainerValue } from './trainer.ts';

/** Kernels of Liger or cut cross-entropy in place of the library's own operations. */
export function readFused(source: Source, trainer: TrainerArguments | undefined): Fact<FusedKernels> | undefined {
  for (const name of ['use_liger_kernel', 'use_liger']) {
    const asked = trainer && trainerValue(source, trainer, name);
    if (asked?.value === true) return factOf(source, asked, liger);
  }
  for (const here of source.calls) {
    const { qualified, call } = here;
    if (qualified === undefined || isAside(source, here)) continue;
    const at = (value: FusedKernels): Fact<FusedKernels> => ({
      value,
      origin: { kind: 'literal', place: source.placeOf(call.callee) },
    });
    if (/^liger_kernel\.(\w+\.)*AutoLigerKernelForCausalLM\.from_pretrained$/.test(qualified)) return at(liger);
    if (/^liger_kernel\.(\w+\.)*apply_liger_kernel_to_\w+$/.test(qualified)) {
      const { fields } = source.givenTo(call);
      const isOn = (name: string): boolean => fieldValue(source, fields.get(name))?.value !== false;
      return at({
        norm: isOn('rms_norm'),
        mlp: isOn('swiglu') && isOn('geglu'),
        ...(isOn('fused_linear_cross_entropy') && { loss: 'fused' }),
      });
    }
    if (
      /^(cut_cross_entropy\.(\w+\.)*(linear_cross_entropy|cce_patch)|liger_kernel\.(\w+\.)*\w*LigerFusedLinearCrossEntropyLoss)$/.test(
        qualified,
      )
    )
      return at({ loss: 'fused' });
  }
  return undefined;
}

/** What Liger replaces where nothing is said. */
const liger: FusedKernels = { norm: true, mlp: true, loss: 'fused' };
