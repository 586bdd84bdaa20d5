import { configClassOfModelType } from '../families/configClass.ts';
import { knownModel } from '../families/knownModels.ts';
import type { Call, Expression } from '../python/ast.ts';
import type { Fact, Origin } from './facts.ts';
import { readLibraryConfig } from './libraryConfig.ts';
import type { ConfigMaker } from './modelCandidates.ts';
import { type ModelReading, noModel } from './modelReading.ts';
import { type CallHere, type Fields, lastName, type ReadValue, type Source, writtenAs } from './source.ts';

/** A call that loads a model by its name on the hub. */
export interface PretrainedModel {
  readonly here: CallHere;
  readonly id: string | undefined;
  readonly idExpression: Expression | undefined;
}

/** `AutoModelForCausalLM.from_pretrained(id)` and the like, and trainers that are given an id to load. */
export function pretrainedModels(source: Source): readonly PretrainedModel[] {
  return source.calls.flatMap((here): PretrainedModel[] => {
    if (!loadsModel(here) && !trainsById(source, here)) return [];
    const idExpression = idOf(here.call);
    const id = idExpression && source.read(idExpression)?.value;
    return [{ here, idExpression, id: typeof id === 'string' ? id : undefined }];
  });
}

/** `AutoConfig.from_pretrained(id, …)` and `GPT2Config.from_pretrained(id, …)`. */
export function pretrainedConfigCalls(source: Source): readonly ConfigMaker[] {
  return source.calls.flatMap((here): ConfigMaker[] => {
    if (!/^transformers\.(\w+\.)*\w+Config\.from_pretrained$/.test(here.qualified ?? '')) return [];
    if (/\.GenerationConfig\./.test(here.qualified ?? '')) return [];
    const idExpression = idOf(here.call);
    const id = idExpression && source.read(idExpression)?.value;
    return [
      {
        call: here.call,
        rankAlone: 2,
        name: typeof id === 'string' ? id : lastName(here.call.callee),
        read: (use) =>
          readById(source, here.call, idExpression, source.fieldsOf(here.call, use) ?? source.givenTo(here.call)),
      },
    ];
  });
}

export const readPretrained = (source: Source, { here, idExpression }: PretrainedModel): ModelReading =>
  readById(source, here.call, idExpression, sizesGiven(source.givenTo(here.call)));

/** Keywords of `from_pretrained` that are its own, not the configuration's. */
const ownKeywords = new Set([
  'config',
  'dtype',
  'torch_dtype',
  'attn_implementation',
  'quantization_config',
  'max_seq_length',
]);

const sizesGiven = ({ fields }: Fields): Fields => ({
  fields: new Map([...fields].filter(([name]) => !ownKeywords.has(name))),
  // An unknown `**kwargs` of from_pretrained seldom holds a size; the registry's row stands.
  open: undefined,
});

function readById(source: Source, call: Call, expression: Expression | undefined, fields: Fields): ModelReading {
  const line = source.lineOf(call);
  if (expression === undefined) return noModel(`the model that line ${line} loads is not named there`);
  const read = source.read(expression);
  if (read === undefined || typeof read.value !== 'string')
    return noModel(`the model that line ${line} loads, ${writtenAs(source, expression)}, could not be read`);
  const known = knownModel(read.value);
  if (known === undefined) return noModel(`${read.value} (line ${line}) is not among the known models`);
  const config = configClassOfModelType(known.modelType);
  if (known.shape === undefined || config === undefined)
    return noModel(`${read.value}: ${known.withoutAccount ?? `no PyTorch account for ${known.modelType} models yet`}`);
  const origin: Origin = { kind: 'registry', model: known.id, place: source.placeOf(read.at) };
  const reading = readLibraryConfig(source, config, nameFact(source, read, read.value), fields, { known, origin });
  return { ...reading, options: [...reading.options, ...read.options] };
}

const nameFact = (source: Source, read: ReadValue, value: string): Fact<string> => ({
  value,
  origin: { kind: 'literal', place: source.placeOf(read.at) },
});

/** Libraries whose `from_pretrained` loads a model for training. */
function loadsModel({ qualified, call }: CallHere): boolean {
  if (lastName(call.callee) !== 'from_pretrained' || qualified === undefined) return false;
  const owner = qualified.split('.').at(-2) ?? '';
  if (/^(unsloth|peft|trl|liger_kernel|optimum)\./.test(qualified))
    return /(Model|LMHead|CausalLM)/.test(owner) && !/^Peft/.test(owner);
  if (!qualified.startsWith('transformers.')) return false;
  return (
    !/(Config|Tokenizer|TokenizerFast|Processor|Extractor|Pipeline)$/.test(owner) &&
    /(Model|LM|For[A-Z]\w*)/.test(owner)
  );
}

/** `SFTTrainer(model="org/name")` loads the model itself. */
function trainsById(source: Source, { qualified, call }: CallHere): boolean {
  if (qualified === undefined || !/^trl\.(\w+\.)*\w+Trainer$/.test(qualified)) return false;
  const model = call.arguments.find((argument) =>
    argument.kind === 'keyword' ? argument.name.name === 'model' : argument.kind === 'positional',
  );
  return model !== undefined && typeof source.read(model.value)?.value === 'string';
}

function idOf(call: Call): Expression | undefined {
  const [first] = call.arguments;
  if (first?.kind === 'positional') return first.value;
  const named = call.arguments.find(
    (argument) =>
      argument.kind === 'keyword' && /^(pretrained_model_name_or_path|model_name|model)$/.test(argument.name.name),
  );
  return named?.value;
}
