import type { Finding, LintContext, Rule } from '../../lint/rule.ts';
import { keywordNamed } from '../../python/arguments.ts';
import type { Call, Expression } from '../../python/ast.ts';
import { constantOf } from '../../python/constants.ts';
import type { CheckpointSite } from '../../sites/checkpointSite.ts';
import { isSameObject, runsBefore } from '../runsBefore.ts';

const wrapperModule = 'torch.distributed.algorithms._checkpoint.checkpoint_wrapper';
const wrapper = `${wrapperModule}.checkpoint_wrapper`;

/** Methods by which models of transformers, diffusers and timm checkpoint each of their layers. */
const switches = ['gradient_checkpointing_enable', 'enable_gradient_checkpointing', 'set_grad_checkpointing'];

const cost = 'the outer region saves nothing more, and where one of the two is reentrant every layer runs a third time';

export const rule: Rule = {
  code: 'AC503',
  name: 'nested-checkpoint',
  severity: 'warning',
  summary: 'two mechanisms that checkpoint the same layers',
  *check(context): Generator<Finding> {
    const { calls } = context;
    for (const { call, given } of calls.to(`${wrapperModule}.apply_activation_checkpointing`)) {
      const model = (keywordNamed(given, 'model') ?? given.positional[0])?.value;
      const method = model === undefined ? undefined : switchedOn(context, model, call);
      if (method === undefined) continue;
      yield finding(call, `${method} checkpoints these layers already: ${cost}`);
    }
    for (const { call, given } of calls.to(wrapper)) {
      const module = (keywordNamed(given, 'module') ?? given.positional[0])?.value;
      if (module === undefined || !isWrapped(context, module)) continue;
      yield finding(call, `checkpoint_wrapper is around this module already: ${cost}`);
    }
    const isAroundWrapped = ({ given, function: name }: CheckpointSite): boolean => {
      const region = (keywordNamed(given, 'function') ?? given.positional[0])?.value;
      return name === 'checkpoint' && region !== undefined && isWrapped(context, region);
    };
    for (const { call } of context.sitesWhere(aroundWrapped, isAroundWrapped)) {
      yield finding(call, `checkpoint_wrapper is around this module already: ${cost}`);
    }
  },
};

const aroundWrapped = Symbol('region around a wrapped module');

const finding = (call: Call, message: string): Finding => ({ at: call.callee, about: call, message, fixes: [] });

/** The method that switched checkpointing on for the same model, on every way to `call` or from it. */
function switchedOn(context: LintContext, model: Expression, call: Call): string | undefined {
  return switches.find((method) =>
    context.calls.named(method).some((other) => {
      if (other.callee.kind !== 'attribute' || !isSameObject(context, other.callee.object, model)) return false;
      if (other.arguments.some(({ value }) => constantOf(value, context.names) === false)) return false;
      return runsBefore(context, other, call) || runsBefore(context, call, other);
    }),
  );
}

/** Whether an expression certainly stands for what `checkpoint_wrapper` returned. */
function isWrapped(context: LintContext, expression: Expression): boolean {
  const { names, around } = context;
  if (expression.kind === 'call') return names.qualifiedName(expression.callee) === wrapper;
  if (expression.kind === 'name') {
    const loop = around(expression).loops.findLast(
      (one) => one.kind === 'for' && one.target.kind === 'name' && one.target.name === expression.name,
    );
    if (loop?.kind === 'for') return membersOf(context, loop.iterable).some((value) => holdsWrapped(context, value));
    const bindings = names.bindingsOf(expression);
    const [binding] = bindings;
    return (
      bindings.length === 1 &&
      binding?.to === 'value' &&
      binding.value.kind === 'call' &&
      isWrapped(context, binding.value)
    );
  }
  const values = membersOf(context, expression);
  return values.length > 0 && values.every((value) => value.kind === 'call' && isWrapped(context, value));
}

/** What a class assigns to one of its attributes. */
function membersOf({ names }: LintContext, expression: Expression): readonly Expression[] {
  const owner = expression.kind === 'attribute' ? names.classOfSelf(expression.object) : undefined;
  return owner === undefined || expression.kind !== 'attribute'
    ? []
    : names.memberValues(owner, expression.attribute.name);
}

/** `nn.ModuleList([checkpoint_wrapper(…) for …])`. */
function holdsWrapped(context: LintContext, value: Expression): boolean {
  if (value.kind !== 'call' || context.names.qualifiedName(value.callee) !== 'torch.nn.ModuleList') return false;
  const list = value.arguments[0]?.value;
  const elements = list?.kind === 'comprehension' || list?.kind === 'list' ? list.elements : [];
  return elements.length > 0 && elements.every((one) => one.kind === 'call' && isWrapped(context, one));
}
