import type { DataType } from '../facts/facts.ts';
import type { ModelWeights, StorageType } from './weights.ts';

/**
 * The frozen base of QLoRA (Dettmers et al. 2023): linears quantised, all other frozen weights in `others`.
 * `prepare_model_for_kbit_training` raises those to fp32, the embeddings and the head too. Trained weights stay as they are.
 */
export const withQuantisedBase = (weights: ModelWeights, linears: StorageType, others: DataType): ModelWeights => ({
  units: weights.units.map((unit) => ({
    ...unit,
    tensors: unit.tensors.map((tensor) =>
      tensor.trainable ? tensor : { ...tensor, storage: tensor.role === 'linear' ? linears : others },
    ),
  })),
});
