import { familyNamed } from '../families/generated/registry.ts';
import type { Expression } from '../python/ast.ts';
import type { RunReading } from './batch.ts';
import { dataTypeWords, meansAutocast } from './configFiles/words.ts';
import { dataTypeFact, readDataType } from './dataTypes.ts';
import type { DataType, Fact, ModelFacts } from './facts.ts';
import type { ModelReading } from './modelReading.ts';
import { optionNamed } from './settings.ts';
import { factOf, lastName, type Source, withLost } from './source.ts';
import { isAside, isEvaluation } from './standing.ts';
import { type TrainerArguments, trainerProblem, trainerValue } from './trainer.ts';

export interface Precision {
  readonly dataType: Fact<DataType>;
  readonly autocast: Fact<boolean>;
  /** Of FSDP's shards and of the gradients on their way, where it computes in another type. */
  readonly shardType?: Fact<DataType>;
  readonly reduceType?: Fact<DataType>;
  readonly options: readonly string[];
  readonly notes: readonly string[];
}

/**
 * The data type that activations are in, and whether autocast brings it about over fp32 weights. Weights that are loaded in
 * the data type that autocast asks for leave autocast nothing to cast.
 */
export function readPrecision(
  source: Source,
  trainer: TrainerArguments | undefined,
  model: ModelReading | undefined,
  ofDeepSpeed: Fact<DataType> | undefined,
): Precision {
  const weights = model?.weights ?? convertedWeights(source);
  const mixed = (trainer && ofTrainer(source, trainer)) ?? autocastCall(source) ?? accelerator(source);
  if (mixed !== undefined) {
    const { fact, options, notes } = mixed;
    const nothingToCast = weights !== undefined && weights.value === fact.value;
    return {
      dataType: fact,
      autocast: nothingToCast
        ? { value: false, origin: { kind: 'derived', from: `the weights are ${weights.value} already` } }
        : { value: fact.value !== 'fp32', origin: fact.origin },
      options,
      notes,
    };
  }
  // DeepSpeed turns the weights themselves into the type.
  if (ofDeepSpeed !== undefined) {
    const converted: Fact<boolean> = { value: false, origin: ofDeepSpeed.origin };
    return { dataType: withLost(ofDeepSpeed, [weights]), autocast: converted, options: [], notes: [] };
  }
  const sharded = shardedPrecision(source, weights);
  if (sharded !== undefined) return sharded;
  const off: Fact<boolean> = { value: false, origin: { kind: 'derived', from: 'no autocast in this file' } };
  if (weights !== undefined) return { dataType: weights, autocast: off, options: [], notes: [] };
  const asked = trainer === undefined ? optionNamed(source, ['precision', 'mixed_precision']) : undefined;
  const word = asked === undefined ? '' : String(asked.value).toLowerCase();
  const type = Object.hasOwn(dataTypeWords, word) ? dataTypeWords[word] : undefined;
  if (asked !== undefined && type !== undefined) {
    const fact = factOf<DataType>(source, asked, type);
    const mixes = type !== 'fp32' && (meansAutocast(word) || asked.options.some((option) => /mixed/.test(option)));
    return { dataType: fact, autocast: { value: mixes, origin: fact.origin }, options: asked.options, notes: [] };
  }
  const problem = trainer && (trainerProblem(source, trainer, 'bf16') ?? trainerProblem(source, trainer, 'fp16'));
  if (problem !== undefined)
    return {
      dataType: { value: 'fp32', origin: { kind: 'assumed', why: problem } },
      autocast: { value: false, origin: { kind: 'assumed', why: problem } },
      options: [],
      notes: [problem],
    };
  const loaded = model?.model?.layers.origin.kind === 'registry' && isOfTransformers(model.model);
  return {
    dataType: loaded
      ? { value: 'fp32', origin: { kind: 'default', library: 'transformers 4', what: 'from_pretrained dtype' } }
      : { value: 'fp32', origin: { kind: 'default', library: 'torch', what: 'default dtype' } },
    autocast: off,
    options: [],
    notes: loaded
      ? ['transformers 5 loads weights in the data type they were saved in; fp32, the default of 4, is counted']
      : [],
  };
}

const isOfTransformers = ({ family }: ModelFacts): boolean =>
  familyNamed(family.value)?.configs.some(({ library }) => library === 'transformers') === true;

/** `bf16=True` and `fp16=True` are mixed precision; trl has had bf16 on by default since 0.20. */
function ofTrainer(source: Source, trainer: TrainerArguments): RunReading<DataType> | undefined {
  for (const name of ['bf16', 'fp16'] as const) {
    const read = trainerValue(source, trainer, name);
    if (read?.value === true) return { fact: factOf<DataType>(source, read, name), options: read.options, notes: [] };
  }
  const asked = trainer.fields.fields.get('bf16');
  const isOpen = asked !== undefined && trainerValue(source, trainer, 'bf16')?.value !== null;
  if (trainer.library !== 'trl' || trainer.fields.open !== undefined || isOpen) return undefined;
  const what = `${trainer.className}.bf16 (since 0.20)`;
  return { fact: { value: 'bf16', origin: { kind: 'default', library: 'trl', what } }, options: [], notes: [] };
}

/** `torch.autocast("cuda", dtype=torch.bfloat16)`; without a data type CUDA takes fp16 and the CPU bf16. */
function autocastCall(source: Source): RunReading<DataType> | undefined {
  for (const here of source.calls) {
    const { call, qualified } = here;
    if (isAside(source, here) || isEvaluation(here)) continue;
    if (
      !/^torch\.(autocast|amp\.autocast|cuda\.amp\.autocast|amp\.autocast_mode\.autocast|cpu\.amp\.autocast)$/.test(
        qualified ?? '',
      )
    )
      continue;
    const given = source.givenTo(call).fields;
    const enabled = given.get('enabled')?.value;
    if (enabled !== undefined && source.read(enabled)?.value === false) continue;
    const [first, second] = call.arguments.map((argument) =>
      argument.kind === 'positional' ? argument.value : undefined,
    );
    const dtype = given.get('dtype')?.value ?? second;
    const read = dtype && source.read(dtype);
    const fact = read && dataTypeFact(source, read);
    if (fact !== undefined) return { fact, options: read?.options ?? [], notes: [] };
    if (dtype !== undefined)
      return {
        fact: {
          value: 'bf16',
          origin: { kind: 'assumed', why: `autocast's dtype on line ${source.lineOf(call)} could not be read` },
        },
        options: [],
        notes: [`autocast's dtype on line ${source.lineOf(call)} could not be read; bf16 is counted`],
      };
    const device = source.read(given.get('device_type')?.value ?? first ?? call)?.value;
    const isCpu = device === 'cpu' || qualified?.startsWith('torch.cpu.') === true;
    const what = isCpu ? 'autocast on the CPU' : 'autocast on CUDA';
    return {
      fact: { value: isCpu ? 'bf16' : 'fp16', origin: { kind: 'default', library: 'torch', what } },
      options: [],
      notes: [],
    };
  }
  return undefined;
}

function accelerator(source: Source): RunReading<DataType> | undefined {
  for (const { call, qualified } of source.calls) {
    if (!/^accelerate\.(\w+\.)*Accelerator$/.test(qualified ?? '')) continue;
    const value = source.givenTo(call).fields.get('mixed_precision')?.value;
    const read = value && source.read(value);
    const fact = read && dataTypeFact(source, read);
    if (fact !== undefined) return { fact, options: read?.options ?? [], notes: [] };
  }
  return undefined;
}

/**
 * `MixedPrecision(param_dtype=torch.bfloat16)` of FSDP and `MixedPrecisionPolicy(…)` of `fully_shard`: weights are gathered in
 * that type and lie in shards of the type they were made in. Gradients travel in `reduce_dtype`, else in the same type.
 */
function shardedPrecision(source: Source, weights: Fact<DataType> | undefined): Precision | undefined {
  const policies = source.calls.flatMap((here) => {
    if (!/^torch\.distributed\.(\w+\.)*(MixedPrecision|MixedPrecisionPolicy)$/.test(here.qualified ?? '')) return [];
    if (isAside(source, here)) return [];
    const { fields } = source.givenTo(here.call);
    const dataType = readDataType(source, fields.get('param_dtype')?.value);
    return dataType === undefined
      ? []
      : [{ dataType, reduceType: readDataType(source, fields.get('reduce_dtype')?.value) }];
  });
  const [first] = policies;
  if (first === undefined || new Set(policies.map(({ dataType }) => dataType.value)).size > 1) return undefined;
  const { dataType } = first;
  const agreeing = policies.every(({ reduceType }) => reduceType?.value === first.reduceType?.value);
  const reduceType = agreeing ? first.reduceType : undefined;
  const shardType: Fact<DataType> = weights ?? {
    value: 'fp32',
    origin: { kind: 'default', library: 'torch', what: 'default dtype' },
  };
  return {
    dataType,
    autocast: { value: false, origin: dataType.origin },
    ...(shardType.value !== dataType.value && { shardType }),
    ...(reduceType !== undefined && { reduceType }),
    options: [],
    notes: [],
  };
}

/** `model.to(torch.bfloat16)`, `model.half()`, `torch.set_default_dtype(torch.bfloat16)`. */
function convertedWeights(source: Source): Fact<DataType> | undefined {
  for (const here of source.calls) {
    const { call, qualified } = here;
    if (isAside(source, here)) continue;
    if (qualified === 'torch.set_default_dtype') {
      const fact = readDataType(source, call.arguments[0]?.value);
      if (fact !== undefined) return fact;
    }
    const { callee } = call;
    if (callee.kind !== 'attribute' || !isModel(callee.object)) continue;
    const method = callee.attribute.name;
    if (method === 'to') {
      for (const argument of call.arguments) {
        if (argument.kind === 'splat' || argument.value.kind === 'string') continue;
        const fact = readDataType(source, argument.value);
        if (fact !== undefined) return fact;
      }
    }
    const value = method === 'bfloat16' ? 'bf16' : method === 'half' ? 'fp16' : undefined;
    if (value !== undefined && call.arguments.length === 0)
      return { value, origin: { kind: 'literal', place: source.placeOf(callee.attribute) } };
  }
  return undefined;
}

/** By its name, or by what it was made with; tensors are converted too, and those do not count. */
function isModel(object: Expression): boolean {
  if (/(^|_)(model|net|network|transformer|gpt|llama|lm)$/i.test(lastName(object))) return true;
  return (
    object.kind === 'call' &&
    /^(from_pretrained|from_config|\w*(Model|ForCausalLM|LMHeadModel|GPT|Transformer))$/.test(lastName(object.callee))
  );
}
