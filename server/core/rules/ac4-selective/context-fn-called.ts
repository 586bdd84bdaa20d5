import { importPartial } from '../../lint/addImport.ts';
import type { Finding, Fix, LintContext, Rule } from '../../lint/rule.ts';
import { givenArguments, keywordNamed, literalEntries } from '../../python/arguments.ts';
import type { Call, Expression } from '../../python/ast.ts';
import { mentions } from '../../python/mentions.ts';
import { checkpointFunctions } from '../../torch/checkpointApi.ts';
import { createContexts } from '../selectivePolicies.ts';

export const rule: Rule = {
  code: 'AC401',
  name: 'context-fn-called',
  severity: 'error',
  summary: '`context_fn` is given the contexts instead of a function that makes them',
  *check(context): Generator<Finding> {
    if (!mentions(context.module, 'context_fn')) return;
    for (const call of context.calls.all()) {
      const value = contextFnOf(call, context);
      const made = value === undefined ? undefined : madeContexts(value, context);
      if (value === undefined || made === undefined) continue;
      yield {
        at: value,
        about: call,
        message: `raises TypeError, 'tuple' object is not callable: context_fn takes a function that makes the contexts anew for each region`,
        fixes: made === value ? passPartial(made, context) : [],
      };
    }
  },
};

/** What a call gives as `context_fn`, itself or among transformers' `gradient_checkpointing_kwargs`. */
function contextFnOf(call: Call, context: LintContext): Expression | undefined {
  const given = givenArguments([], call.arguments);
  const own = keywordNamed(given, 'context_fn');
  if (own !== undefined) return takesContextFn(call, context) ? own.value : undefined;
  const handedOn = keywordNamed(given, 'gradient_checkpointing_kwargs');
  return handedOn && literalEntries(handedOn.value)?.find(({ name }) => name === 'context_fn')?.value;
}

/** torch's `checkpoint` and `checkpoint_wrapper`, called or preset by `partial`. */
function takesContextFn(call: Call, { calls, names }: LintContext): boolean {
  const target = calls.target(call)?.qualified;
  if (target !== 'functools.partial') return target !== undefined && functions.has(target);
  const [first] = call.arguments;
  return first?.kind === 'positional' && functions.has(names.qualifiedName(first.value) ?? '');
}

const functions: ReadonlySet<string> = new Set([
  ...checkpointFunctions.keys(),
  'torch.distributed.algorithms._checkpoint.checkpoint_wrapper.checkpoint_wrapper',
]);

/** The call that made the contexts, here or where the name got its one value. */
function madeContexts(value: Expression, { names }: LintContext): Call | undefined {
  if (value.kind === 'call') return names.qualifiedName(value.callee) === createContexts ? value : undefined;
  if (value.kind !== 'name') return undefined;
  const bindings = names.bindingsOf(value);
  const [binding] = bindings;
  if (bindings.length !== 1 || binding?.to !== 'value' || binding.value.kind !== 'call') return undefined;
  return names.qualifiedName(binding.value.callee) === createContexts ? binding.value : undefined;
}

function passPartial(made: Call, { module, names }: LintContext): Fix[] {
  if (made.arguments.length === 0) return [];
  const { name, edits } = importPartial(module, names);
  const { callee, argumentList } = made;
  const text = `${name}(${module.text.slice(callee.start, callee.end)}, `;
  const opening = { span: { start: callee.start, end: argumentList.start + 1 }, text };
  return [{ title: `Pass ${name}(…) instead of calling`, preferred: true, edits: [...edits, opening] }];
}
