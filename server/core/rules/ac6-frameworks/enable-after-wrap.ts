import type { Finding, Fix, LintContext, Rule } from '../../lint/rule.ts';
import type { Call, Expression, Name } from '../../python/ast.ts';
import type { Binding } from '../../python/scope.ts';
import { runsBefore } from '../runsBefore.ts';

/** Methods of transformers, diffusers and timm models that no wrapper has. */
const methods = [
  'gradient_checkpointing_enable',
  'enable_gradient_checkpointing',
  'set_grad_checkpointing',
  'enable_input_require_grads',
] as const;

/** Wrappers that show none of their module's methods. FSDP and DeepSpeed's engine hand unknown names on, so they are not here. */
const wrappers: ReadonlyMap<string, string> = new Map([
  ['torch.nn.parallel.DistributedDataParallel', 'DistributedDataParallel'],
  ['torch.nn.parallel.distributed.DistributedDataParallel', 'DistributedDataParallel'],
  ['torch.nn.DataParallel', 'DataParallel'],
  ['torch.nn.parallel.DataParallel', 'DataParallel'],
]);

export const rule: Rule = {
  code: 'AC606',
  name: 'enable-after-wrap',
  severity: 'error',
  summary: 'checkpointing switched on through DDP, DataParallel or a prepared model, which lack the method',
  *check(context): Generator<Finding> {
    for (const method of methods) {
      for (const call of context.calls.named(method)) {
        if (call.callee.kind !== 'attribute' || call.callee.object.kind !== 'name') continue;
        const finding = findingFor(context, call, call.callee.object, method);
        if (finding !== undefined) yield finding;
      }
    }
  },
};

function findingFor(context: LintContext, call: Call, model: Name, method: string): Finding | undefined {
  const bindings = context.names.bindingsOf(model);
  const wrapped = bindings.map((binding) => wrapperIn(context, binding, model)).find((one) => one !== undefined);
  if (wrapped === undefined || !isOnTheWay(context, wrapped.call, call)) return undefined;
  const base = { at: call.callee, about: call };
  const insertion = (before: string, after: string): Fix['edits'] => [
    { span: { start: model.start, end: model.start }, text: before },
    { span: { start: model.end, end: model.end }, text: after },
  ];
  if (wrapped.kind === 'accelerate') {
    return {
      ...base,
      severity: 'warning',
      message: `raises AttributeError under data parallelism: on several devices prepare() returns a DistributedDataParallel, which has no ${method}`,
      fixes: [
        {
          title: `Unwrap the model first (${wrapped.receiver}.unwrap_model)`,
          preferred: true,
          edits: insertion(`${wrapped.receiver}.unwrap_model(`, ')'),
        },
      ],
    };
  }
  const always = bindings.length === 1;
  return {
    ...base,
    message: `raises AttributeError${always ? '' : ' where the model is wrapped'}: '${wrapped.name}' object has no attribute '${method}'`,
    // Where the model may also be bare, `.module` would break the other way.
    fixes: always
      ? [{ title: `Call ${model.name}.module.${method}`, preferred: true, edits: insertion('', '.module') }]
      : [],
  };
}

type Wrapped =
  | { readonly kind: 'torch'; readonly name: string; readonly call: Call }
  | { readonly kind: 'accelerate'; readonly receiver: string; readonly call: Call };

/** The wrapping that a binding of the model's name is. */
function wrapperIn(context: LintContext, binding: Binding, model: Name): Wrapped | undefined {
  const { around } = context;
  if (binding.to === 'value') return binding.value.kind === 'call' ? wrapperCall(context, binding.value) : undefined;
  if (binding.to !== 'unknown') return undefined;
  // `model, optimizer = accelerator.prepare(model, optimizer)` binds several names at once.
  const statement = around({ start: binding.from - 1, end: binding.from }).statements.at(-1);
  if (statement?.kind !== 'assign' || statement.end !== binding.from || statement.value?.kind !== 'call')
    return undefined;
  const wrapped = wrapperCall(context, statement.value);
  const [targets] = statement.targets;
  if (wrapped?.kind !== 'accelerate' || targets?.kind !== 'tuple') return undefined;
  const index = targets.elements.findIndex((one) => one.kind === 'name' && one.name === model.name);
  const given = statement.value.arguments[index];
  // A thing given under the same name is the model itself, not a data loader that happens to be called so.
  return given?.kind === 'positional' && given.value.kind === 'name' && given.value.name === model.name
    ? wrapped
    : undefined;
}

function wrapperCall(context: LintContext, call: Call): Wrapped | undefined {
  const name = wrappers.get(context.names.qualifiedName(call.callee) ?? '');
  if (name !== undefined) return { kind: 'torch', name, call };
  const { callee } = call;
  if (callee.kind !== 'attribute' || callee.attribute.name !== 'prepare') return undefined;
  if (!isAccelerator(context, callee.object)) return undefined;
  return { kind: 'accelerate', receiver: context.module.text.slice(callee.object.start, callee.object.end), call };
}

function isAccelerator({ names }: LintContext, receiver: Expression): boolean {
  if (receiver.kind !== 'name') return false;
  const bindings = names.bindingsOf(receiver);
  const [binding] = bindings;
  return (
    bindings.length === 1 &&
    binding?.to === 'value' &&
    binding.value.kind === 'call' &&
    /^accelerate\.(accelerator\.)?Accelerator$/.test(names.qualifiedName(binding.value.callee) ?? '') &&
    // Under DeepSpeed and FSDP the wrapper hands unknown names on.
    !binding.value.arguments.some((one) => one.kind === 'keyword' && /deepspeed|fsdp/.test(one.name.name))
  );
}

/** Wrapping under a condition and enabling under another may exclude each other; only one of the two may be conditional. */
function isOnTheWay(context: LintContext, wrapping: Call, call: Call): boolean {
  if (runsBefore(context, wrapping, call)) return true;
  const { conditions, function: inside, loops } = context.around(call);
  return (
    wrapping.end <= call.start &&
    context.around(wrapping).function === inside &&
    conditions.length === 0 &&
    loops.length === 0 &&
    context.around(wrapping).loops.length === 0
  );
}
