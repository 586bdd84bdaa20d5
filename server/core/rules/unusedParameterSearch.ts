import type { LintContext } from '../lint/rule.ts';
import { type GivenKeyword, keywordNamed } from '../python/arguments.ts';
import type { Call, Expression } from '../python/ast.ts';
import { constantOf } from '../python/constants.ts';
import { mentions } from '../python/mentions.ts';

/** A place that tells DistributedDataParallel to look for unused parameters. */
export interface UnusedParameterSearch {
  readonly call: Call;
  readonly at: GivenKeyword;
  readonly asWritten: string;
  /** The wrapped model, where the call shows it. */
  readonly model: Expression | undefined;
}

export const distributedDataParallel = [
  'torch.nn.parallel.DistributedDataParallel',
  'torch.nn.parallel.distributed.DistributedDataParallel',
];
const accelerate = ['accelerate.DistributedDataParallelKwargs', 'accelerate.utils.DistributedDataParallelKwargs'];
const lightningRoots = ['lightning.pytorch', 'pytorch_lightning', 'lightning.fabric'];
const lightning = lightningRoots.map((root) => `${root}.strategies.DDPStrategy`);
const trainers = [
  'lightning.Trainer',
  'lightning.pytorch.Trainer',
  'pytorch_lightning.Trainer',
  'lightning.Fabric',
  'lightning.fabric.Fabric',
];
const lightningNames = ['ddp_find_unused_parameters_true', 'ddp_notebook_find_unused_parameters_true'];

/** All spellings but transformers' own; a static graph switches the search off. */
export function unusedParameterSearches(context: LintContext): readonly UnusedParameterSearch[] {
  const { calls, names, module } = context;
  if (!mentions(module, 'find_unused_parameters') || mentions(module, '_set_static_graph')) return [];
  const byFlag = calls
    .to(...distributedDataParallel, ...accelerate, ...lightning)
    .flatMap(({ call, given, qualified }) => {
      const at = keywordNamed(given, 'find_unused_parameters');
      if (at === undefined || at.preset || constantOf(at.value, names) !== true) return [];
      const isStatic = keywordNamed(given, 'static_graph');
      if (given.openKeywords || (isStatic !== undefined && constantOf(isStatic.value, names) !== false)) return [];
      const model = distributedDataParallel.includes(qualified)
        ? (keywordNamed(given, 'module') ?? given.positional[0])?.value
        : modelOfStrategy(call, context);
      return [{ call, at, asWritten: 'find_unused_parameters=True', model }];
    });
  const byName = calls.to(...trainers).flatMap(({ call, given }) => {
    const at = keywordNamed(given, 'strategy');
    const value = at === undefined ? undefined : constantOf(at.value, names);
    if (at === undefined || at.preset || typeof value !== 'string' || !lightningNames.includes(value)) return [];
    return [{ call, at, asWritten: `strategy="${value}"`, model: fittedModel(call, context) }];
  });
  return [...byFlag, ...byName];
}

/** The model that Lightning's trainer with this strategy wraps. */
function modelOfStrategy(strategy: Call, context: LintContext): Expression | undefined {
  const { calls } = context;
  const owner = calls.to(...trainers).find(({ given }) => {
    const value = keywordNamed(given, 'strategy')?.value;
    return value !== undefined && madeBy(value, context) === strategy;
  });
  return owner === undefined ? undefined : fittedModel(owner.call, context);
}

/** `trainer.fit(model)` */
function fittedModel(trainer: Call, context: LintContext): Expression | undefined {
  const fits = context.calls
    .named('fit')
    .filter(({ callee }) => callee.kind === 'attribute' && madeBy(callee.object, context) === trainer);
  const [first] = fits;
  return fits.length === 1 && first?.arguments[0]?.kind === 'positional' ? first.arguments[0].value : undefined;
}

/** The call an expression is, or is bound to once. */
function madeBy(expression: Expression, { names }: LintContext): Call | undefined {
  if (expression.kind === 'call') return expression;
  const [binding, ...others] = expression.kind === 'name' ? names.bindingsOf(expression) : [];
  return binding?.to === 'value' && binding.value.kind === 'call' && others.length === 0 ? binding.value : undefined;
}
