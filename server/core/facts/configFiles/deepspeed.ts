import type { Fact, OffloadName, OptimizerName, ShardingName } from '../facts.ts';
import type { Given } from './given.ts';
import { alsoSays, present, type SaidRun } from './said.ts';
import { choiceGiven, numberGiven, switchGiven, textGiven } from './values.ts';
import { optimizerWords, zeroStages } from './words.ts';

/**
 * DeepSpeed's configuration, as a file or a dictionary. "auto" says nothing: transformers fills it in from its own
 * arguments. The block `activation_checkpointing` only tunes DeepSpeed's own function and switches nothing on.
 */
export function readDeepSpeed(given: Given): SaidRun {
  const bf16 = switchGiven(given, false, 'bf16.enabled', 'bfloat16.enabled');
  const fp16 = switchGiven(given, false, 'fp16.enabled');
  const type =
    bf16?.value === true
      ? alsoSays('bf16' as const, bf16)
      : fp16?.value === true
        ? alsoSays('fp16' as const, fp16)
        : undefined;
  const settings = present({
    batch: numberGiven(given, 1, 'train_micro_batch_size_per_gpu'),
    gradientAccumulation: numberGiven(given, 1, 'gradient_accumulation_steps'),
    dataType: type,
    // DeepSpeed turns the weights themselves into that type and keeps fp32 copies in its optimizer.
    autocast: type && alsoSays(false, type),
    sharding: choiceGiven<ShardingName>(given, zeroStages, 'zero_optimization.stage'),
    offload: offloadGiven(
      given,
      'zero_optimization.offload_optimizer.device',
      'zero_optimization.offload_param.device',
    ),
    optimizer: choiceGiven<OptimizerName>(given, optimizerWords, 'optimizer.type'),
    tensorParallel: numberGiven(given, 1, 'tensor_parallel.autotp_size'),
  });
  return { settings, defaults: {}, notes: given.notes };
}

/** Parameters are only offloaded where the optimizer's states are, too. */
export function offloadGiven(given: Given, optimizer: string, parameters: string): Fact<OffloadName> | undefined {
  const devices = [textGiven(given, parameters), textGiven(given, optimizer)];
  const [parameter, state] = devices.map((device) => (/^(cpu|nvme)$/.test(device?.value ?? '') ? device : undefined));
  if (parameter !== undefined) return alsoSays('parameters-and-optimizer', parameter);
  return state && alsoSays('optimizer', state);
}
