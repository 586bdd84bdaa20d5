import { addKeyword } from '../../lint/addKeyword.ts';
import type { Finding, LintContext, Rule } from '../../lint/rule.ts';
import { givenArguments, keywordNamed, literalEntries } from '../../python/arguments.ts';
import type { Call, Expression } from '../../python/ast.ts';
import { constantOf } from '../../python/constants.ts';
import { mentions } from '../../python/mentions.ts';
import { statementsOf } from '../../python/walk.ts';
import { isBefore } from '../../torch/version.ts';
import { constantGiven, literalBehind, trainerConfigs, trainers } from '../trainingArguments.ts';

const container = 'gradient_checkpointing_kwargs';

export const rule: Rule = {
  code: 'AC602',
  name: 'hf-trainer-resets-kwargs',
  severity: 'warning',
  summary: "checkpointing options given to the model that the Trainer's own call replaces",
  *check(context): Generator<Finding> {
    const { calls, names, module, versions } = context;
    if (isBefore(versions.transformers, 4, 35)) return;
    const [trainer, ...otherTrainers] = trainers(calls);
    const configs = trainerConfigs(calls);
    const [config] = configs;
    // Two runs in one file may well be meant to differ.
    if (trainer === undefined || otherTrainers.length > 0 || config === undefined || configs.length > 1) return;
    const { given } = config;
    if (constantGiven(config, 'gradient_checkpointing', names) !== true) return;
    if (given.openKeywords || keywordNamed(given, container) !== undefined || setsContainer(context)) return;
    const byDefault = defaultVariant(context, config.qualified);
    for (const call of calls.named('gradient_checkpointing_enable')) {
      const options = optionsOf(call);
      if (options === undefined || !isLost(context, options, byDefault)) continue;
      const text = module.text.slice(options.start, options.end);
      const isLiteral = options.kind === 'dictionary' || options.kind === 'call';
      const edits = isLiteral ? addKeyword(module, config.call, `${container}=${text}`) : undefined;
      const line = `the Trainer enables checkpointing again with its own ${container}`;
      yield {
        at: options,
        about: call,
        message: `${line}: these options are lost${variantAfter(context, options, byDefault)}`,
        fixes:
          edits === undefined ? [] : [{ title: `Give ${container} to the training arguments`, preferred: true, edits }],
      };
    }
  },
};

function optionsOf(call: Call): Expression | undefined {
  const given = givenArguments([], call.arguments);
  const options = keywordNamed(given, container)?.value ?? given.positional[0]?.value;
  return options?.kind === 'constant' ? undefined : options;
}

type Variant = 'reentrant' | 'non-reentrant' | 'by version';

/** What the trainer takes when it is given no options. TRL's trainers set the variant themselves since 2026. */
function defaultVariant({ versions }: LintContext, qualified: string): Variant {
  if (qualified.startsWith('trl.')) return 'non-reentrant';
  if (versions.transformers === undefined) return 'by version';
  return isBefore(versions.transformers, 5, 0) ? 'reentrant' : 'non-reentrant';
}

/** Where the default is known to be these very options nothing changes. */
function isLost({ names }: LintContext, options: Expression, byDefault: Variant): boolean {
  const entries = literalEntries(literalBehind(options, names)) ?? [];
  return entries.some(({ name, value }) => {
    if (name !== 'use_reentrant' || byDefault === 'by version') return true;
    return constantOf(value, names) !== (byDefault === 'reentrant');
  });
}

function variantAfter({ names }: LintContext, options: Expression, byDefault: Variant): string {
  const entries = literalEntries(literalBehind(options, names)) ?? [];
  const asked = entries.find(({ name }) => name === 'use_reentrant');
  const reentrant = asked === undefined ? undefined : constantOf(asked.value, names);
  if (reentrant === false && byDefault !== 'non-reentrant') {
    return `, and the run is reentrant${byDefault === 'by version' ? ' under transformers 4' : ''}`;
  }
  if (reentrant === true && byDefault !== 'reentrant') {
    return `, and the run is not reentrant${byDefault === 'by version' ? ' since transformers 5' : ''}`;
  }
  return '';
}

/** `args.gradient_checkpointing_kwargs = …` gives the options later. */
function setsContainer({ module }: LintContext): boolean {
  if (!mentions(module, `.${container}`)) return false;
  for (const statement of statementsOf(module.body)) {
    if (statement.kind !== 'assign') continue;
    if (statement.targets.some((one) => one.kind === 'attribute' && one.attribute.name === container)) return true;
  }
  return false;
}
