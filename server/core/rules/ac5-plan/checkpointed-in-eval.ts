import type { Finding, LintContext, Rule } from '../../lint/rule.ts';
import type { Name } from '../../python/ast.ts';

export const rule: Rule = {
  code: 'AC506',
  name: 'checkpointed-in-eval',
  severity: 'information',
  summary: 'a transformers model trained in eval mode, in which it does not checkpoint',
  *check(context): Generator<Finding> {
    const { calls, around, module } = context;
    if (!module.text.includes('.backward(') || /\btrain\(|Trainer\(|\.training\b/.test(module.text)) return;
    for (const call of calls.named('gradient_checkpointing_enable')) {
      if (call.callee.kind !== 'attribute' || call.callee.object.kind !== 'name') continue;
      const model = call.callee.object;
      const inside = around(call).function;
      const backward = calls.named('backward').some((one) => around(one).function === inside && one.start > call.end);
      if (!backward || !isPretrained(context, model)) continue;
      yield {
        at: call.callee,
        about: call,
        message: `has no effect: from_pretrained gives the model in eval mode, and nothing here calls ${model.name}.train()`,
        fixes: [],
      };
    }
  },
};

/** Bound once, to what a class of transformers loads. */
function isPretrained({ names }: LintContext, model: Name): boolean {
  const bindings = names.bindingsOf(model);
  const [binding] = bindings;
  if (bindings.length !== 1 || binding?.to !== 'value' || binding.value.kind !== 'call') return false;
  return /^transformers\.(\w+\.)*\w+\.from_pretrained$/.test(names.qualifiedName(binding.value.callee) ?? '');
}
