import { elementCount, type Storage, type Tensor } from '../graph/tensor.ts';
import type { Step, StepUnit } from './step.ts';

/** Numbers of weights of a model, in elements. A weight that several pieces use (a tied embedding) counts once. */
export interface WeightCounts {
  readonly total: number;
  /** Those that learn. */
  readonly trainable: number;
  /** Of each layer, first to last. */
  readonly layers: readonly number[];
  /** Of embeddings, head and whatever else runs outside the layers. */
  readonly outside: number;
}

export function weightCounts({ units }: Step): WeightCounts {
  const isLayer = (unit: StepUnit): boolean => unit.isLayer;
  const layers = units.filter(isLayer).map((unit) => elements(weightsOf([unit])));
  const others = weightsOf(units.filter((unit) => !unit.isLayer));
  const trainable = ({ requiresGradient }: Tensor): boolean => requiresGradient;
  const trainableLayers = units.filter(isLayer).map((unit) => elements(weightsOf([unit]).filter(trainable)));
  const outside = elements(others);
  return {
    total: sum(layers) + outside,
    trainable: sum(trainableLayers) + elements(others.filter(trainable)),
    layers,
    outside,
  };
}

const weightsOf = (units: readonly StepUnit[]): readonly Tensor[] => [
  ...new Map<Storage, Tensor>(units.flatMap(({ memory }) => [...memory.weights])).values(),
];

const elements = (weights: readonly Tensor[]): number => sum(weights.map(({ shape }) => elementCount(shape)));

const sum = (counts: readonly number[]): number => counts.reduce((total, count) => total + count, 0);
