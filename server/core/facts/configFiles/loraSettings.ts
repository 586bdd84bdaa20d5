import type { Adapters, Fact } from '../facts.ts';
import type { Given } from './given.ts';
import { derived } from './said.ts';
import { numberGiven, shareGiven } from './values.ts';

/** Names under which a source describes its adapters, and what its library takes where nothing is said. */
export interface LoraNames {
  readonly rank: readonly string[];
  readonly targets: readonly string[];
  readonly dropout: readonly string[];
  /** The library's own default for the layers is known for every model. */
  readonly saysAll?: boolean;
  /** Which layers a program takes by itself only its own code says. */
  readonly leavesLayers?: boolean;
  readonly defaults: Omit<Adapters, 'rank'> & { readonly rank: number };
}

/** LoRA as it is described; the origin is the rank's place, or `on` where the rank is left to the library. */
export function adaptersGiven(given: Given, names: LoraNames, on: Fact<unknown>): Fact<Adapters> {
  const rank = numberGiven(given, names.defaults.rank, ...names.rank);
  const dropout = shareGiven(given, 0, ...names.dropout);
  const value: Adapters = {
    ...names.defaults,
    ...(rank !== undefined && { rank: rank.value }),
    ...(dropout !== undefined && { dropout: dropout.value }),
    targets: targetsGiven(given, names),
  };
  const { origin } = rank ?? on;
  const written = given.find(...names.targets)?.value;
  if (typeof written === 'string' && isPattern.test(written) && namesInPattern(written) === undefined)
    return {
      value,
      origin: { kind: 'assumed', why: `rank ${value.rank}; the layers are a pattern that could not be read` },
    };
  const isWhole = written !== undefined || names.saysAll === true;
  if (isWhole) return { value, origin };
  // Which layers get adapters is half of what is said here.
  if (names.leavesLayers !== true) return derived(value, `rank ${value.rank}, target layers by default`, origin);
  const stand = Array.isArray(value.targets) ? value.targets.join(' and ') : 'all linear layers';
  return {
    value,
    origin: { kind: 'assumed', why: `rank ${value.rank}; no flag says which layers, ${stand} stand in` },
  };
}

const isPattern = /[\\()[\]|*+?^$]/;

/** PEFT takes a regular expression too. Those that end in the layers' names, `…(q|k|v|o)_proj`, are read; none is run. */
function namesInPattern(pattern: string): readonly string[] | undefined {
  if (pattern.length > longestPattern) return undefined;
  const [, list, common = ''] = /[.(](?:\(?((?:\w+\|)*\w+)\))?(_?\w+)?\)?\$?$/.exec(pattern) ?? [];
  const names = list === undefined ? [common] : list.split('|').map((name) => `${name}${common}`);
  return names.every((name) => /^\w+_(proj|attn|fc)$/.test(name)) ? names : undefined;
}

const longestPattern = 500;

/** A list, or one text with commas. */
function targetsGiven(given: Given, { targets, defaults }: LoraNames): Adapters['targets'] {
  const value = given.find(...targets)?.value;
  if (typeof value === 'string' && isPattern.test(value)) return namesInPattern(value) ?? defaults.targets;
  const list = typeof value === 'string' ? value.split(/[,\s]+/) : Array.isArray(value) ? value.map(String) : [];
  const names = list.filter((name) => name !== '');
  // DeepSpeed-Chat names a part of the model instead, whose linear layers all get one.
  if (names.some((name) => name === 'all' || name === 'all-linear' || name.endsWith('.'))) return 'all-linear';
  return names.length > 0 ? names : defaults.targets;
}
