import type { LintContext } from '../lint/rule.ts';
import type { Call, Expression, For, Name } from '../python/ast.ts';
import { constantOf } from '../python/constants.ts';
import { mentions } from '../python/mentions.ts';
import { statementsOf } from '../python/walk.ts';
import type { Span } from '../text/span.ts';

/** A transformers model whose embeddings are frozen by hand. */
export interface FrozenEmbeddings {
  readonly model: Name;
  readonly loading: Call;
}

/**
 * `for p in model.bert.embeddings.parameters(): p.requires_grad = False` and `model.bert.embeddings.requires_grad_(False)`.
 * In transformers a module called `embeddings` holds all of them; others, as `wte`, may be one of several.
 */
export function frozenEmbeddings(context: LintContext): readonly FrozenEmbeddings[] {
  const { calls, module, names } = context;
  if (!mentions(module, '.embeddings')) return [];
  const byMethod = calls.named('requires_grad_').flatMap((call) => {
    const [only] = call.arguments;
    const isOff = call.arguments.length === 1 && only !== undefined && constantOf(only.value, names) === false;
    return isOff && call.callee.kind === 'attribute' ? found(call.callee.object, call) : [];
  });
  const byLoop = [...statementsOf(module.body)].flatMap((one) => {
    const frozen = one.kind === 'for' ? frozenIn(one) : undefined;
    return frozen === undefined ? [] : found(frozen, one);
  });
  return [...byMethod, ...byLoop];

  function found(part: Expression, place: Span): FrozenEmbeddings[] {
    if (part.kind !== 'attribute' || part.attribute.name !== 'embeddings') return [];
    if (context.around(place).conditions.length > 0) return [];
    let root = part.object;
    while (root.kind === 'attribute') root = root.object;
    const bindings = root.kind === 'name' ? names.bindingsOf(root) : [];
    const [binding] = bindings;
    if (root.kind !== 'name' || bindings.length !== 1 || binding?.to !== 'value') return [];
    const loading = binding.value;
    if (loading.kind !== 'call') return [];
    const qualified = names.qualifiedName(loading.callee) ?? '';
    return /^transformers\.(\w+\.)*\w+\.from_pretrained$/.test(qualified) ? [{ model: root, loading }] : [];
  }

  /** The module whose parameters a loop freezes, one and all. */
  function frozenIn({ target, iterable, body }: For): Expression | undefined {
    const [only] = body;
    if (target.kind !== 'name' || iterable.kind !== 'call' || iterable.callee.kind !== 'attribute') return undefined;
    if (iterable.callee.attribute.name !== 'parameters' || body.length !== 1 || only?.kind !== 'assign')
      return undefined;
    const [flag] = only.targets;
    const isFlag =
      flag?.kind === 'attribute' &&
      flag.attribute.name === 'requires_grad' &&
      flag.object.kind === 'name' &&
      flag.object.name === target.name;
    const isOff = only.value !== undefined && constantOf(only.value, names) === false;
    return isFlag && isOff ? iterable.callee.object : undefined;
  }
}
