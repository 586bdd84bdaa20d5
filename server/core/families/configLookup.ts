import type { SettingValue } from '../budget/account.ts';
import type { ConfigClass, SizeName } from './configClass.ts';
import type { ConfigReading, ConfigSource } from './readConfig.ts';

/** What is said about a size: given, fixed by the class, or its default (`null` where the class computes it). */
export function lookUp(
  config: ConfigClass,
  given: Readonly<Record<string, unknown>>,
  name: SizeName,
): ConfigReading<unknown> | undefined {
  const argument = config.arguments[name];
  if (argument === undefined) return fixedReading(config, name);
  return argumentReading(config, given, argument);
}

export function argumentReading(
  config: ConfigClass,
  given: Readonly<Record<string, unknown>>,
  argument: string,
): ConfigReading<unknown> {
  const as = Object.hasOwn(given, argument)
    ? argument
    : Object.keys(config.aliases).find((alias) => config.aliases[alias] === argument && Object.hasOwn(given, alias));
  const value = as === undefined ? undefined : given[as];
  if (as !== undefined && value !== undefined) return { value, source: { kind: 'given', argument, as } };
  return {
    value: config.defaults[argument] ?? config.settings?.[argument] ?? null,
    source: defaultSource(config, argument),
  };
}

function fixedReading(config: ConfigClass, name: SizeName): ConfigReading<SettingValue> | undefined {
  const value = config.fixed[name];
  return value === undefined ? undefined : { value, source: defaultSource(config, undefined) };
}

/** The default of a size, if it has one of the wanted kind. */
export function withDefault<T>(
  config: ConfigClass,
  name: SizeName,
  is: (value: unknown) => value is T,
): ConfigReading<T> | undefined {
  const argument = config.arguments[name];
  const value = argument === undefined ? undefined : config.defaults[argument];
  return is(value) ? { value, source: defaultSource(config, argument) } : undefined;
}

/** What a flag without an argument is for every model of the class. */
export const flagOfClass = (config: ConfigClass, name: SizeName): ConfigReading<boolean> => ({
  value: config.fixed[name] === true,
  source: defaultSource(config, undefined),
});

/** Without an argument: something every model of the class has. */
export const defaultSource = (config: ConfigClass, argument: string | undefined): ConfigSource => ({
  kind: 'default',
  library: config.library,
  what: argument === undefined ? config.name : `${config.name}.${argument}`,
});

/** A source in one word or two, for messages. */
export const sourceName = (source: ConfigSource): string =>
  source.kind === 'given' ? source.as : source.kind === 'default' ? source.what : source.from;
