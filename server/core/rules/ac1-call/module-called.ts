import { addKeyword } from '../../lint/addKeyword.ts';
import type { Finding, Fix, LintContext, Rule } from '../../lint/rule.ts';
import { givenArguments, keywordNamed } from '../../python/arguments.ts';
import type { Expression } from '../../python/ast.ts';
import type { ResolvedCall } from '../../python/calls.ts';
import type { Names } from '../../python/names.ts';
import { statementsOf } from '../../python/walk.ts';
import { hasUseReentrant } from '../../torch/checkpointApi.ts';

const called = 'torch.utils.checkpoint';

export const rule: Rule = {
  code: 'AC106',
  name: 'module-called',
  severity: 'error',
  summary: 'the module `torch.utils.checkpoint` is called instead of its function',
  *check(context): Generator<Finding> {
    for (const resolved of [...context.calls.to(called), ...throughStarImport(context)]) {
      const { call } = resolved;
      const message =
        "raises TypeError: 'module' object is not callable: the function is torch.utils.checkpoint.checkpoint";
      yield { at: call.callee, about: call, message, fixes: callTheFunction(resolved, context) };
    }
  },
};

/** `torch` that no line of the file binds: it came along with a star import, since otherwise the name would not exist. */
function throughStarImport({ calls, names, module }: LintContext): ResolvedCall[] {
  const written = calls
    .named('checkpoint')
    .filter((call) => isUnboundPath(call.callee, names) && calls.target(call) === undefined);
  const hasStar =
    written.length > 0 && [...statementsOf(module.body)].some((one) => one.kind === 'importFrom' && one.star);
  return hasStar ? written.map((call) => ({ call, qualified: called, given: givenArguments([], call.arguments) })) : [];
}

function isUnboundPath(callee: Expression, names: Names): boolean {
  if (callee.kind !== 'attribute' || callee.object.kind !== 'attribute') return false;
  const { object: root, attribute } = callee.object;
  return (
    attribute.name === 'utils' && root.kind === 'name' && root.name === 'torch' && names.bindingsOf(root).length === 0
  );
}

/**
 * The call raised, so there is no variant to keep: one that names none gets the recommended one along. A call without inputs
 * would fail as a call of the function too.
 */
function callTheFunction({ call, given }: ResolvedCall, { calls, module, versions }: LintContext): Fix[] {
  const hasInputs = given.positional.length > 1 || given.openPositional || given.openKeywords;
  if ((calls.target(call)?.preset.length ?? 0) > 0 || !hasInputs) return [];
  const { end } = call.callee;
  const isComplete =
    keywordNamed(given, 'use_reentrant') !== undefined || given.openKeywords || !hasUseReentrant(versions.torch);
  const variant = isComplete ? [] : (addKeyword(module, call, 'use_reentrant=False') ?? []);
  const title = isComplete ? 'Call checkpoint.checkpoint' : 'Call checkpoint.checkpoint with use_reentrant=False';
  return [{ title, preferred: true, edits: [{ span: { start: end, end }, text: '.checkpoint' }, ...variant] }];
}
