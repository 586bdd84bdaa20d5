import type { ModelShape, SettingValue } from '../budget/account.ts';
import type { ActivationFunction } from '../facts/facts.ts';
import { activationNames } from './activations.ts';
import type { ConfigClass, DerivedSize, SizeName } from './configClass.ts';
import { argumentReading, defaultSource, flagOfClass, lookUp, sourceName, withDefault } from './configLookup.ts';

/** One value of a configuration and where it comes from, so that every number can name its argument or its default. */
export interface ConfigReading<T> {
  readonly value: T;
  readonly source: ConfigSource;
}

export type ConfigSource =
  /** Given under this argument; `argument` is the name the class uses, `as` the name that was written. */
  | { readonly kind: 'given'; readonly argument: string; readonly as: string }
  /** What the library takes when nothing is said: `transformers`, `GPT2Config.n_layer`. */
  | { readonly kind: 'default'; readonly library: string; readonly what: string }
  /** Computed from other values; `from` is the computation in the class's own names. */
  | { readonly kind: 'derived'; readonly from: string };

export interface ConfigReadings {
  readonly layers: ConfigReading<number>;
  readonly hidden: ConfigReading<number>;
  readonly heads: ConfigReading<number>;
  readonly keyValueHeads: ConfigReading<number>;
  readonly headDimension: ConfigReading<number>;
  readonly feedForward: ConfigReading<number>;
  readonly vocabulary: ConfigReading<number>;
  readonly maximumSequence: ConfigReading<number>;
  readonly activation: ConfigReading<ActivationFunction>;
  readonly tiedEmbeddings: ConfigReading<boolean>;
  readonly bias: ConfigReading<boolean>;
  readonly outputBias: ConfigReading<boolean>;
  readonly feedForwardBias: ConfigReading<boolean>;
  readonly dropout: ConfigReading<number>;
  /** What only the family knows, by argument. */
  readonly settings: Readonly<Record<string, ConfigReading<SettingValue>>>;
}

export interface ConfigResult {
  readonly readings: ConfigReadings;
  /** Sentences about values that could not be taken as they stand. */
  readonly problems: readonly string[];
}

/**
 * Reads a configuration the way its class does: given values, then the class's defaults, then what the class derives.
 * `given` maps argument names to values from a `config.json` or from a call such as `GPT2Config(n_layer=24)`; values that
 * are not known (an expression) are left out by the caller. A value of the wrong kind gives a problem and the default.
 */
export function readConfig(config: ConfigClass, given: Readonly<Record<string, unknown>>): ConfigResult {
  const problems: string[] = [];
  const look = (name: SizeName): ConfigReading<unknown> | undefined => lookUp(config, given, name);

  const wholeNumber = (name: SizeName, derive?: () => ConfigReading<number>): ConfigReading<number> => {
    const rule = config.derived?.[name];
    if (rule) return derivedReading(config, given, rule);
    const found = look(name);
    const standard = withDefault(config, name, isWholeNumber);
    if (found === undefined || found.value === null) return derive?.() ?? standard ?? unknownSize;
    if (isWholeNumber(found.value)) return { value: found.value, source: found.source };
    problems.push(`${sourceName(found.source)} is not a positive whole number; its default is used`);
    return standard ?? derive?.() ?? unknownSize;
  };
  const flag = (name: SizeName): ConfigReading<boolean> => {
    const found = look(name);
    if (found === undefined || found.value === null) return flagOfClass(config, name);
    if (typeof found.value === 'boolean') return { value: found.value, source: found.source };
    problems.push(`${sourceName(found.source)} is neither true nor false; its default is used`);
    return withDefault(config, name, isBoolean) ?? flagOfClass(config, name);
  };

  const hidden = wholeNumber('hidden');
  const heads = wholeNumber('heads');
  const argument = (name: SizeName): string => config.arguments[name] ?? name;
  const headDimension = wholeNumber('headDimension', () => ({
    value: heads.value > 0 ? Math.floor(hidden.value / heads.value) : 0,
    source: { kind: 'derived', from: `${argument('hidden')} / ${argument('heads')}` },
  }));
  const readings: ConfigReadings = {
    layers: wholeNumber('layers'),
    hidden,
    heads,
    keyValueHeads: wholeNumber('keyValueHeads', () => ({
      value: heads.value,
      source: { kind: 'derived', from: argument('heads') },
    })),
    headDimension,
    feedForward: wholeNumber('feedForward', () => ({
      value: 4 * hidden.value,
      source: { kind: 'derived', from: `4 * ${argument('hidden')}` },
    })),
    vocabulary: wholeNumber('vocabulary'),
    maximumSequence: wholeNumber('maximumSequence'),
    activation: activationReading(config, look('activation'), problems),
    tiedEmbeddings: flag('tiedEmbeddings'),
    bias: flag('bias'),
    outputBias: flag('outputBias'),
    feedForwardBias: flag('feedForwardBias'),
    dropout: dropoutReading(config, given),
    settings: { ...settingReadings(config, given, problems), ...mixedDropouts(config, given) },
  };
  return { readings, problems };
}

/** Whether models of the class have such a size at all, by an argument or always the same. */
export const says = (config: ConfigClass, name: SizeName): boolean =>
  config.arguments[name] !== undefined || config.fixed[name] !== undefined;

/** The sizes alone, as the budget takes them. */
export const shapeOfReadings = (config: ConfigClass, readings: ConfigReadings): ModelShape => ({
  family: config.family,
  layers: readings.layers.value,
  hidden: readings.hidden.value,
  heads: readings.heads.value,
  keyValueHeads: readings.keyValueHeads.value,
  headDimension: readings.headDimension.value,
  feedForward: readings.feedForward.value,
  vocabulary: readings.vocabulary.value,
  maximumSequence: readings.maximumSequence.value,
  activation: readings.activation.value,
  tiedEmbeddings: readings.tiedEmbeddings.value,
  bias: readings.bias.value,
  ...(says(config, 'outputBias') && { outputBias: readings.outputBias.value }),
  ...(says(config, 'feedForwardBias') && { feedForwardBias: readings.feedForwardBias.value }),
  ...(Object.keys(readings.settings).length > 0 && {
    settings: Object.fromEntries(Object.entries(readings.settings).map(([name, { value }]) => [name, value])),
  }),
});

function derivedReading(
  config: ConfigClass,
  given: Readonly<Record<string, unknown>>,
  { from, value }: DerivedSize,
): ConfigReading<number> {
  const size = value((argument) => argumentReading(config, given, argument).value);
  return isWholeNumber(size) ? { value: size, source: { kind: 'derived', from } } : unknownSize;
}

function activationReading(
  config: ConfigClass,
  found: ConfigReading<unknown> | undefined,
  problems: string[],
): ConfigReading<ActivationFunction> {
  const known = typeof found?.value === 'string' ? activationNames[found.value] : undefined;
  if (found !== undefined && known !== undefined) return { value: known, source: found.source };
  const standard = config.arguments.activation;
  const fallback =
    activationNames[String(standard === undefined ? config.fixed.activation : config.defaults[standard])];
  problems.push(`activation ${JSON.stringify(found?.value)} has no account; ${fallback} is used`);
  return { value: fallback ?? 'gelu', source: defaultSource(config, standard) };
}

/** What the run is shown with: the first probability that is not 0. */
function dropoutReading(config: ConfigClass, given: Readonly<Record<string, unknown>>): ConfigReading<number> {
  const all = dropoutReadings(config, given);
  return (
    Object.values(all).find(({ value }) => value > 0) ??
    Object.values(all)[0] ?? { value: 0, source: defaultSource(config, undefined) }
  );
}

/** Where some kinds of dropout are on and others off, each becomes a setting, by which `dropoutOf` tells them apart. */
function mixedDropouts(
  config: ConfigClass,
  given: Readonly<Record<string, unknown>>,
): Readonly<Record<string, ConfigReading<number>>> {
  const all = dropoutReadings(config, given);
  return new Set(Object.values(all).map(({ value }) => value > 0)).size > 1 ? all : {};
}

const dropoutReadings = (
  config: ConfigClass,
  given: Readonly<Record<string, unknown>>,
): Readonly<Record<string, ConfigReading<number>>> =>
  Object.fromEntries(
    config.dropout.map((argument) => {
      const { value, source } = argumentReading(config, given, argument);
      return [argument, { value: isProbability(value) ? value : 0, source }];
    }),
  );

/** A value of another kind than the default's gives a problem and the default. */
function settingReadings(
  config: ConfigClass,
  given: Readonly<Record<string, unknown>>,
  problems: string[],
): Readonly<Record<string, ConfigReading<SettingValue>>> {
  const readings: Record<string, ConfigReading<SettingValue>> = {};
  for (const [argument, standard] of Object.entries(config.settings ?? {})) {
    const { value, source } = argumentReading(config, given, argument);
    const fits = isSetting(value) && (standard === null || value === null || isOfKind(value, standard));
    if (!fits) problems.push(`${sourceName(source)} is ${JSON.stringify(value)}; its default is used`);
    readings[argument] = fits ? { value, source } : { value: standard, source: defaultSource(config, argument) };
  }
  return readings;
}

/** A number may also be given as a list with one for each dimension: `image_size=[224, 320]`. */
const isOfKind = (value: SettingValue, standard: SettingValue): boolean =>
  kindOf(value) === kindOf(standard) ||
  (typeof standard === 'number' && Array.isArray(value) && value.every((each) => typeof each === 'number'));

const kindOf = (value: SettingValue): string => (Array.isArray(value) ? 'list' : typeof value);

const isSetting = (value: unknown): value is SettingValue =>
  value === null ||
  (typeof value === 'number' && Number.isFinite(value)) ||
  typeof value === 'string' ||
  typeof value === 'boolean' ||
  (Array.isArray(value) && value.every(isSetting));

/** The budget refuses it with a note. */
const unknownSize: ConfigReading<number> = { value: 0, source: { kind: 'derived', from: 'nothing' } };

const isWholeNumber = (value: unknown): value is number => Number.isSafeInteger(value) && (value as number) > 0;
const isBoolean = (value: unknown): value is boolean => typeof value === 'boolean';
const isProbability = (value: unknown): value is number => typeof value === 'number' && value >= 0 && value < 1;
