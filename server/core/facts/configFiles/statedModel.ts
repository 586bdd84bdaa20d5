import type { ActivationFunction, Fact, ModelFacts } from '../facts.ts';
import { derived, type SaidModel } from './said.ts';

/** Sizes that a source gives itself. */
export interface StatedSizes {
  readonly name: Fact<string>;
  readonly family: Fact<string>;
  readonly layers: Fact<number>;
  readonly hidden: Fact<number>;
  readonly heads: Fact<number>;
  readonly keyValueHeads?: Fact<number> | undefined;
  readonly headDimension?: Fact<number> | undefined;
  /** 4 · hidden where nothing is given. */
  readonly feedForward?: Fact<number> | undefined;
  readonly vocabulary: Fact<number>;
  readonly maximumSequence: Fact<number>;
  readonly activation: Fact<ActivationFunction>;
  readonly tiedEmbeddings: Fact<boolean>;
  readonly bias: Fact<boolean>;
  readonly dropout?: Fact<number> | undefined;
}

/** A model whose sizes are all written down; what follows from others is derived. */
export function modelOfSizes({ dropout, ...sizes }: StatedSizes, notes: readonly string[]): SaidModel {
  const { name, hidden, heads } = sizes;
  const model: ModelFacts = {
    ...sizes,
    keyValueHeads: sizes.keyValueHeads ?? derived(heads.value, 'one for each head', heads.origin),
    headDimension:
      sizes.headDimension ??
      derived(Math.floor(hidden.value / Math.max(1, heads.value)), 'hidden size / heads', hidden.origin),
    feedForward: sizes.feedForward ?? derived(4 * hidden.value, '4 * hidden size', hidden.origin),
  };
  return { name, model, ...(dropout !== undefined && { dropout }), notes };
}

/** Sizes that another source gives over those of a model. */
export type ChangedSizes = {
  readonly [K in 'layers' | 'hidden' | 'heads' | 'keyValueHeads' | 'feedForward' | 'vocabulary' | 'maximumSequence']?:
    | Fact<number>
    | undefined;
} & { readonly bias?: Fact<boolean> | undefined };

/** The same model in other sizes. What had followed from a size that changes follows from the new one. */
export function modelInOtherSizes(model: ModelFacts, changed: ChangedSizes): ModelFacts {
  const over = <T>(before: Fact<T>, after: Fact<T> | undefined): Fact<T> =>
    after === undefined
      ? before
      : before.value === after.value || before.origin.kind === 'assumed'
        ? { ...after, ...(before.lost && { lost: before.lost }) }
        : { ...after, lost: [...(after.lost ?? []), { value: before.value, origin: before.origin }] };
  const hidden = over(model.hidden, changed.hidden);
  const heads = over(model.heads, changed.heads);
  const follows = (fact: Fact<unknown>): boolean => fact.origin.kind === 'derived' || fact.origin.kind === 'default';
  const ratio = model.feedForward.value / Math.max(1, model.hidden.value);
  return {
    ...model,
    layers: over(model.layers, changed.layers),
    hidden,
    heads,
    keyValueHeads:
      changed.keyValueHeads ??
      (follows(model.keyValueHeads) && model.keyValueHeads.value === model.heads.value
        ? derived(heads.value, 'one for each head', heads.origin)
        : model.keyValueHeads),
    headDimension: follows(model.headDimension)
      ? derived(Math.floor(hidden.value / Math.max(1, heads.value)), 'hidden size / heads', hidden.origin)
      : model.headDimension,
    feedForward:
      changed.feedForward ??
      (changed.hidden !== undefined && follows(model.feedForward)
        ? derived(Math.round(ratio * hidden.value), `${ratio} * hidden size`, hidden.origin)
        : model.feedForward),
    vocabulary: over(model.vocabulary, changed.vocabulary),
    maximumSequence: over(model.maximumSequence, changed.maximumSequence),
    bias: over(model.bias, changed.bias),
  };
}
