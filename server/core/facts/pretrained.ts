import { configClassOfModelType } from '../families/configClass.ts';
import type { KnownModel } from '../families/knownModels.ts';
import { modelNamed } from '../families/modelNamed.ts';
import type { Call, Expression } from '../python/ast.ts';
import type { Fact, Origin } from './facts.ts';
import { readLibraryConfig, registryValues } from './libraryConfig.ts';
import { localConfig, readConfigFile } from './localConfig.ts';
import type { ConfigMaker } from './modelCandidates.ts';
import { type ModelReading, noModel, onlyNamed } from './modelReading.ts';
import { type CallHere, type Fields, factOf, lastName, type ReadValue, type Source, writtenAs } from './source.ts';

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
    if (!/^transformers\.(\w+\.)*\w+Config\.(from_pretrained|from_json_file)$/.test(here.qualified ?? '')) return [];
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

/** litgpt's `Config.from_name("Llama-3.2-1B", n_layer=…)`, by the name its models have on the hub. */
export function litgptConfigCalls(source: Source): readonly ConfigMaker[] {
  return source.calls.flatMap((here): ConfigMaker[] => {
    if (!/^lit_?gpt\.(\w+\.)*Config\.from_name$/.test(here.qualified ?? '')) return [];
    const name = idOf(here.call);
    const id = name && source.read(name)?.value;
    return [
      {
        call: here.call,
        rankAlone: 2,
        name: typeof id === 'string' ? id : 'Config.from_name',
        read: (use) => {
          const fields = source.fieldsOf(here.call, use) ?? source.givenTo(here.call);
          const reading = readById(source, here.call, name, renamedFields(fields));
          const own = "litgpt's layers are counted as those of transformers";
          return reading.model === undefined ? reading : { ...reading, notes: [...reading.notes, own] };
        },
      },
    ];
  });
}

/** litgpt's names for what transformers' configurations call otherwise. */
const litgptNames: Readonly<Record<string, string>> = {
  n_layer: 'num_hidden_layers',
  n_head: 'num_attention_heads',
  n_embd: 'hidden_size',
  n_query_groups: 'num_key_value_heads',
  block_size: 'max_position_embeddings',
  padded_vocab_size: 'vocab_size',
};

const renamedFields = ({ fields, open }: Fields): Fields => ({
  fields: new Map([...fields].map(([name, field]) => [litgptNames[name] ?? name, field])),
  open,
});

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
  if (read === undefined || typeof read.value !== 'string' || read.value.trim() === '')
    return noModel(`the model that line ${line} loads, ${writtenAs(source, expression)}, could not be read`);
  const name = factOf(source, read, read.value);
  const local = localConfig(source, read.value);
  if (local !== undefined) return withOptions(readConfigFile(source, local, name, fields), read);
  const { known, note } = modelNamed(read.value) ?? {};
  if (known === undefined) return onlyNamed(name, `${read.value} (line ${line}) is not among the known models`);
  const config = configClassOfModelType(known.modelType);
  const origin: Origin = { kind: 'registry', model: known.id, place: source.placeOf(read.at) };
  const reading =
    known.shape === undefined || config === undefined
      ? withoutAccount(known, name, origin)
      : readLibraryConfig(source, config, name, fields, { values: registryValues(config, known), origin });
  return withOptions(note === undefined ? reading : { ...reading, notes: [...reading.notes, note] }, read);
}

const withOptions = (reading: ModelReading, { options }: ReadValue): ModelReading => ({
  ...reading,
  options: [...reading.options, ...options],
});

/** The sizes of a registry's model whose layers have no account of their own: its range can still be shown. */
function withoutAccount(known: KnownModel, name: Fact<string>, origin: Origin): ModelReading {
  const of = <T>(value: T): Fact<T> => ({ value, origin });
  const { sizes } = known;
  const assumed = <T>(value: T): Fact<T> => ({
    value,
    origin: { kind: 'assumed', why: `no PyTorch account for ${known.modelType} models yet` },
  });
  return {
    ...noModel(`${name.value}: ${known.withoutAccount ?? `no PyTorch account for ${known.modelType} models yet`}`),
    model: {
      name,
      family: of(known.modelType),
      layers: of(sizes.layers),
      hidden: of(sizes.hidden),
      heads: of(sizes.heads),
      keyValueHeads: of(sizes.keyValueHeads),
      headDimension: of(sizes.headDimension),
      feedForward: of(sizes.feedForward),
      vocabulary: of(sizes.vocabulary),
      maximumSequence: of(sizes.maximumSequence),
      activation: assumed('gelu'),
      tiedEmbeddings: assumed(false),
      bias: assumed(true),
    },
    dropout: of(known.dropout),
  };
}

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
      argument.kind === 'keyword' && /^(pretrained_model_name_or_path|model_name|model|name)$/.test(argument.name.name),
  );
  return named?.value;
}
