import type { Finding, LintContext, Rule } from '../../lint/rule.ts';
import { givenArguments, keywordNamed } from '../../python/arguments.ts';
import type { Call } from '../../python/ast.ts';
import { constantOf } from '../../python/constants.ts';
import { mentions } from '../../python/mentions.ts';
import { isSelective } from '../selectiveSites.ts';

export const rule: Rule = {
  code: 'AC406',
  name: 'selective-backward-twice',
  severity: 'warning',
  summary: 'a second backward through a region that is checkpointed selectively',
  *check(context): Generator<Finding> {
    if (!mentions(context.module, 'retain_graph')) return;
    const selective = context.sites.filter((site) => isSelective(site, context));
    if (selective.length === 0) return;
    const backwards = context.calls.named('backward').filter(({ callee }) => callee.kind === 'attribute');
    for (const call of backwards) {
      const retain = keywordNamed(givenArguments([], call.arguments), 'retain_graph');
      if (retain === undefined || constantOf(retain.value, context.names) !== true) continue;
      const around = context.around(call);
      const [next] = backwards.filter(
        (other) => other.start > call.start && context.around(other).function === around.function,
      );
      if (next === undefined && around.loops.length === 0) continue;
      const isSame = next !== undefined && isSameLoss(call, next, context);
      const isOwn = selective.some((site) => context.around(site.call).function === around.function);
      const isCertain = isSame && isOwn;
      yield {
        at: retain.argument,
        about: call,
        severity: isCertain ? 'error' : 'warning',
        message: `${isCertain ? 'the next backward raises' : 'a second backward through a selectively checkpointed region raises'} RuntimeError: Trying to backward an extra time`,
        fixes: [],
      };
    }
  },
};

/** `loss.backward(retain_graph=True)` and then `loss.backward()`. */
function isSameLoss(first: Call, second: Call, { names }: LintContext): boolean {
  const [a, b] = [first.callee, second.callee];
  if (a.kind !== 'attribute' || b.kind !== 'attribute' || a.object.kind !== 'name' || b.object.kind !== 'name')
    return false;
  if (a.object.name !== b.object.name) return false;
  const [one, ...others] = names.bindingsOf(a.object);
  const again = names.bindingsOf(b.object);
  return one !== undefined && others.length === 0 && again.length === 1 && again[0] === one;
}
