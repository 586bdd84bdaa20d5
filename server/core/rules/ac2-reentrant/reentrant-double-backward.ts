import type { Finding, LintContext, Rule } from '../../lint/rule.ts';
import { givenArguments, keywordNamed } from '../../python/arguments.ts';
import type { Call, Expression } from '../../python/ast.ts';
import { constantOf } from '../../python/constants.ts';
import { LineIndex } from '../../text/lineIndex.ts';
import { reentrantSitesBehind } from '../sitesBehind.ts';
import { switchToNonReentrant } from '../switchVariant.ts';

export const rule: Rule = {
  code: 'AC208',
  name: 'reentrant-double-backward',
  severity: 'error',
  summary: '`backward(create_graph=True)` through a reentrant region',
  *check(context): Generator<Finding> {
    if (context.sites.length === 0) return;
    for (const { call, value } of backwardsWithGraph(context)) {
      const behind = reentrantSitesBehind(value, context);
      const [first] = behind;
      if (first === undefined) continue;
      const line = new LineIndex(context.module.text).lineAt(first.site.call.start) + 1;
      yield {
        at: call.callee,
        about: call,
        message: `gradients get no graph behind the reentrant checkpoint on line ${line}: create_graph=True is lost there, and a second derivative is silently wrong`,
        fixes: switchToNonReentrant(
          context.module,
          behind.map(({ site }) => site),
          true,
        ),
      };
    }
  },
};

/** `loss.backward(create_graph=True)`; `torch.autograd.grad` does not get through a reentrant region at all. */
function backwardsWithGraph({ calls, names }: LintContext): { call: Call; value: Expression }[] {
  return calls.named('backward').flatMap((call) => {
    const given = givenArguments([], call.arguments);
    const graph = keywordNamed(given, 'create_graph');
    if (graph === undefined || constantOf(graph.value, names) !== true) return [];
    if (keywordNamed(given, 'inputs') !== undefined || call.callee.kind !== 'attribute') return [];
    const isFunction = names.qualifiedName(call.callee) === 'torch.autograd.backward';
    const value = isFunction ? (keywordNamed(given, 'tensors') ?? given.positional[0])?.value : call.callee.object;
    return value === undefined ? [] : [{ call, value }];
  });
}
