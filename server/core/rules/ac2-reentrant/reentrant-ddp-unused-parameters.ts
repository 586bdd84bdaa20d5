import { removeArguments } from '../../lint/removeArguments.ts';
import type { Finding, Fix, LintContext, Rule } from '../../lint/rule.ts';
import { keywordNamed } from '../../python/arguments.ts';
import type { Expression } from '../../python/ast.ts';
import { isReentrant } from '../../sites/checkpointSite.ts';
import { contains, type Span } from '../../text/span.ts';
import { type Enabling, enablings } from '../huggingFaceVariant.ts';
import { constantGiven, trainerConfigs } from '../trainingArguments.ts';
import { unusedParameterSearches } from '../unusedParameterSearch.ts';

const effect = 'and a reentrant checkpoint make the backward pass raise "Expected to mark a variable ready only once"';

export const rule: Rule = {
  code: 'AC206',
  name: 'reentrant-ddp-unused-parameters',
  severity: 'error',
  summary: 'DistributedDataParallel looks for unused parameters of a model with reentrant checkpoints',
  *check(context): Generator<Finding> {
    if (!context.module.text.includes('find_unused_parameters')) return;
    const enabled = enablings(context);
    yield* inTrainingArguments(enabled, context);
    const searches = unusedParameterSearches(context);
    for (const { call, at, asWritten, model } of searches) {
      const where = reentrantRegion(model, enabled, context);
      if (where === undefined) continue;
      const fixes: Fix[] =
        asWritten === 'find_unused_parameters=True' && at.argument.kind === 'keyword'
          ? [
              {
                title: 'Remove find_unused_parameters',
                preferred: false,
                edits: removeArguments(context.module, call, [at.argument]),
              },
            ]
          : [];
      yield { at: at.argument, about: call, message: `${asWritten} ${effect}`, fixes };
    }
  },
};

/** transformers' Trainer wraps the model itself. */
function* inTrainingArguments(enabled: readonly Enabling[], context: LintContext): Generator<Finding> {
  for (const config of trainerConfigs(context.calls)) {
    const flag = keywordNamed(config.given, 'ddp_find_unused_parameters');
    if (flag === undefined || flag.preset) continue;
    if (constantGiven(config, 'ddp_find_unused_parameters', context.names) !== true) continue;
    if (enabled.find(({ call }) => call === config.call)?.reentrant !== true) continue;
    const edits = removeArguments(context.module, config.call, [flag.argument]);
    yield {
      at: flag.argument,
      about: config.call,
      message: `ddp_find_unused_parameters=True ${effect}`,
      fixes: [{ title: 'Remove ddp_find_unused_parameters', preferred: false, edits }],
    };
  }
}

/**
 * Something reentrant that this model certainly runs: a call in the wrapped class, or checkpointing of a transformers model
 * that is switched on without a condition. What a flag of the model decides may be off.
 */
function reentrantRegion(
  model: Expression | undefined,
  enabled: readonly Enabling[],
  context: LintContext,
): Span | undefined {
  const { sites, names } = context;
  const switchedOn = enabled.find(
    ({ call, by, reentrant }) => by === 'method' && reentrant === true && isUnconditional(call, context),
  );
  if (switchedOn !== undefined) return switchedOn.call;
  const certain = sites.filter(
    (site) => isReentrant(site) && !site.configuresOnly && isUnconditional(site.call, context),
  );
  if (model === undefined) return undefined;
  const made = madeFrom(model);
  const { targets, complete } = made === undefined ? { targets: [], complete: false } : names.resolve(made);
  const definition = complete && targets.length === 1 ? targets[0]?.definition : undefined;
  return definition === undefined ? undefined : certain.find(({ call }) => contains(definition, call))?.call;

  /** The class a model is made from, through `.to(…)` and `.cuda()`. */
  function madeFrom(expression: Expression): Expression | undefined {
    let value = expression;
    for (let step = 0; step < 8; step++) {
      if (value.kind === 'name') {
        const bindings = names.bindingsOf(value);
        const [binding] = bindings;
        if (bindings.length !== 1 || binding?.to !== 'value') return undefined;
        value = binding.value;
      } else if (
        value.kind === 'call' &&
        value.callee.kind === 'attribute' &&
        ['to', 'cuda', 'train'].includes(value.callee.attribute.name)
      ) {
        value = value.callee.object;
      } else {
        return value.kind === 'call' ? value.callee : undefined;
      }
    }
    return undefined;
  }
}

/** Reached in every training step: no condition but the mode the model is in. */
function isUnconditional(place: Span, { around, module }: LintContext): boolean {
  return around(place).conditions.every(({ test, holds }) => {
    const text = module.text.slice(test.start, test.end);
    return holds && /^(self\.training|torch\.is_grad_enabled\(\)|\w+\.requires_grad)$/.test(text);
  });
}
