import type { Span } from '../text/span.ts';
import type { AttentionImplementation, DataType, Fact, ModelFacts, Quantisation } from './facts.ts';

/** One way in which a file may say which model it trains. */
export interface ModelCandidate {
  /** What the code calls it. */
  readonly name: string;
  readonly span: Span;
  /** False where the code does not say which model it is, only that there is one. */
  readonly isNamed: boolean;
  /** How surely this is the model that is trained: built beats configured, configured beats declared. */
  readonly rank: number;
  readonly read: () => ModelReading;
}

/** What one candidate says. */
export interface ModelReading {
  /** Undefined where it has no account or a size could not be read; `notes` say why. */
  readonly model: ModelFacts | undefined;
  /** What the code calls it, where it is not known beyond its name. */
  readonly named?: Fact<string>;
  readonly dropout: Fact<number> | undefined;
  readonly attention: Fact<AttentionImplementation> | undefined;
  /** The data type the weights are loaded or made in. */
  readonly weights: Fact<DataType> | undefined;
  /** What its weights are quantised to where it is loaded. */
  readonly quantisation?: Fact<Quantisation>;
  /** What the class that builds it puts on it, in the words of `encoderHeadSettings`. */
  readonly head?: Fact<string>;
  /** Where the training sequence is the model's own context, as in hand-written models. */
  readonly sequence: Fact<number> | undefined;
  /** A largest batch in the model's own configuration. */
  readonly batch: Fact<number> | undefined;
  /** Command-line options whose defaults were read. */
  readonly options: readonly string[];
  readonly notes: readonly string[];
}

export const noModel = (...notes: string[]): ModelReading => ({
  model: undefined,
  dropout: undefined,
  attention: undefined,
  weights: undefined,
  sequence: undefined,
  batch: undefined,
  options: [],
  notes,
});

/** A model that is only known by name. */
export const onlyNamed = (named: Fact<string>, ...notes: string[]): ModelReading => ({ ...noModel(...notes), named });

const largestSize = 1e7;

/** Sizes beyond this are misread or mistyped; no model has them. */
export const isSize = (value: unknown): value is number =>
  Number.isSafeInteger(value) && (value as number) > 0 && (value as number) <= largestSize;

/** Why these sizes cannot be a model's; undefined where they can. */
export function faultOf(model: ModelFacts): string | undefined {
  const { layers, hidden, heads, keyValueHeads, headDimension, feedForward, vocabulary, maximumSequence } = model;
  const sizes = { layers, hidden, heads, keyValueHeads, headDimension, feedForward, vocabulary, maximumSequence };
  for (const [name, { value }] of Object.entries(sizes)) {
    if (!isSize(value)) return `${name} is ${value}`;
  }
  if (model.family.value === 'gpt2' && hidden.value % heads.value !== 0)
    return `${hidden.value} is not divisible by ${heads.value} heads`;
  if (heads.value % keyValueHeads.value !== 0)
    return `${heads.value} heads are not divisible by ${keyValueHeads.value} key/value heads`;
  return undefined;
}
