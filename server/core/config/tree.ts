import type { Span } from '../text/span.ts';

/**
 * A configuration as plain data, whatever it was written in: YAML, JSON, TOML or a dictionary in Python. Each part knows
 * where it stands, in UTF-16 offsets of its file.
 */
export type ConfigNode = ConfigMapping | ConfigSequence | ConfigScalar | ConfigUnknown;

export interface ConfigMapping extends Span {
  readonly kind: 'mapping';
  /** In source order, repeated keys included; the last one of a name counts. */
  readonly entries: readonly ConfigEntry[];
  /** False where keys may exist that are not listed: `**other`, an unreadable entry, a merge with something unknown. */
  readonly complete: boolean;
  /** How its entries follow each other: one a line by indentation or header, or between braces. */
  readonly layout: 'block' | 'braces';
}

export interface ConfigEntry extends Span {
  readonly key: string;
  readonly keyAt: Span;
  readonly value: ConfigNode;
  /** Written somewhere else (an alias, a merge key): an edit there would change other places too. */
  readonly shared: boolean;
}

export interface ConfigSequence extends Span {
  readonly kind: 'sequence';
  readonly items: readonly ConfigNode[];
}

export interface ConfigScalar extends Span {
  readonly kind: 'scalar';
  readonly value: string | number | boolean | null;
  readonly written: 'plain' | 'quoted' | 'block';
}

/** There is a value and it is not known here: a variable, a call, an interpolation, something nested too deeply. */
export interface ConfigUnknown extends Span {
  readonly kind: 'unknown';
}

/** Beyond this a value is taken for unknown: people write configurations by hand, programs write deeper ones. */
export const deepestConfig = 64;

/** More parts than any configuration has; a file of more is data. */
export const mostConfigNodes = 100_000;

/** The entry at the end of a path of keys; undefined where a part of the path is missing or no mapping. */
export function entryAt(node: ConfigNode | undefined, ...path: readonly string[]): ConfigEntry | undefined {
  let current = node;
  let entry: ConfigEntry | undefined;
  for (const key of path) {
    entry = current?.kind === 'mapping' ? current.entries.findLast((one) => one.key === key) : undefined;
    if (entry === undefined) return undefined;
    current = entry.value;
  }
  return entry;
}

export const valueAt = (node: ConfigNode | undefined, ...path: readonly string[]): ConfigNode | undefined =>
  entryAt(node, ...path)?.value;

export function mappingAt(node: ConfigNode | undefined, ...path: readonly string[]): ConfigMapping | undefined {
  const value = path.length === 0 ? node : valueAt(node, ...path);
  return value?.kind === 'mapping' ? value : undefined;
}

export function scalarAt(node: ConfigNode | undefined, ...path: readonly string[]): ConfigScalar | undefined {
  const value = valueAt(node, ...path);
  return value?.kind === 'scalar' ? value : undefined;
}

/** True or false where a path ends in a switch; libraries that read JSON also take the words for it. */
export function switchAt(node: ConfigNode | undefined, ...path: readonly string[]): boolean | undefined {
  const value = scalarAt(node, ...path)?.value;
  if (typeof value === 'boolean') return value;
  if (typeof value !== 'string') return undefined;
  const word = value.toLowerCase();
  return word === 'true' ? true : word === 'false' ? false : undefined;
}

/** For certain not there: neither given nor possibly given by something that is not known. */
export const isMissing = (mapping: ConfigMapping, key: string): boolean =>
  mapping.complete && entryAt(mapping, key) === undefined;
