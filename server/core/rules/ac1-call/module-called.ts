import { addKeyword } from '../../lint/addKeyword.ts';
import type { Finding, Fix, LintContext, Rule } from '../../lint/rule.ts';
import { keywordNamed } from '../../python/arguments.ts';
import type { ResolvedCall } from '../../python/calls.ts';
import { hasUseReentrant } from '../../torch/checkpointApi.ts';

export const rule: Rule = {
  code: 'AC106',
  name: 'module-called',
  severity: 'error',
  summary: 'the module `torch.utils.checkpoint` is called instead of its function',
  *check(context): Generator<Finding> {
    for (const resolved of context.calls.to('torch.utils.checkpoint')) {
      const { call } = resolved;
      const message =
        "raises TypeError: 'module' object is not callable: the function is torch.utils.checkpoint.checkpoint";
      yield { at: call.callee, about: call, message, fixes: callTheFunction(resolved, context) };
    }
  },
};

/** The call raised, so there is no variant to keep: one that names none gets the recommended one along. */
function callTheFunction({ call, given }: ResolvedCall, { calls, module, versions }: LintContext): Fix[] {
  if ((calls.target(call)?.preset.length ?? 0) > 0) return [];
  const { end } = call.callee;
  const isComplete =
    keywordNamed(given, 'use_reentrant') !== undefined || given.openKeywords || !hasUseReentrant(versions.torch);
  const variant = isComplete ? [] : (addKeyword(module, call, 'use_reentrant=False') ?? []);
  const title = isComplete ? 'Call checkpoint.checkpoint' : 'Call checkpoint.checkpoint with use_reentrant=False';
  return [{ title, preferred: true, edits: [{ span: { start: end, end }, text: '.checkpoint' }, ...variant] }];
}
