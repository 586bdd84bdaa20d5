import { removeArguments } from '../../lint/removeArguments.ts';
import type { Finding, Fix, LintContext, Rule } from '../../lint/rule.ts';
import { keywordNamed } from '../../python/arguments.ts';
import type { Expression } from '../../python/ast.ts';
import { mentions } from '../../python/mentions.ts';
import { isReentrant } from '../../sites/checkpointSite.ts';
import { contains, type Span } from '../../text/span.ts';
import { type Enabling, enablings } from '../huggingFaceVariant.ts';
import { sharedRegions } from '../sharedRegions.ts';
import { switchToNonReentrant } from '../switchVariant.ts';
import { constantGiven, trainerConfigs } from '../trainingArguments.ts';
import { distributedDataParallel, unusedParameterSearches } from '../unusedParameterSearch.ts';
import { wrappedClass } from '../wrappedClass.ts';

const effect = 'and a reentrant checkpoint make the backward pass raise "Expected to mark a variable ready only once"';

export const rule: Rule = {
  code: 'AC206',
  name: 'reentrant-ddp-unused-parameters',
  severity: 'error',
  summary: 'DistributedDataParallel looks for unused parameters of a model with reentrant checkpoints',
  *check(context): Generator<Finding> {
    yield* inSharedModules(context);
    if (!mentions(context.module, 'find_unused_parameters')) return;
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

/** With these DistributedDataParallel does not count how often a parameter is ready. */
const staysReadyOnce = /_set_static_graph|no_sync/;

/** The other way to the same error: parameters that are ready once for each region they are in. */
function* inSharedModules(context: LintContext): Generator<Finding> {
  const { calls, names, module, sites } = context;
  if (sites.length === 0 || mentions(module, staysReadyOnce)) return;
  for (const { given } of calls.to(...distributedDataParallel)) {
    const model = (keywordNamed(given, 'module') ?? given.positional[0])?.value;
    const owner = model === undefined ? undefined : wrappedClass(model, names);
    // A search for unused parameters is told by itself, and a static graph counts how often each one is ready.
    const isOther = ['static_graph', 'find_unused_parameters'].some((name) => keywordNamed(given, name) !== undefined);
    if (owner === undefined || given.openKeywords || isOther) continue;
    for (const shared of sharedRegions(owner, context)) {
      const [first] = shared.sites;
      if (first === undefined || !shared.sites.every(({ call }) => isUnconditional(call, context))) continue;
      yield {
        at: first.call.callee,
        about: first.call,
        message: `${shared.module} is in several reentrant regions of one step: DistributedDataParallel hears of its gradients each time, and the backward pass raises "Expected to mark a variable ready only once"`,
        fixes: switchToNonReentrant(module, shared.sites, false),
      };
    }
  }
}

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
  const definition = model === undefined ? undefined : wrappedClass(model, names);
  return definition === undefined ? undefined : certain.find(({ call }) => contains(definition, call))?.call;
}

/** Reached in every training step: no condition but the mode the model is in. */
function isUnconditional(place: Span, { around, module }: LintContext): boolean {
  return around(place).conditions.every(({ test, holds }) => {
    const text = module.text.slice(test.start, test.end);
    return holds && /^(self\.training|torch\.is_grad_enabled\(\)|\w+\.requires_grad)$/.test(text);
  });
}
