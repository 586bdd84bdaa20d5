import { addKeyword } from '../../lint/addKeyword.ts';
import type { Finding, LintContext, Rule } from '../../lint/rule.ts';
import { givenArguments, keywordNamed } from '../../python/arguments.ts';
import type { Call, Expression } from '../../python/ast.ts';
import { mentions } from '../../python/mentions.ts';
import { isBefore } from '../../torch/version.ts';
import { pretrainedModel } from '../pretrainedModel.ts';
import { isSameObject, runsBefore } from '../runsBefore.ts';
import { isNoGrad } from '../withoutGrad.ts';

export const rule: Rule = {
  code: 'AC611',
  name: 'generate-while-checkpointing',
  severity: 'warning',
  summary: '`generate` on a transformers model in train mode whose layers checkpoint, and drop the cache it needs',
  *check(context): Generator<Finding> {
    const { calls, module, versions } = context;
    // Older layers dropped the cache in another way; a generation config may turn it off.
    if (isBefore(versions.transformers, 5, 0) || mentions(module, silencing)) return;
    for (const call of calls.named('generate')) {
      const model = receiverOf(call);
      if (model === undefined || !usesCache(call, model, context)) continue;
      if (!hasRun(context, 'gradient_checkpointing_enable', model, call) || !isTraining(context, model, call)) continue;
      const written = module.text.slice(model.start, model.end);
      const edits = addKeyword(module, call, 'use_cache=False');
      yield {
        at: call.callee,
        about: call,
        message: `generates other tokens than ${written} means: in train mode its checkpointed layers drop the cache, and each step sees the newest token alone`,
        fixes:
          edits === undefined ? [] : [{ title: 'Add use_cache=False (right, and slower)', preferred: false, edits }],
      };
    }
  },
};

const silencing = /gradient_checkpointing_disable|generation_config|GenerationConfig/;

const receiverOf = ({ callee }: Call): Expression | undefined =>
  callee.kind === 'attribute' && callee.object.kind === 'name' ? callee.object : undefined;

/** Whether nothing here or where the model is loaded turns the cache off. */
function usesCache(call: Call, model: Expression, { names, around }: LintContext): boolean {
  const loaded = pretrainedModel(model, names);
  if (loaded?.library !== 'transformers') return false;
  const isSilent = (one: Call): boolean => {
    const given = givenArguments([], one.arguments);
    return ['use_cache', 'config'].some((name) => keywordNamed(given, name) !== undefined);
  };
  // A context manager of one's own may switch the mode.
  const isPlain = around(call).withs.every(({ items }) =>
    items.every(({ value }) => isNoGrad(value, names) || isAutocast(value)),
  );
  return isPlain && !isSilent(call) && !isSilent(loaded.loading);
}

const isAutocast = (value: Expression): boolean =>
  value.kind === 'call' &&
  /^autocast$/.test(
    value.callee.kind === 'attribute'
      ? value.callee.attribute.name
      : value.callee.kind === 'name'
        ? value.callee.name
        : '',
  );

function hasRun(context: LintContext, method: string, model: Expression, before: Call): boolean {
  return context.calls.named(method).some((one) => {
    const receiver = receiverOf(one);
    return receiver !== undefined && isSameObject(context, receiver, model) && runsBefore(context, one, before);
  });
}

/** `model.train()` has run, and nothing between it and the call may have switched back. */
function isTraining(context: LintContext, model: Expression, call: Call): boolean {
  const { calls } = context;
  const switched = calls.named('train').findLast((one) => {
    const receiver = receiverOf(one);
    if (receiver === undefined || !isSameObject(context, receiver, model) || one.arguments.length > 0) return false;
    return runsBefore(context, one, call);
  });
  if (switched === undefined) return false;
  const between = (one: Call): boolean => one.start > switched.start && one.start < call.start;
  return ![...calls.named('eval'), ...calls.named('train').filter(({ arguments: given }) => given.length > 0)].some(
    between,
  );
}
