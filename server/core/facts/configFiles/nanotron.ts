import { configClass } from '../../families/configClass.ts';
import type { CheckpointingNow, DataType, Fact, OptimizerName, ShardingName } from '../facts.ts';
import type { Given } from './given.ts';
import { modelOfClass } from './models.ts';
import { alsoSays, derived, present, type SaidModel, type SaidRun } from './said.ts';
import { choiceGiven, meaningOf, numberGiven, switchGiven, valueGiven } from './values.ts';
import { attentionWords, dataTypeWords, optimizerWords, zeroStages } from './words.ts';

/** nanotron's YAML. Weights are made in the model's type, with fp32 copies in the optimizer. */
export function readNanotron(given: Given): SaidRun {
  const type = choiceGiven<DataType>(given, dataTypeWords, 'model.dtype');
  const again = switchGiven(given, false, 'parallelism.recompute_layer');
  const model = modelGiven(given);
  const settings = present({
    batch: numberGiven(given, 1, 'tokens.micro_batch_size'),
    sequence: numberGiven(given, 2048, 'tokens.sequence_length'),
    gradientAccumulation: numberGiven(given, 1, 'tokens.batch_accumulation_per_replica'),
    dataType: type,
    autocast: type && derived(false, `nanotron makes the weights in ${type.value}`, type.origin),
    attention: meaningOf(given, attentionWords, 'model.model_config._attn_implementation'),
    checkpointing: again && alsoSays(again.value ? everyLayer : { mode: 'none', segment: 1 }, again),
    optimizer: choiceGiven<OptimizerName>(given, optimizerWords, 'optimizer.optimizer_factory.name'),
    optimizerImplementation: fused(given),
    sharding: choiceGiven<ShardingName>(given, zeroStages, 'optimizer.zero_stage'),
    dataParallel: numberGiven(given, 1, 'parallelism.dp'),
    tensorParallel: numberGiven(given, 1, 'parallelism.tp'),
    pipelineParallel: numberGiven(given, 1, 'parallelism.pp'),
    contextParallel: numberGiven(given, 1, 'parallelism.context_parallel_size'),
    expertParallel: numberGiven(given, 1, 'parallelism.expert_parallel_size'),
  });
  return { ...(model !== undefined && { model }), settings, defaults: {}, notes: given.notes };
}

const everyLayer: CheckpointingNow = { mode: 'full', segment: 1, mechanism: 'recompute_layer' };

function fused(given: Given) {
  const on = switchGiven(given, false, 'optimizer.optimizer_factory.torch_adam_is_fused');
  return on?.value === true ? alsoSays('fused' as const, on) : undefined;
}

const classes = [
  ['is_llama_config', 'LlamaConfig'],
  ['is_qwen2_config', 'Qwen2Config'],
  ['is_starcoder2_config', 'Starcoder2Config'],
] as const;

/** Sizes under the names that transformers has; a mark beside them tells which model they are for. */
function modelGiven(given: Given): SaidModel | undefined {
  const block = 'model.model_config';
  for (const [mark, className] of classes) {
    const on = switchGiven(given, false, `${block}.${mark}`);
    const config = on?.value === true ? configClass(className) : undefined;
    if (on === undefined || config === undefined) continue;
    const values = new Map<string, Fact<unknown>>();
    for (const key of given.names(block)) {
      const fact = valueGiven<unknown>({ ...given, notes: [] }, undefined, [`${block}.${key}`], (value) => value);
      if (fact !== undefined) values.set(key, fact);
    }
    const name = derived(`nanotron ${className.replace('Config', '')}`, mark, on.origin);
    return given.find(`${block}.moe_config.num_experts`) === undefined
      ? modelOfClass(name, config, values, on.origin)
      : { name, model: undefined, notes: ['no PyTorch account for nanotron with experts yet'] };
  }
  return undefined;
}
