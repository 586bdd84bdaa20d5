import type { LintContext } from '../lint/rule.ts';
import { keywordNamed } from '../python/arguments.ts';
import { type CheckpointSite, isReentrant } from '../sites/checkpointSite.ts';
import { callsIn } from '../sites/region.ts';
import { createContexts } from './selectivePolicies.ts';

/** Whether a call certainly checkpoints selectively: its `context_fn` makes torch's selective contexts. */
export function isSelective(site: CheckpointSite, { names }: LintContext): boolean {
  const value = keywordNamed(site.given, 'context_fn')?.value;
  if (value === undefined || isReentrant(site)) return false;
  const { targets, complete } = names.resolve(value);
  const [only] = targets;
  if (!complete || targets.length !== 1 || only === undefined) return false;
  if (only.qualified === createContexts) return true;
  const { definition } = only;
  if (definition === undefined || definition.kind === 'class') return false;
  return callsIn(definition).some(({ callee }) => names.qualifiedName(callee) === createContexts);
}
