import { addKeyword } from '../../lint/addKeyword.ts';
import type { Finding, Fix, LintContext, Rule } from '../../lint/rule.ts';
import { keywordNamed } from '../../python/arguments.ts';
import type { ClassDefinition, Expression } from '../../python/ast.ts';
import type { ResolvedCall } from '../../python/calls.ts';
import { statementsOf } from '../../python/walk.ts';
import { applyActivationCheckpointing } from '../wrapperCalls.ts';

/** `check_fn` and `auto_wrap_policy` are the third and fourth parameter. */
const checkPosition = 2;

export const rule: Rule = {
  code: 'AC111',
  name: 'wrap-every-module',
  severity: 'warning',
  summary: '`apply_activation_checkpointing` without `check_fn`: every submodule is wrapped',
  *check(context): Generator<Finding> {
    for (const resolved of context.calls.to(...applyActivationCheckpointing)) {
      const { call, given } = resolved;
      const check = keywordNamed(given, 'check_fn') ?? given.positional[checkPosition];
      const hasPolicy =
        keywordNamed(given, 'auto_wrap_policy') !== undefined || given.positional.length > checkPosition + 1;
      if (given.openKeywords || given.openPositional || hasPolicy) continue;
      if (check !== undefined && (check.preset || !isAlwaysTrue(check.value))) continue;
      yield {
        at: check?.value ?? call.callee,
        about: call,
        message:
          'wraps every submodule at every depth: layers run again inside checkpoints that run again, for little memory',
        fixes: fixesFor(resolved, check?.value, context),
      };
    }
  },
};

const isAlwaysTrue = (check: Expression): boolean =>
  check.kind === 'lambda' && check.body.kind === 'constant' && check.body.value === true;

/** A `check_fn` on the class of the repeated layers, where the model's class shows which one that is. */
function fixesFor({ call, given }: ResolvedCall, check: Expression | undefined, context: LintContext): Fix[] {
  const model = keywordNamed(given, 'model') ?? given.positional[0];
  const block = model === undefined ? undefined : repeatedClass(model.value, context);
  if (block === undefined) return [];
  const text = `lambda module: isinstance(module, ${block})`;
  const edits =
    check === undefined
      ? addKeyword(context.module, call, `check_fn=${text}`)
      : [{ span: { start: check.start, end: check.end }, text }];
  return edits === undefined ? [] : [{ title: `Wrap each ${block}`, preferred: false, edits }];
}

function repeatedClass(model: Expression, { names }: LintContext): string | undefined {
  const definition = classOf(model);
  if (definition === undefined) return undefined;
  const found = new Set<string>();
  for (const statement of statementsOf(definition.body)) {
    const value = statement.kind === 'assign' ? statement.value : undefined;
    if (value?.kind !== 'call' || !containers.has(names.qualifiedName(value.callee) ?? '')) continue;
    for (const { value: argument } of value.arguments) {
      const element = argument.kind === 'comprehension' ? argument.elements[0] : undefined;
      if (element?.kind === 'call' && element.callee.kind === 'name') found.add(element.callee.name);
    }
  }
  const [only] = found;
  return found.size === 1 ? only : undefined;

  function classOf(instance: Expression): ClassDefinition | undefined {
    const bindings = instance.kind === 'name' ? names.bindingsOf(instance) : [];
    const [binding] = bindings;
    const made = bindings.length === 1 && binding?.to === 'value' ? binding.value : instance;
    if (made.kind !== 'call') return undefined;
    const { targets, complete } = names.resolve(made.callee);
    const definition = targets[0]?.definition;
    return complete && targets.length === 1 && definition?.kind === 'class' ? definition : undefined;
  }
}

const containers: ReadonlySet<string> = new Set(['torch.nn.ModuleList', 'torch.nn.Sequential']);
