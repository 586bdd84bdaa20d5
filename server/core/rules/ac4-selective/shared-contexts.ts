import type { Finding, Fix, LintContext, Rule } from '../../lint/rule.ts';
import { keywordNamed } from '../../python/arguments.ts';
import type { Call, Expression, FunctionDefinition, Lambda } from '../../python/ast.ts';
import { mentions } from '../../python/mentions.ts';
import type { CheckpointSite } from '../../sites/checkpointSite.ts';
import { contains } from '../../text/span.ts';
import { createContexts } from '../selectivePolicies.ts';

export const rule: Rule = {
  code: 'AC407',
  name: 'shared-contexts',
  severity: 'error',
  summary: 'one pair of selective contexts is returned for several regions',
  *check(context): Generator<Finding> {
    if (!mentions(context.module, 'create_selective_checkpoint_contexts')) return;
    const uses = context.sites.flatMap((site) => sharedBy(site, context));
    for (const { site, returned, made } of uses) {
      const isShared = uses.some((other) => other.site !== site && other.made === made);
      if (!isShared && !outlives(site, made, context)) continue;
      yield {
        at: returned,
        about: site.call,
        message:
          'the contexts are made once and used for every region: the second raises RuntimeError, Trying to backward an extra time',
        fixes: makeAnew(returned, made, site, context),
      };
    }
  },
};

interface Shared {
  readonly site: CheckpointSite;
  /** What the `context_fn` gives back. */
  readonly returned: Expression;
  /** The call that made it, outside the `context_fn`. */
  readonly made: Call;
}

function sharedBy(site: CheckpointSite, { names }: LintContext): Shared[] {
  const value = keywordNamed(site.given, 'context_fn')?.value;
  if (value === undefined) return [];
  const { targets, complete } = names.resolve(value);
  const definition = targets[0]?.definition;
  if (!complete || targets.length !== 1 || definition === undefined || definition.kind === 'class') return [];
  const returned = returnedBy(definition);
  if (returned?.kind !== 'name' && returned?.kind !== 'attribute') return [];
  const owner = returned.kind === 'attribute' ? names.classOfSelf(returned.object) : undefined;
  const values =
    returned.kind === 'name'
      ? names.bindingsOf(returned).map((binding) => (binding.to === 'value' ? binding.value : undefined))
      : owner === undefined
        ? []
        : names.memberValues(owner, returned.attribute.name);
  const [made] = values;
  if (values.length !== 1 || made?.kind !== 'call' || names.qualifiedName(made.callee) !== createContexts) return [];
  return contains(definition, made) ? [] : [{ site, returned, made }];
}

function returnedBy(definition: FunctionDefinition | Lambda): Expression | undefined {
  if (definition.kind === 'lambda') return definition.body;
  const [only] = definition.body;
  return definition.body.length === 1 && only?.kind === 'return' ? only.value : undefined;
}

/** Made outside the function that checkpoints, or outside a loop around the call: several regions get the same pair. */
function outlives(site: CheckpointSite, made: Call, { around }: LintContext): boolean {
  const here = around(site.call);
  const there = around(made);
  if (here.function === undefined) return here.loops.some((loop) => !there.loops.includes(loop));
  return there.function !== here.function || here.loops.some((loop) => !there.loops.includes(loop));
}

/** The call itself in place of its result, where its names mean the same. */
function makeAnew(returned: Expression, made: Call, site: CheckpointSite, { module, around }: LintContext): Fix[] {
  const there = around(made).function;
  if (there !== undefined && there !== around(site.call).function) return [];
  const text = module.text.slice(made.start, made.end);
  if (text.includes('\n')) return [];
  const edits = [{ span: { start: returned.start, end: returned.end }, text }];
  return [{ title: 'Make the contexts anew for each region', preferred: true, edits }];
}
