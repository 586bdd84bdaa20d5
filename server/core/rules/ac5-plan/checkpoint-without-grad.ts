import type { Finding, LintContext, Rule } from '../../lint/rule.ts';
import type { Expression, With } from '../../python/ast.ts';
import { constantOf } from '../../python/constants.ts';
import type { CheckpointSite } from '../../sites/checkpointSite.ts';

export const rule: Rule = {
  code: 'AC502',
  name: 'checkpoint-without-grad',
  severity: 'information',
  summary: 'a checkpointed region where no gradient is recorded',
  *check(context): Generator<Finding> {
    for (const site of context.sitesWhere(recordsNothing, (one) => modeAround(one, context)?.records === false)) {
      const innermost = modeAround(site, context);
      if (innermost === undefined) continue;
      yield {
        at: site.call.callee,
        about: site.call,
        message: `checkpoints nothing: ${innermost.name} records no graph, so this is one plain forward`,
        fixes: [],
      };
    }
  },
};

const recordsNothing = Symbol('region where no gradient is recorded');

/** The innermost one decides: `enable_grad` inside `no_grad` records again. */
function modeAround(site: CheckpointSite, context: LintContext): GradMode | undefined {
  if (site.configuresOnly) return undefined;
  const { withs, function: inside } = context.around(site.call);
  const modes = [
    ...(inside?.decorators ?? []).map((decorator) => modeOf(context, decorator)),
    ...withs.flatMap((one) => modesOf(context, one)),
  ];
  return modes.findLast((mode) => mode !== undefined);
}

interface GradMode {
  readonly name: string;
  readonly records: boolean;
}

const modesOf = (context: LintContext, { items }: With): (GradMode | undefined)[] =>
  items.map(({ value }) => modeOf(context, value));

/** What a context manager or decorator does to the recording of gradients, where that is certain. */
function modeOf({ names }: LintContext, expression: Expression): GradMode | undefined {
  const callee = expression.kind === 'call' ? expression.callee : expression;
  const qualified = names.qualifiedName(callee);
  const [first] = expression.kind === 'call' ? expression.arguments : [];
  const given = first === undefined ? undefined : constantOf(first.value, names);
  switch (qualified) {
    case 'torch.no_grad':
    case 'torch.autograd.no_grad':
      return { name: 'no_grad', records: false };
    case 'torch.enable_grad':
    case 'torch.autograd.enable_grad':
      return { name: 'enable_grad', records: true };
    case 'torch.inference_mode':
    case 'torch.autograd.inference_mode':
      // `inference_mode(flag)`: a flag that is not known may be either.
      if (first !== undefined && typeof given !== 'boolean') return { name: 'inference_mode', records: true };
      return { name: 'inference_mode', records: given === false };
    case 'torch.set_grad_enabled':
    case 'torch.autograd.set_grad_enabled':
      return { name: 'set_grad_enabled(False)', records: given !== false };
    default:
      return undefined;
  }
}
