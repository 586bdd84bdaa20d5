import type { Finding, LintContext, Rule } from '../../lint/rule.ts';
import type { Expression, FunctionDefinition } from '../../python/ast.ts';
import type { Names } from '../../python/names.ts';
import { statementsOf } from '../../python/walk.ts';
import { type CheckpointSite, isReentrant } from '../../sites/checkpointSite.ts';
import type { RegionBody } from '../../sites/region.ts';
import { contains, type Span } from '../../text/span.ts';
import { returnedBy } from '../returnedValues.ts';
import { switchToNonReentrant } from '../switchVariant.ts';
import { isNoGrad, runsWithoutGrad } from '../withoutGrad.ts';

export const rule: Rule = {
  code: 'AC205',
  name: 'reentrant-detached-output',
  severity: 'error',
  summary: 'a reentrant region that gives back detached tensors',
  *check(context): Generator<Finding> {
    for (const site of context.sitesWhere(detaches, (one) => detachedBy(one, context) !== undefined)) {
      const detached = detachedBy(site, context);
      const message =
        detached === 'all'
          ? 'raises RuntimeError in the backward pass: none of output has requires_grad=True, this checkpoint() is not necessary'
          : 'the output that is detached inside comes back with requires_grad=True: what is computed from it builds a graph for nothing';
      const fixes = detached === 'all' ? [] : switchToNonReentrant(context.module, [site], false);
      const severity = detached === 'all' ? 'error' : 'warning';
      yield { at: site.call.callee, about: site.call, severity, message, fixes };
    }
  },
};

const detaches = Symbol('reentrant region that detaches an output');

function detachedBy(site: CheckpointSite, context: LintContext): 'all' | 'some' | undefined {
  if (site.function !== 'checkpoint' || site.configuresOnly || !isReentrant(site)) return undefined;
  // A call that runs without gradients itself has no backward pass.
  if (runsWithoutGrad(site.call, context)) return undefined;
  const { entry } = context.region(site);
  return entry && detachedIn(entry);
}

/** Whether all or some of the outputs have no graph, at every `return`. */
function detachedIn(body: RegionBody): 'all' | 'some' | undefined {
  const { callable, file } = body;
  const noGrad = callable.kind === 'function' ? spansWithoutGrad(callable, file.names) : [];
  const returned = returnedBy(body);
  if (returned === undefined) return undefined;
  const outputs = returned.map((value) => {
    const parts = value.kind === 'tuple' ? value.elements.filter((one) => one.kind !== 'constant') : [value];
    return { all: parts.length, detached: parts.filter((one) => isDetached(one, file.names, noGrad)).length };
  });
  if (outputs.every(({ all, detached }) => all > 0 && detached === all)) return 'all';
  return outputs.every(({ detached }) => detached > 0) ? 'some' : undefined;
}

function isDetached(value: Expression, names: Names, noGrad: readonly Span[]): boolean {
  if (value.kind === 'call') {
    const isDetach = value.callee.kind === 'attribute' && value.callee.attribute.name === 'detach';
    return isDetach || noGrad.some((span) => contains(span, value));
  }
  if (value.kind !== 'name') return false;
  const bindings = names.bindingsOf(value);
  const [binding] = bindings;
  return (
    bindings.length === 1 &&
    binding?.to === 'value' &&
    binding.value.kind !== 'name' &&
    isDetached(binding.value, names, noGrad)
  );
}

/** `with torch.no_grad():` blocks, or the whole function where that decorates it. */
function spansWithoutGrad(definition: FunctionDefinition, names: Names): Span[] {
  if (definition.decorators.some((decorator) => isNoGrad(decorator, names))) return [definition];
  return [...statementsOf(definition.body)].flatMap((statement) =>
    statement.kind === 'with' && statement.items.some(({ value }) => isNoGrad(value, names)) ? [statement] : [],
  );
}
