import type { DataType } from '../facts/facts.ts';
import { countProblem, type Problem } from './problems.ts';
import type { ModelWeights, StorageType, WeightTensor } from './weights.ts';

export interface LoraSettings {
  /** Width of the adapters, `r`. */
  readonly rank: number;
  /** Linears that get one, by the last part of their name as PEFT has them: `q_proj`. */
  readonly targets: readonly string[];
  /** PEFT raises adapters to fp32 over a 16-bit base (`autocast_adapter_dtype`). */
  readonly adapters: DataType;
  /** Of the base's linears: nf4 for QLoRA. */
  readonly linears: StorageType;
  /** Of all other frozen weights; `prepare_model_for_kbit_training` raises them to fp32, the embeddings too. */
  readonly others: DataType;
}

export interface AdaptedWeights {
  readonly weights: ModelWeights;
  readonly problems: readonly Problem[];
}

/**
 * LoRA and QLoRA: the whole base frozen and stored as said, and two trained matrices of `rank · inputs` and `outputs · rank`
 * beside each target (Hu et al. 2021). Unknown targets are a problem, never an adapter that is silently missing.
 */
export function withLora(weights: ModelWeights, settings: LoraSettings): AdaptedWeights {
  const isTarget = (tensor: WeightTensor, target: string): boolean =>
    tensor.role === 'linear' &&
    tensor.name
      .replace(/\.weight$/, '')
      .split('.')
      .at(-1) === target;
  const tensors = weights.units.flatMap((unit) => unit.tensors);
  const unknown = settings.targets.filter((target) => !tensors.some((tensor) => isTarget(tensor, target)));
  const known = tensors.filter(({ role }) => role === 'linear').map(({ name }) => name);
  const problems: readonly Problem[] = [
    ...countProblem('lora.rank', settings.rank),
    ...unknown.map((target) => ({
      field: 'lora.targets',
      given: target,
      accepted: `the last part of one of ${known.join(', ')}`,
    })),
  ];
  const units = weights.units.map((unit) => ({
    ...unit,
    tensors: unit.tensors.flatMap((tensor) => {
      const base = frozen(tensor, settings);
      const hasAdapter = settings.targets.some((target) => isTarget(tensor, target));
      return hasAdapter ? [base, ...adapters(tensor, settings)] : [base];
    }),
  }));
  return { weights: { units }, problems };
}

const frozen = (tensor: WeightTensor, { linears, others }: LoraSettings): WeightTensor => ({
  ...tensor,
  trainable: false,
  storage: tensor.role === 'linear' ? linears : others,
});

function adapters(tensor: WeightTensor, { rank, adapters: storage }: LoraSettings): readonly WeightTensor[] {
  const [outputs = 1, inputs = 1] = tensor.shape;
  const base = tensor.name.replace(/\.weight$/, '');
  const shared = {
    role: 'other',
    trainable: true,
    storage,
    ...(tensor.copies === undefined ? {} : { copies: tensor.copies }),
    ...(tensor.expert ? { expert: true } : {}),
  } as const;
  return [
    { ...shared, name: `${base}.lora_A.weight`, shape: [rank, inputs] },
    { ...shared, name: `${base}.lora_B.weight`, shape: [outputs, rank] },
  ];
}
