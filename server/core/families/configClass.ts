import type { ModelSettings, SettingValue } from '../budget/account.ts';
import type { ModelFamily } from '../facts/facts.ts';
import { once } from '../once.ts';
import { families } from './generated/registry.ts';

/**
 * A configuration class of a library: which argument says which size, and what the class takes when an argument is not
 * given. Read from transformers 5.18 unless the family says otherwise.
 */
export interface ConfigClassOfFamily {
  readonly name: string;
  readonly library: string;
  /** `model_type` in a `config.json`; undefined for a class that has no such file. */
  readonly modelType: string | undefined;
  /** The argument that says a size. A size without an argument is in `fixed`, or is derived from others. */
  readonly arguments: Readonly<Partial<Record<SizeName, string>>>;
  /** Other names the class accepts for its arguments (transformers calls this `attribute_map`). */
  readonly aliases: Readonly<Record<string, string>>;
  /** By argument. `null` means the class computes the value from others. */
  readonly defaults: Readonly<Record<string, SettingValue>>;
  /** What every model of the class has and no argument changes. */
  readonly fixed: Readonly<Partial<Record<SizeName, number | string | boolean>>>;
  /** Sizes that follow from arguments of another kind: the number of layers from a list of depths. */
  readonly derived?: Readonly<Partial<Record<SizeName, DerivedSize>>>;
  /** Probability arguments, one for each kind of dropout the model has. */
  readonly dropout: readonly string[];
  /** Arguments only this family knows, with their defaults; they become `ModelShape.settings`. */
  readonly settings?: ModelSettings;
}

export interface DerivedSize {
  /** The computation in the class's own names: `sum(depths)`. */
  readonly from: string;
  /** What it gives for the values of the arguments, which may be of any kind. */
  readonly value: (of: (argument: string) => unknown) => number;
}

export interface ConfigClass extends ConfigClassOfFamily {
  readonly family: ModelFamily;
}

export type SizeName =
  | 'layers'
  | 'hidden'
  | 'heads'
  | 'keyValueHeads'
  | 'headDimension'
  | 'feedForward'
  | 'vocabulary'
  | 'maximumSequence'
  | 'activation'
  | 'tiedEmbeddings'
  | 'bias'
  | 'outputBias'
  | 'feedForwardBias';

export const configClasses = once((): readonly ConfigClass[] =>
  families.flatMap((family) => family.configs.map((config) => ({ ...config, family: family.name }))),
);

export const configClass = (name: string): ConfigClass | undefined =>
  configClasses().find((each) => each.name === name);

export const configClassOfModelType = (modelType: string): ConfigClass | undefined =>
  configClasses().find((each) => each.modelType === modelType);
