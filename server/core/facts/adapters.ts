import type { Call, Expression } from '../python/ast.ts';
import { optionOfFunction } from './commandFunction.ts';
import type { Adapters, Fact, ModelFacts } from './facts.ts';
import { fieldValue } from './fieldValue.ts';
import { isSize } from './modelReading.ts';
import { type CallHere, type Fields, originOf, type ReadValue, type Source } from './source.ts';
import { isAside } from './standing.ts';

export interface AdaptersReading {
  readonly fact: Fact<Adapters> | undefined;
  readonly options: readonly string[];
  readonly notes: readonly string[];
}

/** LoRA as `LoraConfig(…)` or unsloth's `get_peft_model(…)` describe it; other kinds of adapters are only named. */
export function readAdapters(source: Source, model: ModelFacts | undefined): AdaptersReading {
  const found = source.calls.flatMap((here): readonly Described[] => {
    const described = describes(here);
    return described !== undefined && !isAside(source, here) ? [{ here, library: described }] : [];
  });
  const [first] = found;
  if (first === undefined) return { ...nothing, notes: otherAdapters(source) };
  const readings = found.map((each) => describedBy(source, each, model));
  const [chosen] = readings;
  const different = new Set(readings.map(({ fact }) => JSON.stringify(fact?.value)));
  if (chosen === undefined || different.size <= 1) return chosen ?? nothing;
  const places = found.map(({ here }) => `line ${source.lineOf(here.call)}`);
  return { ...nothing, notes: [`adapters are described differently on ${places.join(' and ')}`] };
}

interface Described {
  readonly here: CallHere;
  readonly library: 'peft' | 'unsloth';
}

const nothing: AdaptersReading = { fact: undefined, options: [], notes: [] };

function describes({ qualified }: CallHere): Described['library'] | undefined {
  if (/^peft\.(\w+\.)*LoraConfig$/.test(qualified ?? '')) return 'peft';
  return /^unsloth\.\w+\.get_peft_model$/.test(qualified ?? '') ? 'unsloth' : undefined;
}

function describedBy(source: Source, { here, library }: Described, model: ModelFacts | undefined): AdaptersReading {
  const fields = source.fieldsOf(here.call, { offset: Number.POSITIVE_INFINITY, around: here.around });
  const written = source.givenTo(here.call);
  // PEFT's own class has bases that are not read; what the call itself leaves open counts.
  const given: Fields = { fields: (fields ?? written).fields, open: written.open };
  const line = source.lineOf(here.call);
  const unread = (what: string): AdaptersReading => ({
    ...nothing,
    notes: [`${what} of the adapters on line ${line} could not be read, so they are not counted`],
  });
  if (given.open !== undefined) return unread('a part');
  const rank = numberIn(source, given, 'r', library === 'peft' ? 8 : 16, isSize);
  const dropout = numberIn(source, given, 'lora_dropout', 0, (value) => value >= 0 && value < 1);
  const targets = targetsIn(source, given, library, model);
  if (rank === undefined) return unread('the rank');
  if (dropout === undefined) return unread('the dropout');
  if (targets === undefined && isLeftToLibrary(source, given) && model === undefined)
    return {
      ...nothing,
      notes: [`the adapters on line ${line} are not counted: which layers get one follows from the model`],
    };
  if (targets === undefined) return unread('the list of target modules');
  const { read } = rank;
  const place = source.placeOf(read?.at ?? here.call.callee);
  return {
    fact: {
      value: { rank: rank.value, targets, dropout: dropout.value, elementType: 'fp32' },
      origin: read === undefined ? { kind: 'literal', place } : originOf(source, read),
    },
    options: [...(read?.options ?? []), ...(dropout.read?.options ?? [])],
    notes: [],
  };
}

interface NumberIn {
  readonly value: number;
  /** Undefined for the library's default. */
  readonly read: ReadValue | undefined;
}

function numberIn(
  source: Source,
  { fields }: Fields,
  name: string,
  standard: number,
  isPossible: (value: number) => boolean,
): NumberIn | undefined {
  const field = fields.get(name);
  if (field === undefined) return { value: standard, read: undefined };
  const read = fieldValue(source, field);
  return typeof read?.value === 'number' && isPossible(read.value) ? { value: read.value, read } : undefined;
}

function targetsIn(
  source: Source,
  { fields }: Fields,
  library: Described['library'],
  model: ModelFacts | undefined,
): Adapters['targets'] | undefined {
  const field = fields.get('target_modules');
  const read = fieldValue(source, field);
  if (field === undefined || read?.value === null) {
    if (library === 'unsloth') return everyProjection;
    return model && standardTargets[model.family.value];
  }
  if (typeof read?.value === 'string') return targetsNamed(read.value);
  return field.value && namesIn(source, field.value);
}

const isLeftToLibrary = (source: Source, { fields }: Fields): boolean =>
  !fields.has('target_modules') || fieldValue(source, fields.get('target_modules'))?.value === null;

/** `all-linear`, or one name; any other text is a regular expression over names that are not known here. */
const targetsNamed = (text: string): Adapters['targets'] | undefined =>
  text === 'all-linear' ? text : /^\w+$/.test(text) ? [text] : undefined;

function namesIn(source: Source, list: Expression): Adapters['targets'] | undefined {
  const owner = source.ownerOf(list);
  const root = soleRoot(owner, list);
  if (root?.kind === 'call')
    return splitNames(owner, root) ?? (namesLinearLayers(owner, root) ? 'all-linear' : undefined);
  if (root?.kind !== 'list' && root?.kind !== 'tuple' && root?.kind !== 'set') return undefined;
  const names = root.elements.map((element) => owner.read(element)?.value);
  return names.every((name) => typeof name === 'string') && names.length > 0 ? names : undefined;
}

/** What the expression stands for; of two ways the one whose test is known to lead there. */
function soleRoot(source: Source, expression: Expression): Expression | undefined {
  if (expression.kind === 'conditional') {
    const test = source.read(expression.test);
    return test && soleRoot(source, test.value ? expression.whenTrue : expression.whenFalse);
  }
  const roots = source.rootsOf(expression);
  const [root] = roots;
  if (roots.length !== 1 || root === undefined) return undefined;
  if (root.kind === 'attribute') return source.fieldsOf(root.object)?.fields.get(root.attribute.name)?.value;
  const [binding] = root.kind === 'name' ? source.names.bindingsOf(root) : [];
  return binding?.to === 'parameter' ? optionOfFunction(source, binding.parameter, binding.scope.node)?.value : root;
}

/**
 * A function that goes through the model's modules, keeps the names of the linear ones and leaves out the head, as scripts
 * did before PEFT had a word for it.
 */
function namesLinearLayers(source: Source, { callee }: Call): boolean {
  const definition = source.names.resolve(callee).targets[0]?.definition;
  if (definition?.kind !== 'function') return false;
  const text = source.module.text.slice(definition.start, definition.end);
  return /\.named_modules\(\)/.test(text) && /isinstance\(/.test(text) && /\bLinear/.test(text) && /lm_head/.test(text);
}

/** `"q_proj,v_proj".split(",")`, as options of a command line are taken apart. */
function splitNames(source: Source, { callee, arguments: given }: Call): readonly string[] | undefined {
  if (callee.kind !== 'attribute' || callee.attribute.name !== 'split') return undefined;
  const text = source.read(callee.object)?.value;
  const separator = given[0] === undefined ? ' ' : source.read(given[0].value)?.value;
  if (typeof text !== 'string' || typeof separator !== 'string' || separator === '') return undefined;
  const names = text.split(separator).map((name) => name.trim());
  return names.every((name) => /^\w+$/.test(name)) ? names : undefined;
}

const everyProjection = ['q_proj', 'k_proj', 'v_proj', 'o_proj', 'gate_proj', 'up_proj', 'down_proj'];

const queryAndValue = ['q_proj', 'v_proj'];
/** What PEFT 0.19 takes where no modules are named, by family. */
const standardTargets: Readonly<Record<string, readonly string[]>> = {
  llama: queryAndValue,
  mixtral: queryAndValue,
  gemma: queryAndValue,
  gemma2: queryAndValue,
  gemma3: queryAndValue,
  qwen3: queryAndValue,
  opt: queryAndValue,
  gptj: queryAndValue,
  bart: queryAndValue,
  gpt2: ['c_attn'],
  'gpt-bigcode': ['c_attn'],
  bloom: ['query_key_value'],
  'gpt-neox': ['query_key_value'],
  falcon: ['query_key_value'],
  t5: ['q', 'v'],
  bert: ['query', 'value'],
  roberta: ['query', 'value'],
  electra: ['query', 'value'],
  phi: ['q_proj', 'v_proj', 'fc1', 'fc2'],
};

/** Adapters that are not LoRA keep something else and have no account. */
function otherAdapters(source: Source): readonly string[] {
  const here = source.calls.find(
    (each) => /^peft\.(\w+\.)*(?!PeftConfig)\w+Config$/.test(each.qualified ?? '') && !isAside(source, each),
  );
  const name = here?.qualified?.slice(here.qualified.lastIndexOf('.') + 1);
  return here === undefined
    ? []
    : [`${name} on line ${source.lineOf(here.call)} has no account of its own; all weights are counted as trained`];
}
