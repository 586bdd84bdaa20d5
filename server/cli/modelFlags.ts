import { readFileSync } from 'node:fs';
import type { DataType, Fact, ModelFacts, ModelFamily, Origin } from '../core/facts/facts.ts';
import type { ConfigClass } from '../core/families/configClass.ts';
import { readHfConfig } from '../core/families/hfConfig.ts';
import { type KnownModel, knownModel } from '../core/families/knownModels.ts';
import { type ConfigReading, type ConfigReadings, says } from '../core/families/readConfig.ts';
import { isRecord } from '../core/settings.ts';
import { reason } from '../scan/problem.ts';
import { UsageError } from './flags.ts';
import { jsonPlaces } from './jsonPlaces.ts';

/** A model that a flag names, in place of the one in the file. */
export interface FlaggedModel {
  readonly model: ModelFacts;
  readonly dropout: Fact<number>;
  /** What the weights are published in; undefined where that is not said. */
  readonly dataType: Fact<DataType> | undefined;
  readonly notes: readonly string[];
}

/** `--config FILE`: @throws UsageError where the file cannot be read or has a model without an account */
export function modelOfConfig(path: string): FlaggedModel {
  const text = readConfigFile(path);
  const json = parsed(path, text);
  const { configClass, readings, modelType, problems, refused } = readHfConfig(json);
  if (configClass === undefined || readings === undefined) throw new UsageError(`--config ${path}: ${problems[0]}`);
  // A number that stands there and is wrong is not one that is missing.
  if (refused.length > 0) throw new UsageError(`--config ${path}: ${refused.map(withoutDefault).join(', ')}`);
  const literal = jsonPlaces(path, text, isInTextConfig(json) ? 'text_config' : undefined);
  const model = factsOf(configClass, readings, literal, {
    value: modelType ?? configClass.name,
    origin: literal('model_type'),
  });
  return {
    model,
    dropout: factOf(readings.dropout, literal),
    dataType: dataTypeOf(json, literal),
    notes: problems,
  };
}

/** `--model HF_ID`: @throws UsageError where the registry does not have it */
export function modelOfRegistry(id: string): FlaggedModel {
  const known = knownModel(id);
  if (known === undefined) {
    throw new UsageError(`--model ${id}: not in the registry; --config reads the config.json of any model`);
  }
  const origin: Origin = { kind: 'registry', model: known.id };
  return {
    model: registryFacts(known, id, origin),
    dropout: { value: known.dropout, origin },
    dataType: undefined,
    notes: [],
  };
}

function registryFacts(known: KnownModel, id: string, origin: Origin): ModelFacts {
  const of = <T>(value: T): Fact<T> => ({ value, origin });
  const { sizes, shape } = known;
  return {
    name: { value: id, origin: { kind: 'chosen', by: '--model' } },
    // A type that no template has: the estimate then gives the paper account and says why there is no other.
    family: of(known.family ?? (known.modelType as ModelFamily)),
    layers: of(sizes.layers),
    hidden: of(sizes.hidden),
    heads: of(sizes.heads),
    keyValueHeads: of(sizes.keyValueHeads),
    headDimension: of(sizes.headDimension),
    feedForward: of(sizes.feedForward),
    vocabulary: of(sizes.vocabulary),
    maximumSequence: of(sizes.maximumSequence),
    activation: of(shape?.activation ?? 'gelu'),
    tiedEmbeddings: of(shape?.tiedEmbeddings ?? false),
    bias: of(shape?.bias ?? true),
    ...(shape?.settings && {
      settings: Object.fromEntries(Object.entries(shape.settings).map(([name, value]) => [name, of(value)])),
    }),
  };
}

type PlaceOfKey = (key: string) => Origin;

const factsOf = (
  config: ConfigClass,
  readings: ConfigReadings,
  literal: PlaceOfKey,
  name: Fact<string>,
): ModelFacts => ({
  name,
  family: { value: config.family, origin: literal('model_type') },
  layers: factOf(readings.layers, literal),
  hidden: factOf(readings.hidden, literal),
  heads: factOf(readings.heads, literal),
  keyValueHeads: factOf(readings.keyValueHeads, literal),
  headDimension: factOf(readings.headDimension, literal),
  feedForward: factOf(readings.feedForward, literal),
  vocabulary: factOf(readings.vocabulary, literal),
  maximumSequence: factOf(readings.maximumSequence, literal),
  activation: factOf(readings.activation, literal),
  tiedEmbeddings: factOf(readings.tiedEmbeddings, literal),
  bias: factOf(readings.bias, literal),
  ...(says(config, 'outputBias') && { outputBias: factOf(readings.outputBias, literal) }),
  ...(says(config, 'feedForwardBias') && { feedForwardBias: factOf(readings.feedForwardBias, literal) }),
  ...(Object.keys(readings.settings).length > 0 && {
    settings: Object.fromEntries(
      Object.entries(readings.settings).map(([name, reading]) => [name, factOf(reading, literal)]),
    ),
  }),
});

const factOf = <T>({ value, source }: ConfigReading<T>, literal: PlaceOfKey): Fact<T> => ({
  value,
  origin: source.kind === 'given' ? literal(source.as) : source,
});

const dataTypes: Readonly<Record<string, DataType>> = { bfloat16: 'bf16', float16: 'fp16', float32: 'fp32' };

/** transformers 5 writes `dtype`, earlier ones wrote `torch_dtype`. */
function dataTypeOf(json: unknown, literal: PlaceOfKey): Fact<DataType> | undefined {
  if (!isRecord(json)) return undefined;
  for (const key of ['dtype', 'torch_dtype']) {
    const name = json[key];
    const value = typeof name === 'string' && Object.hasOwn(dataTypes, name) ? dataTypes[name] : undefined;
    if (value !== undefined) return { value, origin: literal(key) };
  }
  return undefined;
}

const withoutDefault = (problem: string): string => problem.replace(/; its default is used$/, '');

/** A multimodal model's configuration has the language model's inside; `readHfConfig` reads that one. */
function isInTextConfig(json: unknown): boolean {
  const text = isRecord(json) ? json.text_config : undefined;
  return isRecord(text) && typeof text.model_type === 'string';
}

function readConfigFile(path: string): string {
  try {
    return readFileSync(path, 'utf8').replace(/^\ufeff/, '');
  } catch (error) {
    throw new UsageError(`--config ${path}: ${reason(error)}`);
  }
}

function parsed(path: string, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new UsageError(`--config ${path}: not JSON (${reason(error)})`);
  }
}
