import { importTorchModule } from '../../lint/addImport.ts';
import type { Finding, Fix, LintContext, Rule } from '../../lint/rule.ts';
import { givenArguments, keywordNamed } from '../../python/arguments.ts';
import type { Expression } from '../../python/ast.ts';
import { mentions } from '../../python/mentions.ts';
import { statementsOf } from '../../python/walk.ts';

export const rule: Rule = {
  code: 'AC408',
  name: 'budget-in-wrong-module',
  severity: 'error',
  summary: '`activation_memory_budget` is set on a configuration that does not have it',
  *check(context): Generator<Finding> {
    const { module, names, calls } = context;
    if (!mentions(module, setting)) return;
    for (const statement of statementsOf(module.body)) {
      if (statement.kind !== 'assign') continue;
      for (const target of statement.targets) {
        if (target.kind !== 'attribute' || target.attribute.name !== setting) continue;
        const config = names.qualifiedName(target.object);
        if (config === undefined || !wrong.has(config)) continue;
        yield {
          at: target,
          about: statement,
          message: `raises AttributeError: ${config}.${setting} does not exist, the setting is ${right}.${setting}`,
          fixes: inFunctorch(target.object, context),
        };
      }
    }
    for (const { call, qualified } of calls.to(...[...wrong].map((config) => `${config}.patch`))) {
      const keyword = keywordNamed(givenArguments([], call.arguments), setting);
      if (keyword === undefined || call.callee.kind !== 'attribute') continue;
      const config = qualified.slice(0, -'.patch'.length);
      yield {
        at: keyword.argument,
        about: call,
        message: `raises AttributeError: ${config}.${setting} does not exist, the setting is ${right}.${setting}`,
        fixes: call.arguments.length === 1 ? inFunctorch(call.callee.object, context) : [],
      };
    }
  },
};

const setting = 'activation_memory_budget';
const right = 'torch._functorch.config';
const wrong: ReadonlySet<string> = new Set(['torch._dynamo.config', 'torch._inductor.config']);

/** Only where the whole path is written out; the right module has to be imported, `import torch` alone does not load it. */
function inFunctorch(config: Expression, { module }: LintContext): Fix[] {
  const { start, end } = config;
  const imports = importTorchModule(module, right);
  if (!wrong.has(module.text.slice(start, end)) || imports === undefined) return [];
  return [{ title: `Change to ${right}`, preferred: true, edits: [...imports, { span: { start, end }, text: right }] }];
}
