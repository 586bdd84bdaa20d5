import { flagGiven } from '../../config/flags.ts';
import { configOfExpression } from '../../config/pythonDictionary.ts';
import { type ConfigMapping, type ConfigNode, entryAt, mappingAt } from '../../config/tree.ts';
import type { ConfigContext, Finding, LintContext, Rule } from '../../lint/rule.ts';
import { type GivenKeyword, keywordNamed } from '../../python/arguments.ts';
import type { ResolvedCall } from '../../python/calls.ts';
import { constantOf } from '../../python/constants.ts';
import { mentions } from '../../python/mentions.ts';
import { namedConfig } from '../configPaths.ts';
import { asksForSomething, blockName, blockOf, deepspeedFile } from '../deepspeedConfigs.ts';
import { constantGiven, literalBehind, trainerConfigs } from '../trainingArguments.ts';

export const rule: Rule = {
  code: 'AC704',
  name: 'deepspeed-block-without-effect',
  severity: 'warning',
  summary: "DeepSpeed's `activation_checkpointing` block for a trainer that never reads it",
  *check(context): Generator<Finding> {
    // Code that calls DeepSpeed's own checkpointing anywhere near gives the block its effect.
    if (mentions(context.module, deepspeedsOwn)) return;
    for (const config of trainerConfigs(context.calls)) {
      const keyword = keywordNamed(config.given, 'deepspeed');
      if (keyword === undefined || keyword.preset) continue;
      const block = blockFor(keyword, context);
      if (block === undefined || !asksForSomething(block)) continue;
      const isOn = checkpointsOtherwise(config, context);
      const message = isOn
        ? 'has no effect: the Trainer checkpoints with torch and never reads this block'
        : 'checkpoints nothing: the Trainer never reads this block, gradient_checkpointing=True is what it reads';
      const severity = isOn ? 'information' : 'warning';
      yield { at: keyword.argument, about: config.call, severity, message: `${blockName} ${message}`, fixes: [] };
    }
  },
  *checkConfig(context): Generator<Finding> {
    yield* inScript(context);
    const config = deepspeedFile(context);
    const entry = entryAt(config?.root, blockName);
    const block = config && blockOf(config);
    if (config === undefined || entry === undefined || block === undefined || !asksForSomething(block)) return;
    if (!hasAuto(config.root, 0)) return;
    const message =
      'has no effect unless the model calls deepspeed.checkpointing itself: Transformers and Accelerate, who fill in "auto", never do; gradient_checkpointing is their switch';
    yield { at: entry.keyAt, about: entry.keyAt, severity: 'information', message, fixes: [] };
  },
};

const deepspeedsOwn = /deepspeed\.checkpointing|activation_checkpointing\.checkpointing|checkpointing\.configure/;

/** `--deepspeed file.json` is how scripts with a Trainer take it; DeepSpeed's own flag of that name has no value. */
function* inScript({ file, workspace }: ConfigContext): Generator<Finding> {
  if (file.format !== 'shell') return;
  for (const flags of file.flags) {
    const given = flagGiven(flags, '--deepspeed');
    const named = given?.value === undefined ? undefined : namedConfig(given.value, file.path, workspace);
    const block = named?.kind === 'deepspeed' ? mappingAt(named.root, blockName) : undefined;
    if (given === undefined || block === undefined || !asksForSomething(block)) continue;
    const message = `${blockName} in ${given.value} has no effect unless the program calls deepspeed.checkpointing itself: the Trainer reads --gradient_checkpointing`;
    yield { at: given.at, about: given.at, severity: 'information', message, fixes: [] };
  }
}

/** The block of the dictionary or of the file that `deepspeed=` names. */
function blockFor({ value }: GivenKeyword, { file, names, workspace }: LintContext): ConfigMapping | undefined {
  const name = constantOf(value, names);
  if (typeof name === 'string') {
    const named = namedConfig(name, file.path, workspace);
    return named?.kind === 'deepspeed' ? mappingAt(named.root, blockName) : undefined;
  }
  const literal = literalBehind(value, names);
  return literal.kind === 'dictionary' ? mappingAt(configOfExpression(literal, names), blockName) : undefined;
}

/** Something else switches checkpointing on, or may. */
function checkpointsOtherwise(config: ResolvedCall, { calls, names }: LintContext): boolean {
  if (config.given.openKeywords || calls.named('gradient_checkpointing_enable').length > 0) return true;
  if (calls.named('prepare_model_for_kbit_training').length > 0) return true;
  const given = keywordNamed(config.given, 'gradient_checkpointing');
  return given !== undefined && constantGiven(config, 'gradient_checkpointing', names) !== false;
}

/** Only Transformers and Accelerate fill in "auto"; DeepSpeed itself does not know the word. */
function hasAuto(node: ConfigNode, depth: number): boolean {
  if (depth > 3) return false;
  if (node.kind === 'scalar') return node.value === 'auto';
  return node.kind === 'mapping' && node.entries.some(({ value }) => hasAuto(value, depth + 1));
}
