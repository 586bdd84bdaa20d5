import type { Finding, LintContext, Rule } from '../../lint/rule.ts';
import type { Call, Name } from '../../python/ast.ts';
import { mentions } from '../../python/mentions.ts';
import { isBefore } from '../../torch/version.ts';
import { type PretrainedModel, pretrainedModel } from '../pretrainedModel.ts';
import { lineOf } from '../regionCode.ts';

export const rule: Rule = {
  code: 'AC506',
  name: 'checkpointed-in-eval',
  severity: 'information',
  summary: 'a transformers or diffusers model trained in eval mode, in which it does not checkpoint',
  *check(context): Generator<Finding> {
    const { calls, around, module, names } = context;
    if (!mentions(module, 'backward(') || mentions(module, modeSetElsewhere)) return;
    for (const method of ['gradient_checkpointing_enable', 'enable_gradient_checkpointing']) {
      for (const call of calls.named(method)) {
        if (call.callee.kind !== 'attribute' || call.callee.object.kind !== 'name') continue;
        const model = call.callee.object;
        const inside = around(call).function;
        const backward = calls.named('backward').find((one) => around(one).function === inside && one.start > call.end);
        const loaded = pretrainedModel(model, names);
        if (backward === undefined || loaded === undefined || !needsTraining(loaded, context)) continue;
        const evaluated = lastEval(context, model, inside, backward);
        if (trainsBehind(context, model, evaluated)) continue;
        const why =
          evaluated === undefined
            ? `from_pretrained gives the model in eval mode, and nothing here calls ${model.name}.train()`
            : `line ${lineOf(context.file, evaluated)} puts the model in eval mode, and nothing calls ${model.name}.train() behind it`;
        yield { at: call.callee, about: call, message: `has no effect: ${why}`, fixes: [] };
      }
    }
  },
};

/** Code that has its own way to put a model into the mode for training. */
const modeSetElsewhere = /Trainer\(|\.training\b/;

/** diffusers checkpoints in either mode since 0.32. */
const needsTraining = ({ library }: PretrainedModel, { versions }: LintContext): boolean =>
  library === 'transformers' || isBefore(versions.diffusers, 0, 32);

/** The last `model.eval()` before the loop, in the same function. */
function lastEval(
  { calls, around }: LintContext,
  model: Name,
  inside: ReturnType<LintContext['around']>['function'],
  backward: Call,
): Call | undefined {
  return calls.named('eval').findLast((one) => {
    const isModel =
      one.callee.kind === 'attribute' && one.callee.object.kind === 'name' && one.callee.object.name === model.name;
    const { function: place, loops, conditions } = around(one);
    return isModel && place === inside && loops.length + conditions.length === 0 && one.start < backward.start;
  });
}

/** Any `train(` counts, whoever it belongs to, except for one of this model that the eval mode comes behind. */
function trainsBehind({ module }: LintContext, model: Name, evaluated: Call | undefined): boolean {
  return [...module.text.matchAll(/([\w.]*)\btrain\(/g)].some(
    ({ 1: receiver, index }) => receiver !== `${model.name}.` || evaluated === undefined || index > evaluated.start,
  );
}
