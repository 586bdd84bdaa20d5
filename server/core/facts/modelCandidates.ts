import type { Call, Expression } from '../python/ast.ts';
import { statementsOf } from '../python/walk.ts';
import { keyword, withBuildKeywords } from './buildKeywords.ts';
import { handWrittenConfigs } from './handWritten.ts';
import { configCalls } from './huggingFaceConfig.ts';
import { withHeadOfClass } from './modelHead.ts';
import type { ModelCandidate, ModelReading } from './modelReading.ts';
import { modelsOfOtherLibraries } from './otherLibraries.ts';
import { litgptConfigCalls, pretrainedConfigCalls, pretrainedModels, readPretrained } from './pretrained.ts';
import { type CallHere, lastName, type Source, type Surroundings, type Use } from './source.ts';
import { isAside } from './standing.ts';
import { torchTransformers } from './torchTransformer.ts';

/** A call, or a dictionary, that makes a model's configuration. */
export interface ConfigMaker {
  readonly call: Expression;
  readonly name: string;
  /** Its rank where nothing in the file is built with it; below zero for what means nothing then. */
  readonly rankAlone: number;
  /** The configuration as it is at `use`. */
  readonly read: (use: Use) => ModelReading;
}

/** Everything in a file that may be the trained model, in source order. */
export function modelCandidates(source: Source): readonly ModelCandidate[] {
  const handWritten = handWrittenConfigs(source);
  const makers = new Map<Expression, ConfigMaker>();
  for (const maker of [
    ...configCalls(source),
    ...pretrainedConfigCalls(source),
    ...litgptConfigCalls(source),
    ...handWritten.makers,
  ])
    makers.set(maker.call, maker);
  const built = new Set<Expression>();
  const candidates: ModelCandidate[] = [];
  const builds = source.calls.filter(mayBuildModel).map((here) => {
    const values = configArguments(here.call);
    const isHandedOn = values.some((value) => isParameter(source, value));
    return { here, isHandedOn, configs: new Set(values.flatMap((value) => makersBehind(source, value, makers, 0))) };
  });
  // A model hands its configuration on to its parts; where the model itself is built says more.
  for (const { here, configs, isHandedOn } of [...builds].sort((a, b) => Number(a.isHandedOn) - Number(b.isHandedOn))) {
    for (const maker of configs) {
      if (isHandedOn && built.has(maker.call)) continue;
      built.add(maker.call);
      // Sizes for a quick test, say, in a branch that does not run.
      if (isAside(source, { around: source.surroundingsAt(maker.call.start) })) continue;
      candidates.push({
        name: maker.name,
        span: maker.call,
        isNamed: true,
        rank: 4 + standing(source, here),
        read: () => asBuilt(source, here, maker.read({ offset: here.call.start, around: here.around })),
      });
    }
  }
  for (const pretrained of pretrainedModels(source)) {
    const ownConfig = keyword(pretrained.here.call, 'config');
    if (ownConfig !== undefined && makersBehind(source, ownConfig, makers, 0).length > 0) continue;
    candidates.push({
      name: pretrained.id ?? lastName(pretrained.here.call.callee),
      span: pretrained.here.call,
      isNamed: pretrained.id !== undefined,
      rank: 4 + standing(source, pretrained.here),
      read: () => asBuilt(source, pretrained.here, readPretrained(source, pretrained)),
    });
  }
  for (const maker of makers.values()) {
    if (built.has(maker.call) || maker.rankAlone < 0) continue;
    const around = source.surroundingsAt(maker.call.start);
    const use = { offset: Number.POSITIVE_INFINITY, around };
    candidates.push({
      name: maker.name,
      span: maker.call,
      isNamed: true,
      rank: maker.rankAlone + standing(source, { call: maker.call, around }),
      read: () => maker.read(use),
    });
  }
  candidates.push(...handWritten.declared, ...torchTransformers(source), ...modelsOfOtherLibraries(source));
  return candidates.sort((a, b) => a.span.start - b.span.start);
}

/** What the call that builds the model adds to its configuration. */
const asBuilt = (source: Source, here: CallHere, reading: ModelReading): ModelReading =>
  withHeadOfClass(source, here, withBuildKeywords(source, here, reading));

const isParameter = (source: Source, value: Expression): boolean =>
  value.kind === 'name' && source.names.bindingsOf(value).some((binding) => binding.to === 'parameter');

/** A configuration may wait in a table or come from a function of this file. */
function makersBehind(
  source: Source,
  expression: Expression,
  makers: ReadonlyMap<Expression, ConfigMaker>,
  depth: number,
): readonly ConfigMaker[] {
  if (depth > longestWay) return [];
  const follow = (value: Expression | undefined): readonly ConfigMaker[] =>
    value === undefined ? [] : makersBehind(source, value, makers, depth + 1);
  return source.rootsOf(expression).flatMap((root): readonly ConfigMaker[] => {
    const maker = makers.get(root);
    if (maker !== undefined) return [maker];
    if (root.kind === 'attribute') return follow(source.fieldsOf(root.object)?.fields.get(root.attribute.name)?.value);
    if (root.kind === 'subscript') {
      const key = root.indices[0] && source.read(root.indices[0])?.value;
      return typeof key === 'string' ? follow(source.fieldsOf(root.object)?.fields.get(key)?.value) : [];
    }
    if (root.kind !== 'call' || source.ownerOf(root) !== source) return [];
    const definition = source.names.resolve(root.callee).targets[0]?.definition;
    if (definition?.kind !== 'function') return [];
    return [...statementsOf(definition.body)].flatMap((statement) =>
      statement.kind === 'return' ? follow(statement.value) : [],
    );
  });
}

const longestWay = 4;

/** nanoGPT's class method of this name copies published weights; it does not train. */
export const copiesWeights = 'from_pretrained';

/** Lower where the code runs only under a condition that does not hold, or builds a model that is not the trained one. */
function standing(source: Source, here: { readonly call: Expression; readonly around: Surroundings }): number {
  if (here.around.conditions.some((condition) => source.holds(condition) === false)) return -3.5;
  if (here.around.function?.name.name === copiesWeights) return -3.2;
  const name = source.assignedName(here.call) ?? '';
  return /(^|_)(ref|reference|teacher|reward|draft|assistant|judge|critic|value|old|base_eval)(_|$)/i.test(name)
    ? -1
    : 0;
}

/** A class or a `from_config`; not a trainer, a tokenizer or another configuration that takes one. */
function mayBuildModel({ call, qualified, definition }: CallHere): boolean {
  const name = lastName(call.callee);
  if (name === 'from_config' || name === '_from_config') return true;
  if (name === 'from_pretrained') return /(^|\.)(transformers|unsloth|trl|peft|liger_kernel)\./.test(qualified ?? '');
  if (/(Config|Arguments|Args|Trainer|Tokenizer|Processor|Dataset|Collator|Scheduler|Callback)\w*$/.test(name))
    return false;
  return definition?.kind === 'class' || /^[A-Z]/.test(name);
}

const configArguments = (call: Call): readonly Expression[] =>
  call.arguments.flatMap((argument, index) => {
    if (argument.kind === 'positional') return index < 2 ? [argument.value] : [];
    return argument.kind === 'keyword' &&
      /^(config|cfg|args|params|model_config|model_args|hparams)$/.test(argument.name.name)
      ? [argument.value]
      : [];
  });
