import type { ConfigClass, SizeName } from '../families/configClass.ts';
import type { KnownModel } from '../families/knownModels.ts';
import { type ConfigReading, readConfig, says } from '../families/readConfig.ts';
import { attentionNamed } from './attention.ts';
import type { Fact, LostValue, ModelFacts, Origin } from './facts.ts';
import { fieldValue } from './fieldValue.ts';
import { faultOf, isSize, type ModelReading, noModel } from './modelReading.ts';
import { type Field, type Fields, factOf, originOf, type Source, withLost } from './source.ts';

/** What a configuration starts from instead of its class's defaults, under the class's argument names: a known model. */
export interface RegistryBase {
  readonly values: Readonly<Record<string, unknown>>;
  readonly origin: Origin;
}

/**
 * Reads what is given to a configuration class of a library, its changes included. A size that is given but cannot be read
 * is never replaced by the default in silence: without layers, width or heads there is no model, the rest is assumed.
 */
export function readLibraryConfig(
  source: Source,
  config: ConfigClass,
  name: Fact<string>,
  fields: Fields,
  base: RegistryBase | undefined,
): ModelReading {
  const given: Record<string, unknown> = {};
  const origins = new Map<string, Origin>();
  const lost = new Map<string, readonly LostValue[]>();
  const unreadable = new Map<string, string>();
  const notes: string[] = [];
  const options: string[] = [];
  if (base !== undefined) {
    for (const [argument, value] of Object.entries(base.values)) {
      given[argument] = value;
      origins.set(argument, base.origin);
    }
  }
  for (const [argument, field] of canonical(config, fields)) {
    const read = fieldValue(source, field);
    const place = `on line ${source.lineOf(field.at)}`;
    if (read === undefined) unreadable.set(argument, `${argument} is set ${place} to something that could not be read`);
    else if (!isPossible(config, argument, read.value))
      unreadable.set(argument, `${argument} ${place} is ${JSON.stringify(read.value)}, which it cannot be`);
    else {
      const base = origins.get(argument);
      const before: Fact<unknown> | undefined = base && { value: given[argument], origin: base };
      given[argument] = read.value;
      origins.set(argument, originOf(source, read));
      lost.set(argument, withLost(factOf<unknown>(source, read, read.value), [before]).lost ?? []);
      options.push(...read.options);
    }
  }
  for (const [argument, why] of unreadable) {
    if (isEssential(config, argument)) return noModel(`${why}, so the model is not known`);
    notes.push(why);
  }
  if (fields.open !== undefined)
    notes.push(`line ${source.lineOf(fields.open)} may set more of ${config.name} than could be read`);

  const { readings, problems } = readConfig(config, given);
  const fact = <T>(reading: ConfigReading<T>): Fact<T> => {
    const { value, source: from } = reading;
    if (from.kind === 'derived') return { value, origin: { kind: 'derived', from: from.from } };
    const argument = from.kind === 'given' ? from.argument : from.what.slice(config.name.length + 1);
    const why = unreadable.get(argument);
    if (why !== undefined) return { value, origin: { kind: 'assumed', why } };
    const origin = from.kind === 'given' ? origins.get(from.argument) : undefined;
    const replaced = lost.get(argument) ?? [];
    if (origin !== undefined) return { value, origin, ...(replaced.length > 0 && { lost: replaced }) };
    if (from.kind === 'default' && fields.open !== undefined)
      return {
        value,
        origin: { kind: 'assumed', why: `${from.what}, unless line ${source.lineOf(fields.open)} sets it` },
      };
    return {
      value,
      origin: { kind: 'default', library: config.library, what: from.kind === 'default' ? from.what : argument },
    };
  };
  const model: ModelFacts = {
    name,
    family: { value: config.family, origin: familyOrigin(config, base) },
    layers: fact(readings.layers),
    hidden: fact(readings.hidden),
    heads: fact(readings.heads),
    keyValueHeads: fact(readings.keyValueHeads),
    headDimension: fact(readings.headDimension),
    feedForward: fact(readings.feedForward),
    vocabulary: fact(readings.vocabulary),
    maximumSequence: fact(readings.maximumSequence),
    activation: fact(readings.activation),
    tiedEmbeddings: fact(readings.tiedEmbeddings),
    bias: fact(readings.bias),
    ...(says(config, 'outputBias') && { outputBias: fact(readings.outputBias) }),
    ...(says(config, 'feedForwardBias') && { feedForwardBias: fact(readings.feedForwardBias) }),
    ...(Object.keys(readings.settings).length > 0 && {
      settings: Object.fromEntries(Object.entries(readings.settings).map(([name, reading]) => [name, fact(reading)])),
    }),
  };
  const fault = faultOf(model);
  if (fault !== undefined) return noModel(`${name.value}: ${fault}, so the model is not known`, ...notes);
  return {
    model,
    dropout: fact(readings.dropout),
    attention: attentionNamed(source, fields),
    weights: undefined,
    sequence: undefined,
    batch: undefined,
    options,
    notes: [...notes, ...problems.map((problem) => `${name.value}: ${problem}`)],
  };
}

/** By the class's own argument names; of two names for one argument the one that is set later wins. */
function canonical(config: ConfigClass, fields: Fields): ReadonlyMap<string, Field> {
  const found = new Map<string, Field>();
  for (const [written, field] of fields.fields) {
    const argument = config.aliases[written] ?? written;
    const isKnown = argument in config.defaults || Object.values(config.arguments).includes(argument);
    if (!isKnown && !(config.settings && argument in config.settings)) continue;
    const known = found.get(argument);
    if (known === undefined || known.at.start <= field.at.start) found.set(argument, field);
  }
  return found;
}

const essential: readonly SizeName[] = ['layers', 'hidden', 'heads'];

const isEssential = (config: ConfigClass, argument: string): boolean =>
  essential.some((size) => config.arguments[size] === argument);

/** `None` is possible where the class derives the value; a number must be a size where the default is one. */
function isPossible(config: ConfigClass, argument: string, value: unknown): boolean {
  if (config.settings !== undefined && argument in config.settings) return true;
  const standard = config.defaults[argument];
  const size = (Object.keys(config.arguments) as SizeName[]).find((name) => config.arguments[name] === argument);
  if (config.dropout.includes(argument)) return typeof value === 'number' && value >= 0 && value < 1;
  if (standard === null || standard === undefined) return value === null || isSize(value);
  return typeof standard === 'number' && size !== undefined ? isSize(value) : typeof value === typeof standard;
}

/** The registry's sizes and settings under the class's argument names. */
export function registryValues(config: ConfigClass, known: KnownModel): Readonly<Record<string, unknown>> {
  const { shape } = known;
  if (shape === undefined) return {};
  const values: Record<string, unknown> = {};
  for (const [size, argument] of Object.entries(config.arguments)) {
    const value = shape[size as keyof typeof shape];
    if (value !== undefined) values[argument] = value;
  }
  for (const argument of config.dropout) values[argument] = known.dropout;
  return { ...values, ...shape.settings };
}

const familyOrigin = (config: ConfigClass, base: RegistryBase | undefined): Origin =>
  base?.origin ?? { kind: 'default', library: config.library, what: config.name };
