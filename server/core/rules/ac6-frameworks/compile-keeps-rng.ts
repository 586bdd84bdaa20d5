import { removeArguments } from '../../lint/removeArguments.ts';
import type { Finding, Fix, LintContext, Rule } from '../../lint/rule.ts';
import { keywordNamed } from '../../python/arguments.ts';
import type { ClassDefinition, Expression, FunctionDefinition } from '../../python/ast.ts';
import { constantOf } from '../../python/constants.ts';
import { mentions } from '../../python/mentions.ts';

export const rule: Rule = {
  code: 'AC608',
  name: 'compile-keeps-rng',
  severity: 'information',
  summary: '`preserve_rng_state=False` inside code that torch.compile compiles',
  *check(context): Generator<Finding> {
    const { module, names, sites, around } = context;
    if (!mentions(module, 'compile')) return;
    for (const site of sites) {
      const keyword = keywordNamed(site.given, 'preserve_rng_state');
      if (keyword === undefined || constantOf(keyword.value, names) !== false) continue;
      const { function: inside, class: owner } = around(site.call);
      if (inside === undefined || !isCompiled(context, inside, owner)) continue;
      const fixes: Fix[] =
        keyword.preset || keyword.argument.kind !== 'keyword'
          ? []
          : [
              {
                title: 'Remove preserve_rng_state=False',
                preferred: false,
                edits: removeArguments(module, site.call, [keyword.argument]),
              },
            ];
      yield {
        at: keyword.preset ? site.call.callee : keyword.argument,
        about: site.call,
        message: 'has no effect under torch.compile, which always replays the same random numbers',
        fixes,
      };
    }
  },
};

/** Decorated with `torch.compile`, or given to it in this file: the function itself, or an instance of its class. */
function isCompiled(context: LintContext, inside: FunctionDefinition, owner: ClassDefinition | undefined): boolean {
  const { calls, names } = context;
  const isCompile = (expression: Expression): boolean => names.qualifiedName(expression) === 'torch.compile';
  if (inside.decorators.some((one) => isCompile(one.kind === 'call' ? one.callee : one))) return true;
  const compiled = calls.to('torch.compile').flatMap(({ given }) => given.positional.slice(0, 1));
  return compiled.some(({ value }) => {
    if (names.resolve(value).targets.some(({ definition }) => definition === inside)) return true;
    return owner !== undefined && inside.name.name === 'forward' && isInstanceOf(context, value, owner);
  });
}

function isInstanceOf({ names }: LintContext, value: Expression, owner: ClassDefinition): boolean {
  const made =
    value.kind === 'name'
      ? names.bindingsOf(value).map((one) => (one.to === 'value' ? one.value : undefined))
      : [value];
  const [only] = made;
  if (made.length !== 1 || only?.kind !== 'call') return false;
  const { targets, complete } = names.resolve(only.callee);
  return complete && targets.length === 1 && targets[0]?.definition === owner;
}
