import type { Finding, LintContext, Rule } from '../../lint/rule.ts';
import { keywordNamed } from '../../python/arguments.ts';
import type { Call, ClassDefinition, Expression, FunctionDefinition, Lambda } from '../../python/ast.ts';
import { expressionsOf, statementsOf } from '../../python/walk.ts';
import { bytesText } from '../../report/quantities.ts';
import type { CheckpointSite } from '../../sites/checkpointSite.ts';
import { callsIn } from '../../sites/region.ts';
import type { Span } from '../../text/span.ts';
import { quotedBudget } from '../quotedBudget.ts';

export const rule: Rule = {
  code: 'AC501',
  name: 'single-segment',
  severity: 'warning',
  summary: 'one region around the whole model, which saves no peak memory',
  takesLong: true,
  *check(context): Generator<Finding> {
    const models = modelsOf(context);
    if (models.size === 0 && context.sites.length !== 1) return;
    for (const site of context.sites) {
      if (site.function !== 'checkpoint' || site.configuresOnly) continue;
      const region = (keywordNamed(site.given, 'function') ?? site.given.positional[0])?.value;
      if (region === undefined) continue;
      const { class: owner, loops } = context.around(site.call);
      const isOnlyOne = owner !== undefined && models.has(owner) && loops.length === 0 && isAlone(context, site, owner);
      const isWhole = isOnlyOne && holdsEveryLayer(context, site, region, owner);
      if (!isWhole && !isTrainedModel(context, site, region)) continue;
      yield {
        at: site.call.callee,
        about: site.call,
        message: `the region is the whole model: backward recomputes and keeps all of it at once, so the peak is that of no checkpointing${quote(context)}`,
        fixes: [],
      };
    }
  },
};

function quote(context: LintContext): string {
  const budget = quotedBudget(context);
  const whole = budget?.account.peaksBySegment.at(-1);
  const each = budget?.account.peaksBySegment[0];
  return budget === undefined || whole === undefined || each === undefined
    ? '; a region for each layer keeps one layer at a time'
    : ` (${bytesText(whole)}; a region for each layer: ${bytesText(each)}, ${budget.setting})`;
}

/** A stage of a network repeats: only a model that begins at its tokens is the whole of it. */
const modelsOf = ({ calls, around }: LintContext): ReadonlySet<ClassDefinition> =>
  new Set(calls.to('torch.nn.Embedding').flatMap(({ call }) => around(call).class ?? []));

const isAlone = ({ sites, around }: LintContext, site: CheckpointSite, owner: ClassDefinition): boolean =>
  sites.every((other) => other === site || around(other.call).class !== owner);

/** A method of a model that runs all layers of its only stack. */
function holdsEveryLayer(
  context: LintContext,
  site: CheckpointSite,
  region: Expression,
  owner: ClassDefinition,
): boolean {
  const { around, calls } = context;
  const stacks = calls
    .to('torch.nn.ModuleList', 'torch.nn.Sequential')
    .filter(({ call }) => around(call).class === owner && isStack(call));
  if (stacks.length !== 1) return false;
  if (isStackOf(context, owner, region)) return true;
  const body = context.region(site).bodies[0];
  return (
    body !== undefined &&
    (body.owner === owner || body.owner === undefined) &&
    runsEveryLayer(context, owner, body.callable)
  );
}

/** `nn.ModuleList([Block() for _ in range(n)])`, or with the blocks written out. */
function isStack(call: Call): boolean {
  const [first] = call.arguments;
  const value = first?.kind === 'splat' ? first.value : first?.value;
  if (value?.kind === 'list') return value.elements.length > 2;
  return value?.kind === 'comprehension' || (value?.kind === 'starred' && value.value.kind === 'comprehension');
}

function isStackOf({ names }: LintContext, owner: ClassDefinition, expression: Expression): boolean {
  if (expression.kind !== 'attribute' || names.classOfSelf(expression.object) !== owner) return false;
  const values = names.memberValues(owner, expression.attribute.name);
  return values.length > 0 && values.every((value) => value.kind === 'call' && isStack(value));
}

/** A loop over the stack that calls each layer, with nothing left out. */
function runsEveryLayer(context: LintContext, owner: ClassDefinition, callable: FunctionDefinition | Lambda): boolean {
  if (callable.kind === 'lambda') return false;
  const called = callsIn(callable);
  return [...statementsOf(callable.body)].some((statement) => {
    if (statement.kind !== 'for') return false;
    const { iterable, target } = statement;
    const enumerated =
      iterable.kind === 'call' && iterable.callee.kind === 'name' && iterable.callee.name === 'enumerate';
    const list = enumerated ? iterable.arguments[0]?.value : iterable;
    const layer = enumerated && target.kind === 'tuple' ? target.elements[1] : target;
    if (list === undefined || layer?.kind !== 'name' || !isStackOf(context, owner, list)) return false;
    return called.some(({ callee }) => callee.kind === 'name' && callee.name === layer.name);
  });
}

/** A training script that checkpoints the very model its only optimizer trains, with nothing but a loss behind it. */
function isTrainedModel(context: LintContext, site: CheckpointSite, region: Expression): boolean {
  const { calls, around, sites } = context;
  if (region.kind !== 'name' || around(site.call).class !== undefined || sites.length !== 1) return false;
  const optimizers = calls.all().filter((call) => /^torch\.optim\.\w+$/.test(calls.target(call)?.qualified ?? ''));
  const [optimizer] = optimizers.filter((call) => /^[A-Z]/.test(lastName(call)));
  if (optimizer === undefined || optimizers.filter((call) => /^[A-Z]/.test(lastName(call))).length !== 1) return false;
  const parameters = optimizer.arguments[0]?.value;
  const isItsParameters =
    parameters?.kind === 'call' &&
    parameters.callee.kind === 'attribute' &&
    parameters.callee.attribute.name === 'parameters' &&
    parameters.callee.object.kind === 'name' &&
    parameters.callee.object.name === region.name;
  return isItsParameters && goesIntoLoss(context, site.call);
}

const contains = (outer: Span, inner: Span): boolean => outer.start <= inner.start && inner.end <= outer.end;

const lastName = ({ callee }: Call): string =>
  callee.kind === 'attribute' ? callee.attribute.name : callee.kind === 'name' ? callee.name : '';

/** The result has a name, and every use of it is inside a loss: `loss = functional.cross_entropy(out.flatten(0, 1), …)`. */
function goesIntoLoss({ around, calls, names, module }: LintContext, call: Call): boolean {
  const statement = around(call).statements.at(-1);
  if (statement?.kind !== 'assign' || statement.value !== call) return false;
  const [result] = statement.targets;
  if (result?.kind !== 'name') return false;
  const losses = calls.all().filter((one) => one.start > call.end && isLoss(one));
  const uses = [...expressionsOf(module)].filter(
    (one) =>
      one.kind === 'name' &&
      one.name === result.name &&
      names.bindingsOf(one).some(({ from }) => from === statement.end),
  );
  return losses.length > 0 && uses.every((use) => use === result || losses.some((one) => contains(one, use)));

  function isLoss(one: Call): boolean {
    const qualified = calls.target(one)?.qualified;
    if (qualified !== undefined) return /^torch\.nn\.functional\.\w*(loss|cross_entropy)/.test(qualified);
    if (one.callee.kind !== 'name') return false;
    const bindings = names.bindingsOf(one.callee);
    const [binding] = bindings;
    if (bindings.length !== 1 || binding?.to !== 'value' || binding.value.kind !== 'call') return false;
    return /^torch\.nn\.\w+Loss$/.test(names.qualifiedName(binding.value.callee) ?? '');
  }
}
