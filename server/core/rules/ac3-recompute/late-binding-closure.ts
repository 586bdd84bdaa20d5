import type { Finding, Fix, LintContext, Rule } from '../../lint/rule.ts';
import { keywordNamed } from '../../python/arguments.ts';
import type { FunctionDefinition, Lambda, Name } from '../../python/ast.ts';
import { type CheckpointSite, isReentrant } from '../../sites/checkpointSite.ts';
import { bindAsDefaults, passItself } from '../bindCaptured.ts';
import { capturedNames, reboundBeforeBackward } from '../capturedNames.ts';

export const rule: Rule = {
  code: 'AC301',
  name: 'late-binding-closure',
  severity: 'error',
  summary: 'a lambda or local function reads a loop variable again when backward recomputes it',
  *check(context): Generator<Finding> {
    const reported = new Set<number>();
    for (const site of context.sites) {
      const closure = closureGiven(context, site);
      if (closure === undefined) continue;
      const names = reboundBeforeBackward(context, site.call, capturedNames(closure, context.names));
      const [first] = names;
      if (first === undefined || reported.has(first.start)) continue;
      reported.add(first.start);
      yield {
        at: first,
        about: site.call,
        message: message(names, isReentrant(site)),
        fixes: fixesFor(context, site, closure, names),
      };
    }
  },
};

/** The lambda or local function a region runs, where it is certain. What `partial` or a factory binds is bound early. */
function closureGiven({ names }: LintContext, site: CheckpointSite): FunctionDefinition | Lambda | undefined {
  if (site.function !== 'checkpoint') return undefined;
  const given = keywordNamed(site.given, 'function') ?? site.given.positional[0];
  if (given === undefined || given.preset) return undefined;
  const { targets, complete } = names.resolve(given.value);
  const definition = targets[0]?.definition;
  return complete && targets.length === 1 && definition?.kind !== 'class' ? definition : undefined;
}

function message(names: readonly Name[], reentrant: boolean): string {
  const list = [...new Set(names.map(({ name }) => name))].join(', ');
  return `${list} has another value when backward recomputes this region: ${
    reentrant ? 'the gradients belong to the last value alone' : 'the gradients are silently wrong'
  }, or shapes that differ raise`;
}

function fixesFor(
  context: LintContext,
  site: CheckpointSite,
  closure: FunctionDefinition | Lambda,
  names: readonly Name[],
): Fix[] {
  const fixes: Fix[] = [];
  const list = [...new Set(names.map(({ name }) => name))];
  const itself = passItself(context.module, site.call, closure);
  if (itself !== undefined) {
    fixes.push({ title: `Pass ${itself.callee} itself`, preferred: true, edits: itself.edits });
  }
  const defaults = bindAsDefaults(context.module, site.call, closure, list);
  if (defaults !== undefined) {
    const title = `Bind ${list.join(', ')} with default argument${list.length === 1 ? '' : 's'}`;
    fixes.push({ title, preferred: itself === undefined, edits: defaults });
  }
  return fixes;
}
