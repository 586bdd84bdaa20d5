import type { LintContext } from '../lint/rule.ts';
import { type GivenArguments, givenArguments, keywordNamed, literalEntries } from '../python/arguments.ts';
import type { Argument, Call } from '../python/ast.ts';
import { constantOf } from '../python/constants.ts';
import { mentions } from '../python/mentions.ts';
import { constantGiven, literalBehind, trainerConfigs, trainingArguments } from './trainingArguments.ts';

/** One place where checkpointing of a transformers model is switched on for certain, and the variant that runs. */
export interface Enabling {
  readonly call: Call;
  readonly by: 'arguments' | 'method';
  /** Undefined where neither the code nor the known library version decides it. */
  readonly reentrant: boolean | undefined;
  /** What says so, where the code does. */
  readonly options: Argument | undefined;
}

/** `TrainingArguments(gradient_checkpointing=True)`, TRL's argument classes, and `model.gradient_checkpointing_enable()`. */
export function enablings(context: LintContext): readonly Enabling[] {
  const { calls, names, module } = context;
  const transformersOwn = new Set(trainingArguments(calls).map(({ call }) => call));
  const byArguments = trainerConfigs(calls).flatMap((config): Enabling[] => {
    if (constantGiven(config, 'gradient_checkpointing', names) !== true) return [];
    // TRL's classes have a default of their own, which changed in 2026.
    const isOwn = transformersOwn.has(config.call);
    return [
      { call: config.call, by: 'arguments', ...variantOf(config.given, isOwn && !config.given.openKeywords, context) },
    ];
  });
  if (!mentions(module, 'transformers')) return byArguments;
  const byMethod = calls.named('gradient_checkpointing_enable').flatMap((call): Enabling[] => {
    if (call.callee.kind !== 'attribute') return [];
    const given = givenArguments([], call.arguments);
    return [
      {
        call,
        by: 'method',
        ...variantOf(given, given.positional.length === 0 && !given.openPositional && !given.openKeywords, context),
      },
    ];
  });
  return [...byArguments, ...byMethod];
}

function variantOf(
  given: GivenArguments,
  hasDefault: boolean,
  { names, versions }: LintContext,
): Pick<Enabling, 'reentrant' | 'options'> {
  const options = keywordNamed(given, 'gradient_checkpointing_kwargs');
  if (options === undefined) {
    // Up to 4.37 torch's default, then an explicit True; False since 5.0.
    const version = hasDefault ? versions.transformers : undefined;
    return { reentrant: version === undefined ? undefined : version.major < 5, options: undefined };
  }
  const entries = literalEntries(literalBehind(options.value, names));
  const entry = entries?.find(({ name }) => name === 'use_reentrant');
  const value = entry === undefined ? undefined : constantOf(entry.value, names);
  return { reentrant: typeof value === 'boolean' ? value : undefined, options: options.argument };
}
