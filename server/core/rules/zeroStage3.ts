import type { LintContext } from '../lint/rule.ts';
import { keywordNamed, literalEntries } from '../python/arguments.ts';
import type { Expression } from '../python/ast.ts';
import { constantOf } from '../python/constants.ts';
import { mentions } from '../python/mentions.ts';
import { literalBehind, trainerConfigs } from './trainingArguments.ts';

/**
 * Whether this file configures DeepSpeed ZeRO stage 3 and freezes parameters: a configuration as a dict, Accelerate's plugin or
 * Lightning's strategy, with PEFT adapters or `requires_grad_(False)`.
 */
export const partitionsFrozenParameters = (context: LintContext): boolean =>
  hasDeepSpeed(context) && freezes(context) && usesStage3(context);

const hasDeepSpeed = ({ module }: LintContext): boolean => mentions(module, deepspeed);

const deepspeed = /deepspeed|zero_optimization/i;

function freezes({ calls, names }: LintContext): boolean {
  if (calls.to('peft.get_peft_model').length > 0) return true;
  if (trainerConfigs(calls).length > 0 && calls.to('peft.LoraConfig').length > 0) return true;
  return calls
    .named('requires_grad_')
    .some(({ arguments: [first] }) => first?.kind === 'positional' && constantOf(first.value, names) === false);
}

function usesStage3(context: LintContext): boolean {
  const { calls, names } = context;
  const configurations = [
    ...trainerConfigs(calls).map(({ given }) => keywordNamed(given, 'deepspeed')),
    ...calls
      .to('deepspeed.initialize')
      .map(({ given }) => keywordNamed(given, 'config') ?? keywordNamed(given, 'config_params')),
    ...calls
      .to(
        'transformers.integrations.HfDeepSpeedConfig',
        'transformers.integrations.deepspeed.HfDeepSpeedConfig',
        'transformers.deepspeed.HfDeepSpeedConfig',
      )
      .map(({ given }) => given.positional[0]),
    ...calls
      .to('accelerate.DeepSpeedPlugin', 'accelerate.utils.DeepSpeedPlugin')
      .map(({ given }) => keywordNamed(given, 'hf_ds_config')),
  ];
  if (configurations.some((one) => one !== undefined && isStage3(one.value, context))) return true;
  const stages = [
    ...calls
      .to('accelerate.DeepSpeedPlugin', 'accelerate.utils.DeepSpeedPlugin')
      .map(({ given }) => keywordNamed(given, 'zero_stage')),
    ...calls
      .to('lightning.pytorch.strategies.DeepSpeedStrategy', 'pytorch_lightning.strategies.DeepSpeedStrategy')
      .map(({ given }) => keywordNamed(given, 'stage')),
  ];
  return stages.some((one) => one !== undefined && constantOf(one.value, names) === 3);
}

function isStage3(configuration: Expression, { names }: LintContext): boolean {
  const zero = literalEntries(literalBehind(configuration, names))?.find(({ name }) => name === 'zero_optimization');
  const entries = zero === undefined ? undefined : literalEntries(literalBehind(zero.value, names));
  const stage = entries?.find(({ name }) => name === 'stage');
  return stage !== undefined && constantOf(stage.value, names) === 3;
}
