import type { Expression } from '../python/ast.ts';
import type { Names } from '../python/names.ts';

/** `torch.ops.aten.mm` names all overloads of an operation at once; an operator is called through one of them. */
export interface Packet {
  readonly expression: Expression;
  /** Without `torch.ops.`: `aten.mm`. */
  readonly name: string;
}

/** Sets of sets of sets end here; only a cycle is deeper. */
const deepest = 8;

/** Packets among the elements of a list, tuple, set or dictionary, wherever this file writes them. */
export function packetsIn(container: Expression, names: Names, depth = 0): Packet[] {
  if (depth > deepest) return [];
  const inner = (one: Expression): Packet[] => packetsIn(one, names, depth + 1);
  const packet = packetOf(container, names);
  if (packet !== undefined) return [packet];
  switch (container.kind) {
    case 'list':
    case 'tuple':
    case 'set':
      return container.elements.flatMap(inner);
    case 'dictionary':
      return container.entries.flatMap(({ key, value }) => inner(key ?? value));
    case 'starred':
      return inner(container.value);
    case 'binary':
      return ['|', '+'].includes(container.operator) ? [...inner(container.left), ...inner(container.right)] : [];
    case 'call': {
      const [only, ...others] = container.arguments;
      const makes = container.callee.kind === 'name' && /^(set|frozenset|list|tuple|dict)$/.test(container.callee.name);
      return makes && others.length === 0 && only?.kind === 'positional' ? inner(only.value) : [];
    }
    case 'name': {
      const bindings = names.bindingsOf(container);
      const [binding] = bindings;
      return bindings.length === 1 && binding?.to === 'value' ? inner(binding.value) : [];
    }
    case 'attribute': {
      const owner = names.classOfSelf(container.object);
      return owner === undefined ? [] : names.memberValues(owner, container.attribute.name).flatMap(inner);
    }
    default:
      return [];
  }
}

export function packetOf(expression: Expression, names: Names): Packet | undefined {
  if (expression.kind !== 'attribute' && expression.kind !== 'name') return undefined;
  const qualified = names.qualifiedName(expression);
  const match = /^torch\.ops\.(\w+)\.(\w+)$/.exec(qualified ?? '');
  // Higher-order operators have no overloads and are compared as they are.
  if (match === null || match[1] === 'higher_order') return undefined;
  return { expression, name: `${match[1]}.${match[2]}` };
}

/** Whether `.default` is the overload that tensors use: not where numbers or dimensions decide between several. */
export const hasDefaultOverload = ({ name }: Packet): boolean =>
  !name.startsWith('aten.') || !several.has(name.slice(5));

/** Read from torch 2.13: aten operations without a default overload, or with more than one for tensors in common use. */
const several: ReadonlySet<string> = new Set(
  (
    'add all any bernoulli bitwise_and bitwise_or bitwise_xor bucketize clamp clamp_max clamp_min copysign cumprod div divide ' +
    'empty eq fill float_power floor_divide fmod ge greater gru gt index index_fill index_put isin le lerp less less_equal ' +
    'lstm lt masked_fill max mean median min mul multiply nanmedian narrow ne norm normal not_equal pow prod rand_like ' +
    'randint_like randn_like remainder repeat_interleave round rsub scatter scatter_reduce searchsorted select size slice ' +
    'softmax split squeeze std std_mean sub subtract sum tensor_split to transpose true_divide unbind var var_mean where xlogy'
  ).split(' '),
);
