import type { LintContext } from '../lint/rule.ts';
import type { Expression } from '../python/ast.ts';

const names: ReadonlySet<string> = new Set([
  'torch.distributed.fsdp.FullyShardedDataParallel',
  'torch.distributed.fsdp.fully_sharded_data_parallel.FullyShardedDataParallel',
]);

/** Whether an expression certainly stands for a module that FSDP's first version wraps: written so, or bound to it once. */
export function isFullyShardedModule(context: LintContext, expression: Expression): boolean {
  if (expression.kind === 'call') return names.has(context.names.qualifiedName(expression.callee) ?? '');
  if (expression.kind === 'name') {
    const bindings = context.names.bindingsOf(expression);
    const [binding] = bindings;
    return (
      bindings.length === 1 &&
      binding?.to === 'value' &&
      binding.value.kind === 'call' &&
      isFullyShardedModule(context, binding.value)
    );
  }
  if (expression.kind !== 'attribute') return false;
  const owner = context.names.classOfSelf(expression.object);
  const values = owner === undefined ? [] : context.names.memberValues(owner, expression.attribute.name);
  return values.length > 0 && values.every((value) => value.kind === 'call' && isFullyShardedModule(context, value));
}
