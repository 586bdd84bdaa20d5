import type { LintContext } from '../lint/rule.ts';
import type { Call, ClassDefinition, Expression } from '../python/ast.ts';
import { constantOf } from '../python/constants.ts';
import { mentions } from '../python/mentions.ts';
import { childrenOf } from '../python/walk.ts';
import { type CheckpointSite, isReentrant } from '../sites/checkpointSite.ts';
import { runsBefore } from './runsBefore.ts';

/** One module of a model that goes through reentrant regions several times in one forward pass. */
export interface SharedRegion {
  readonly sites: readonly CheckpointSite[];
  /** As written: `self.shared`. */
  readonly module: string;
}

/**
 * Modules of a class that its code certainly runs so, each time with a gradient: through a loop, or two calls one behind
 * the other, fed by another layer of the class. Nothing where the file freezes anything.
 */
export function sharedRegions(owner: ClassDefinition, context: LintContext): readonly SharedRegion[] {
  const { module, names, around } = context;
  if (mentions(module, 'requires_grad')) return [];
  const own = context.sites.filter((site) => isReentrant(site) && around(site.call).class === owner && isPlain(site));
  const told = new Set<string>();
  return own.flatMap((site) => {
    const name = sharedName(site);
    if (name === undefined || told.has(name)) return [];
    const again = own.filter((other) => sharedName(other) === name && runsBefore(context, site.call, other.call));
    if ((again.length === 0 && !repeats(site)) || !isFedByLayer(site)) return [];
    told.add(name);
    return [{ sites: [site, ...again], module: `self.${name}` }];
  });

  /** Nothing but autocast around it: a change of the gradient mode may leave all passes but one without a graph. */
  function isPlain({ call, function: name, configuresOnly }: CheckpointSite): boolean {
    return name === 'checkpoint' && !configuresOnly && around(call).withs.length === 0;
  }

  /** The attribute of the class that is the region, where it is one layer with parameters for all calls. */
  function sharedName({ given }: CheckpointSite): string | undefined {
    const region = given.positional[0]?.value;
    return region !== undefined && isLayer(region) && region.kind === 'attribute' ? region.attribute.name : undefined;
  }

  function isLayer(expression: Expression): boolean {
    if (expression.kind !== 'attribute' || names.classOfSelf(expression.object) !== owner) return false;
    const values = names.memberValues(owner, expression.attribute.name);
    const [made] = values;
    return values.length === 1 && made?.kind === 'call' && parametric.test(names.qualifiedName(made.callee) ?? '');
  }

  /** In `for _ in range(n)`, unless n is known to be less than 2. */
  function repeats({ call }: CheckpointSite): boolean {
    const loop = around(call).loops.at(-1);
    if (loop?.kind !== 'for' || loop.iterable.kind !== 'call') return false;
    const { callee, arguments: given } = loop.iterable;
    const [only, ...others] = given;
    if (callee.kind !== 'name' || callee.name !== 'range' || only?.kind !== 'positional' || others.length > 0)
      return false;
    const times = constantOf(only.value, names);
    return times === undefined || (typeof times === 'number' && times >= 2);
  }

  /** The input is what another layer, or this very region, gave. */
  function isFedByLayer(site: CheckpointSite): boolean {
    const input = site.given.positional[1]?.value;
    if (input === undefined) return false;
    if (input.kind === 'call') return isLayer(input.callee);
    const bindings = input.kind === 'name' ? names.bindingsOf(input) : [];
    const values = bindings.map((binding) => (binding.to === 'value' ? binding.value : undefined));
    const isOutput = (value: Expression | undefined): boolean =>
      value !== undefined && ((value.kind === 'call' && isLayer(value.callee)) || holds(value, site.call));
    return values.length > 0 && values.every(isOutput) && values.some((value) => value !== site.call);
  }
}

/** Layers of torch that have parameters of their own. */
const parametric = /^torch\.nn\.(Linear|Conv\dd|Embedding|LayerNorm|MultiheadAttention|Transformer\w+Layer|GRU|LSTM)$/;

function holds(root: Expression, call: Call): boolean {
  const stack: Expression[] = [root];
  for (let one = stack.pop(); one !== undefined; one = stack.pop()) {
    if (one === call) return true;
    stack.push(...childrenOf(one));
  }
  return false;
}
