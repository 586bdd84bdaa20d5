import type { ClassDefinition, Expression } from '../python/ast.ts';
import type { Names } from '../python/names.ts';

/** Names that are bound to names end here. */
const longestChain = 8;

/** The class of this file that a model is made from, followed through names, `.to(…)` and `.cuda()`. */
export function wrappedClass(model: Expression, names: Names): ClassDefinition | undefined {
  const made = madeFrom(model, names);
  const { targets, complete } = made === undefined ? { targets: [], complete: false } : names.resolve(made);
  const definition = complete && targets.length === 1 ? targets[0]?.definition : undefined;
  return definition?.kind === 'class' ? definition : undefined;
}

function madeFrom(model: Expression, names: Names): Expression | undefined {
  let value = model;
  for (let step = 0; step < longestChain; step++) {
    if (value.kind === 'name') {
      const bindings = names.bindingsOf(value);
      const [binding] = bindings;
      if (bindings.length !== 1 || binding?.to !== 'value') return undefined;
      value = binding.value;
    } else if (
      value.kind === 'call' &&
      value.callee.kind === 'attribute' &&
      ['to', 'cuda', 'train'].includes(value.callee.attribute.name)
    ) {
      value = value.callee.object;
    } else {
      return value.kind === 'call' ? value.callee : undefined;
    }
  }
  return undefined;
}
