import type { DataType } from '../facts/facts.ts';
import {
  has8BitStates,
  type Optimizer,
  quantisationMapsBytes,
  type StateKey,
  stateLabels,
  tensorStates,
} from './optimizers.ts';
import { shardSource, shardsOptimizer } from './parameterParts.ts';
import { always, perRank, type StatePart, withoutEmpty } from './parts.ts';
import type { StatesSetup } from './setup.ts';
import { sharded, shardRanks } from './shards.ts';
import { isQuantised } from './storage.ts';
import {
  isTrainable,
  sumOverTensors,
  tensorElements,
  type WeightTensor,
  type WeightUnit,
  weightElements,
} from './weights.ts';

/** The fp32 copy of trained weights, the optimizer's states, and what a step makes for its own duration. */
export function optimizerParts(local: readonly WeightUnit[], setup: StatesSetup): readonly StatePart[] {
  const held = shardsOptimizer(setup) ? sharded(local, setup) : local;
  const ranks = shardsOptimizer(setup) ? shardRanks(setup) : 1;
  const source = optimizerSource(setup.optimizer);
  const states = (Object.keys(stateLabels) as readonly StateKey[]).flatMap((key) =>
    [false, true].map(
      (paged): StatePart => ({
        key: paged ? `${key}-paged` : key,
        label: paged ? `${stateLabels[key]} (paged)` : stateLabels[key],
        bytes: stateBytes(held, setup, key, paged),
        group: 'optimizer',
        place: paged ? 'paged' : setup.offload.optimizer,
        live: always,
        formula: `${stateFormulas[key]}${perRank(ranks)}`,
        source: ranks === 1 ? source : `${source}; ${shardSource(setup)}`,
      }),
    ),
  );
  return withoutEmpty([masterWeights(held, setup, ranks), ...states, maps(held, setup), ...stepParts(held, setup)]);
}

const stateFormulas: Readonly<Record<StateKey, string>> = {
  'first-moment': 'one value for each trained weight',
  'second-moment': 'one value for each trained weight',
  'largest-second-moment': 'one value for each trained weight',
  momentum: 'one value for each trained weight',
  'second-moment-rows': 'one value for each row of each trained matrix',
  'second-moment-columns': 'one value for each column of each trained matrix',
  'state-scales': '4 bytes per 256 values of each 8-bit state',
};

function optimizerSource(optimizer: Optimizer): string {
  if (optimizer.name === 'bitsandbytes') return 'bitsandbytes 0.50, optim/optimizer.py';
  if (optimizer.name === 'adafactor' && optimizer.library === 'transformers') return 'transformers Adafactor';
  if (optimizer.name === 'lion') return 'Chen et al. 2023 (Lion)';
  return 'torch 2.13 optimizer states, run on the CPU';
}

function stateBytes(held: readonly WeightUnit[], setup: StatesSetup, key: StateKey, paged: boolean): number {
  return sumOverTensors(held, (tensor, count) => {
    if (!tensor.trainable) return 0;
    const states = tensorStates(setup.optimizer, tensor, workingType(tensor, setup));
    return states.reduce(
      (sum, state) => sum + (state.key === key && state.paged === paged ? count * state.bytes : 0),
      0,
    );
  });
}

/** The type the optimizer works in: that of its fp32 copy, or of the weight itself. */
function workingType(tensor: WeightTensor, { precision }: StatesSetup): DataType {
  if (precision.masterWeights) return 'fp32';
  const storage = tensor.storage ?? precision.weights;
  return storage === 'int8' || storage === 'nf4' ? precision.weights : storage;
}

function masterWeights(held: readonly WeightUnit[], setup: StatesSetup, ranks: number): StatePart {
  const needsCopy = (tensor: WeightTensor): boolean =>
    isTrainable(tensor) && (tensor.storage ?? setup.precision.weights) !== 'fp32';
  return {
    key: 'master-weights',
    label: 'Master weights (fp32)',
    bytes: setup.precision.masterWeights ? 4 * weightElements(held, needsCopy) : 0,
    group: 'optimizer',
    place: setup.offload.optimizer,
    live: always,
    formula: `4 bytes × trained weights that are not fp32${perRank(ranks)}`,
    source: 'Micikevicius et al. 2018 (mixed precision); DeepSpeed, Megatron-LM',
  };
}

function maps(held: readonly WeightUnit[], { optimizer, offload }: StatesSetup): StatePart {
  const isUsed =
    optimizer.name === 'bitsandbytes' &&
    held.some(({ tensors }) => tensors.some((tensor) => tensor.trainable && has8BitStates(optimizer, tensor)));
  return {
    key: 'quantisation-maps',
    label: 'Tables of 8-bit values',
    bytes: isUsed ? quantisationMapsBytes : 0,
    group: 'optimizer',
    place: offload.optimizer,
    live: always,
    formula: 'two tables of 256 fp32 values',
    source: 'bitsandbytes 0.50, optim/optimizer.py',
  };
}

/** DeepSpeed steps ZeRO 3 in groups of so many elements (`sub_group_size`), and casts the gradients of one group at a time. */
const zero3GroupElements = 1_000_000_000;

function stepParts(held: readonly WeightUnit[], setup: StatesSetup): readonly StatePart[] {
  const { sharding, precision, offload } = setup;
  const trained = weightElements(held, isTrainable);
  const inGroups = sharding.kind === 'zero' && sharding.stage === 3;
  const cast = inGroups ? Math.min(trained, zero3GroupElements) : trained;
  const working = sumOverTensors(held, (tensor, count) =>
    tensor.trainable && !isQuantised(tensor.storage ?? precision.weights)
      ? count * tensorElements(tensor) * (workingType(tensor, setup) === 'fp32' ? 4 : 2)
      : 0,
  );
  return [
    {
      key: 'gradient-copy',
      label: 'Gradients cast to fp32 for the step',
      bytes: precision.gradientCopyForStep && !setup.optimizerInBackward ? 4 * cast : 0,
      group: 'gradients',
      place: offload.optimizer,
      live: ['step'],
      formula: '4 bytes × the trained weights this rank steps',
      source: 'DeepSpeed 0.19, stage_1_and_2.py and stage3.py step',
    },
    {
      key: 'step-temporaries',
      label: 'Temporaries of the step',
      bytes: setup.foreachStep && offload.optimizer === 'device' && !setup.optimizerInBackward ? working : 0,
      group: 'optimizer',
      place: 'device',
      live: ['step'],
      formula: 'about the size of the weights that are stepped; 0 with fused=True or foreach=False',
      source: 'torch 2.13 documentation of foreach: about sizeof(params) more at the peak',
    },
  ];
}
