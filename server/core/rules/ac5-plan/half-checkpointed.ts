import type { Finding, LintContext, Rule } from '../../lint/rule.ts';
import { keywordNamed } from '../../python/arguments.ts';
import type { Attribute, Call, ClassDefinition, Expression, For } from '../../python/ast.ts';
import { statementsOf } from '../../python/walk.ts';
import type { CheckpointSite } from '../../sites/checkpointSite.ts';
import { soleDefinition } from '../../workspace/definitions.ts';

export const rule: Rule = {
  code: 'AC504',
  name: 'half-checkpointed',
  severity: 'information',
  summary: 'two stacks of layers in one forward, only one of them checkpointed',
  *check(context): Generator<Finding> {
    const told = new Set<For>();
    for (const site of context.sitesWhere(runsStack, (one) => stackCheckpointed(one, context) !== undefined)) {
      const stacked = stackCheckpointed(site, context);
      if (stacked === undefined) continue;
      const { owner, forward, loop, checkpointed } = stacked;
      for (const other of statementsOf(forward.body)) {
        if (other.kind !== 'for' || told.has(other) || other === loop) continue;
        const stack = stackOf(context, owner, other);
        if (stack === undefined || stack.list.attribute.name === checkpointed.list.attribute.name) continue;
        if (context.sites.some(({ call }) => other.start <= call.start && call.end <= other.end)) continue;
        if (!callsLayer(context, other, stack.layer) || !isBlockStack(context, owner, stack.list)) continue;
        told.add(other);
        yield {
          at: other.iterable,
          about: other.iterable,
          message: `these layers keep all their activations, while those of ${textOf(context, checkpointed.list)} are checkpointed`,
          fixes: [],
        };
      }
    }
  },
};

const runsStack = Symbol('call that checkpoints each layer of a stack');

/** The loop over a stack of layers whose own layer a call checkpoints. */
function stackCheckpointed(site: CheckpointSite, context: LintContext) {
  const { class: owner, function: forward, loops } = context.around(site.call);
  const region = (keywordNamed(site.given, 'function') ?? site.given.positional[0])?.value;
  const loop = loops.at(-1);
  if (owner === undefined || forward === undefined || loop?.kind !== 'for' || region === undefined) return undefined;
  const checkpointed = stackOf(context, owner, loop);
  const isItsLayer = region.kind === 'name' && region.name === checkpointed?.layer;
  return checkpointed !== undefined && isItsLayer ? { owner, forward, loop, checkpointed } : undefined;
}

interface Stack {
  readonly list: Attribute;
  /** The loop's variable. */
  readonly layer: string;
}

/** `for layer in self.layers` and `for index, layer in enumerate(self.layers)` over a ModuleList of the class. */
function stackOf({ names }: LintContext, owner: ClassDefinition, { iterable, target }: For): Stack | undefined {
  const enumerated =
    iterable.kind === 'call' && iterable.callee.kind === 'name' && iterable.callee.name === 'enumerate';
  const list = enumerated ? iterable.arguments[0]?.value : iterable;
  const layer = enumerated && target.kind === 'tuple' ? target.elements[1] : target;
  if (list?.kind !== 'attribute' || layer?.kind !== 'name' || names.classOfSelf(list.object) !== owner)
    return undefined;
  return { list, layer: layer.name };
}

const callsLayer = ({ calls }: LintContext, loop: For, layer: string): boolean =>
  calls
    .all()
    .some(
      ({ callee, start, end }) =>
        callee.kind === 'name' && callee.name === layer && loop.start <= start && end <= loop.end,
    );

/** A list of many modules of one class, each with several weights of its own: layers, not norms or projections. */
function isBlockStack(context: LintContext, owner: ClassDefinition, list: Attribute): boolean {
  const values = context.names.memberValues(owner, list.attribute.name);
  const [value] = values;
  if (values.length !== 1 || value?.kind !== 'call') return false;
  if (context.names.qualifiedName(value.callee) !== 'torch.nn.ModuleList') return false;
  const made = value.arguments[0]?.value;
  const element = made?.kind === 'comprehension' && made.form === 'list' ? made.elements[0] : undefined;
  return element?.kind === 'call' && isBlock(context, element);
}

function isBlock(context: LintContext, made: Call): boolean {
  const qualified = context.names.qualifiedName(made.callee);
  if (qualified !== undefined && /^torch\.nn\.Transformer(En|De)coderLayer$/.test(qualified)) return true;
  const defined = soleDefinition(made.callee, context.file, context.workspace);
  if (defined?.definition.kind !== 'class') return false;
  const { definition, file } = defined;
  const assigned = [...statementsOf(definition.body)].flatMap((one) =>
    one.kind === 'assign' && one.value?.kind === 'call' && one.targets.some(({ kind }) => kind === 'attribute')
      ? [one.value.callee]
      : [],
  );
  const isModule = (callee: Expression): boolean =>
    /^torch\.nn\.(Linear|Conv\dd|MultiheadAttention)$/.test(file.names.qualifiedName(callee) ?? '') ||
    soleDefinition(callee, file, context.workspace)?.definition.kind === 'class';
  return assigned.filter(isModule).length >= 2;
}

const textOf = ({ module }: LintContext, { start, end }: Expression): string => module.text.slice(start, end);
