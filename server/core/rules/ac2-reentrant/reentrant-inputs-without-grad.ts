import type { Finding, LintContext, Rule } from '../../lint/rule.ts';
import type { GivenArgument } from '../../python/arguments.ts';
import type { Call, ClassDefinition, Expression, FunctionDefinition } from '../../python/ast.ts';
import type { CallIndex } from '../../python/calls.ts';
import { mentions } from '../../python/mentions.ts';
import { oncePer } from '../../python/oncePer.ts';
import { type CheckpointSite, isReentrant } from '../../sites/checkpointSite.ts';
import { switchToNonReentrant } from '../switchVariant.ts';
import { isWithoutGrad, looksWithoutGrad, runsWithoutGrad } from '../withoutGrad.ts';

export const rule: Rule = {
  code: 'AC203',
  name: 'reentrant-inputs-without-grad',
  severity: 'warning',
  summary: 'a reentrant region whose inputs are data that requires no grad',
  *check(context): Generator<Finding> {
    // Where nothing is trained, nothing is lost: tests that compare outputs feed random tensors too.
    const trains = mentions(context.module, training);
    for (const site of context.sitesWhere(mayLackGrad, (one) => inputsThatMayLackGrad(one, context) !== undefined)) {
      const inputs = inputsThatMayLackGrad(site, context) ?? [];
      const areData =
        trains && (inputs.every(({ value }) => isWithoutGrad(value, context)) || isFedData(site, inputs, context));
      if (!areData && !isEmbedding(site, context)) continue;
      yield {
        at: site.call.callee,
        about: site.call,
        message:
          'no input requires grad, so the reentrant variant gives the parameters of this region no gradient: they never train',
        fixes: switchToNonReentrant(context.module, [site], false),
      };
    }
  },
};

const training = /backward\(|training_step/;

const mayLackGrad = Symbol('reentrant region whose inputs may require no grad');

/** The inputs of a region with parameters, where the code around does not say that one of them requires grad. */
function inputsThatMayLackGrad(site: CheckpointSite, context: LintContext): readonly GivenArgument[] | undefined {
  if (site.configuresOnly || !isReentrant(site) || !hasParameters(site, context)) return undefined;
  const inputs = inputsOf(site);
  if (inputs === undefined || inputs.length === 0 || runsWithoutGrad(site.call, context)) return undefined;
  const { function: method, class: owner } = context.around(site.call);
  const isForward = method?.name.name === 'forward' && owner !== undefined;
  const mayLack = ({ value }: GivenArgument): boolean =>
    looksWithoutGrad(value, context) || (isForward && positionIn(method, value, context) !== undefined);
  return isEmbedding(site, context) || inputs.every(mayLack) ? inputs : undefined;
}

/** The inputs of the region; undefined where more may follow. */
function inputsOf({ function: name, given }: CheckpointSite): readonly GivenArgument[] | undefined {
  if (given.openPositional || given.keywords.some((one) => one.name === 'function' || one.name === 'functions'))
    return undefined;
  if (name === 'checkpoint') return given.positional.slice(1);
  const input = given.positional[2] ?? given.keywords.find((one) => one.name === 'input');
  return input === undefined ? undefined : [input];
}

/** A module with something to train; a plain function or an activation has no parameters. */
function hasParameters(site: CheckpointSite, context: LintContext): boolean {
  const { entry, libraryModules, bodies, complete } = context.region(site);
  if (libraryModules.some(({ qualified }) => parametric.test(qualified))) return true;
  const isForward =
    entry?.owner !== undefined && entry.callable.kind === 'function' && entry.callable.name.name === 'forward';
  // A module of this workspace that calls something unknown has its parameters there.
  return (isForward || (site.function === 'checkpoint_sequential' && bodies.length > 0)) && !complete;
}

const parametric =
  /^torch\.nn\.(\w*Linear|\w*Conv\w*|Embedding\w*|\w*Norm\w*|LSTM|GRU|RNN|MultiheadAttention|Transformer\w*|PReLU)$/;

/** Indices never require grad. */
function isEmbedding(site: CheckpointSite, context: LintContext): boolean {
  const { entry, libraryModules } = context.region(site);
  return (
    site.function === 'checkpoint' &&
    entry === undefined &&
    libraryModules.length > 0 &&
    libraryModules.every(({ qualified }) => qualified === 'torch.nn.Embedding')
  );
}

/** The untouched parameters of a `forward` that this file calls with data alone. */
function isFedData(site: CheckpointSite, inputs: readonly GivenArgument[], context: LintContext): boolean {
  const { function: method, class: owner } = context.around(site.call);
  if (method?.name.name !== 'forward' || owner === undefined) return false;
  const positions = inputs.map(({ value }) => {
    if (isWithoutGrad(value, context)) return 'constant';
    return positionIn(method, value, context);
  });
  if (positions.includes(undefined)) return false;
  const calls = trainingCallsOf(owner, method, context);
  return (
    calls.length > 0 &&
    calls.every((call) =>
      positions.every((position) => {
        if (typeof position !== 'number') return true;
        const argument = call.arguments[position];
        return argument?.kind === 'positional' && isWithoutGrad(argument.value, context);
      }),
    )
  );
}

/** At which position a call of a method gives this value, where it is an untouched parameter. */
function positionIn({ parameters }: FunctionDefinition, value: Expression, { names }: LintContext): number | undefined {
  const bindings = value.kind === 'name' ? names.bindingsOf(value) : [];
  const [binding] = bindings;
  if (bindings.length !== 1 || binding?.to !== 'parameter') return undefined;
  const index = parameters.indexOf(binding.parameter);
  return index > 0 ? index - 1 : undefined;
}

const callsOfNames = oncePer((calls: CallIndex) => calls.all().filter(({ callee }) => callee.kind === 'name'));

/** `model(…)` and, inside the class, `self(…)`, where gradients are recorded. */
function trainingCallsOf(owner: ClassDefinition, forward: FunctionDefinition, context: LintContext): readonly Call[] {
  const { names, calls } = context;
  return callsOfNames(calls).filter(({ callee, start, end }) => {
    if (start >= forward.start && end <= forward.end) return false;
    const isOwn = names.classOfSelf(callee) === owner;
    return (isOwn || isInstanceOf(callee)) && !runsWithoutGrad({ start, end }, context);
  });

  function isInstanceOf(callee: Call['callee']): boolean {
    const bindings = callee.kind === 'name' ? names.bindingsOf(callee) : [];
    const [binding] = bindings;
    if (bindings.length !== 1 || binding?.to !== 'value') return false;
    let made = binding.value;
    while (
      made.kind === 'call' &&
      made.callee.kind === 'attribute' &&
      ['to', 'cuda', 'train'].includes(made.callee.attribute.name)
    ) {
      made = made.callee.object;
    }
    if (made.kind !== 'call') return false;
    const { targets, complete } = names.resolve(made.callee);
    return complete && targets.length === 1 && targets[0]?.definition === owner;
  }
}
