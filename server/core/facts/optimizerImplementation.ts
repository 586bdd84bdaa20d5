import { isBefore, type Versions } from '../torch/version.ts';
import { implementationWords } from './configFiles/words.ts';
import type { Fact, OptimizerImplementation } from './facts.ts';
import { type CallHere, factOf, lastName, type ReadValue, type Source } from './source.ts';
import { type TrainerArguments, trainerProblem } from './trainer.ts';

/** How a trainer steps that is told `optim`. Undefined where the word leaves it open or means another library's optimizer. */
export function implementationNamed(source: Source, optim: ReadValue): Fact<OptimizerImplementation> | undefined {
  const word = String(optim.value).toLowerCase();
  const value = Object.hasOwn(implementationWords, word) ? implementationWords[word] : undefined;
  return value && factOf(source, optim, value);
}

/**
 * What a trainer takes that is told nothing: torch's fused AdamW since transformers 4.54 where torch is 2.8 or newer. Versions
 * that are not known count as current.
 */
export function implementationByDefault(
  source: Source,
  trainer: TrainerArguments,
): Fact<OptimizerImplementation> | undefined {
  const isOpen = trainerProblem(source, trainer, 'optim') !== undefined;
  return isOpen ? undefined : fusedByDefault(source.versions, trainer.className);
}

export function fusedByDefault(
  { transformers, torch }: Versions,
  className = 'TrainingArguments',
): Fact<OptimizerImplementation> | undefined {
  if (isBefore(transformers, 4, 54) || isBefore(torch, 2, 8)) return undefined;
  const what = `${className}.optim (since 4.54 with torch 2.8)`;
  return { value: 'fused', origin: { kind: 'default', library: 'transformers', what } };
}

/** `torch.optim.AdamW(…, fused=True)`; `False` for either takes the loop over single tensors. */
export function implementationOf(
  source: Source,
  { call, qualified }: CallHere,
): Fact<OptimizerImplementation> | undefined {
  const place = source.placeOf(call.callee);
  if (/^(Fused|DeepSpeedCPU)Adam$/.test(qualified?.split('.').at(-1) ?? lastName(call.callee)))
    return { value: 'fused', origin: { kind: 'literal', place } };
  const { fields } = source.givenTo(call);
  const [fused, foreach] = ['fused', 'foreach'].map((name) => {
    const value = fields.get(name)?.value;
    return value && source.read(value);
  });
  if (fused?.value === true) return factOf(source, fused, 'fused');
  if (foreach?.value === true) return factOf(source, foreach, 'foreach');
  const loop = fused?.value === false ? fused : foreach?.value === false ? foreach : undefined;
  return loop && factOf(source, loop, 'for-loop');
}
