import type { ModelShape, SettingValue } from '../budget/account.ts';
import type { ModelFamily } from '../facts/facts.ts';
import { once } from '../once.ts';
import { activationNames } from './activations.ts';
import { configClassOfModelType } from './configClass.ts';
import rows from './knownModels.json';

/** A model of the bundled registry, under its id on the Hugging Face hub. */
export interface KnownModel {
  readonly id: string;
  /** transformers' `model_type`: `llama`, `gpt_neox`. */
  readonly modelType: string;
  /** Undefined where the model has no PyTorch account yet; `withoutAccount` says why. */
  readonly family: ModelFamily | undefined;
  readonly withoutAccount: string | undefined;
  /** Undefined where `family` is. */
  readonly shape: ModelShape | undefined;
  /** Known for every model, so that the paper account can be shown for all of them. */
  readonly sizes: KnownSizes;
  /** Probability in the model's own configuration. */
  readonly dropout: number;
  /** Published number of parameters. */
  readonly parameters: number | undefined;
}

export type KnownSizes = Pick<
  ModelShape,
  'layers' | 'hidden' | 'heads' | 'keyValueHeads' | 'headDimension' | 'feedForward' | 'vocabulary' | 'maximumSequence'
>;

/**
 * Finds a model by its hub id. Case does not matter, nor does a tuning's name (`-Instruct`, `-Chat`, `-it`, `-Base`), which
 * leaves the sizes alone; `Meta-Llama-3…` has moved to `Llama-3…` and both are known. An id from before organisations
 * (`gpt2`) means the one model that ends in it.
 */
export function knownModel(id: string): KnownModel | undefined {
  return byId().get(canonical(id)) ?? (id.includes('/') ? undefined : byLastName().get(canonical(id)));
}

export const knownModels = (): readonly KnownModel[] => [...byId().values()];

function canonical(id: string): string {
  return id
    .trim()
    .toLowerCase()
    .replace(/^meta-llama\/meta-/, 'meta-llama/')
    .replace(/-(instruct|chat|it|base)(?=-|$)/g, '');
}

/**
 * A row of the table: model type, layers, hidden, heads, key/value heads, head dimension, feed-forward, vocabulary, longest
 * sequence, activation, `tied` embeddings, `bias` of the attention projections, dropout, parameters; `-` for none. Cells
 * after those are settings of the family that are not its default (`sliding_window=4096`), as JSON.
 */
function readRow(id: string, row: string): KnownModel {
  const cells = row.split(' ');
  const cell = (index: number): string => cells[index] ?? '-';
  const count = (index: number): number => Number(cell(index));
  const modelType = cell(0);
  const sizes: KnownSizes = {
    layers: count(1),
    hidden: count(2),
    heads: count(3),
    keyValueHeads: count(4),
    headDimension: count(5),
    feedForward: count(6),
    vocabulary: count(7),
    maximumSequence: count(8),
  };
  const settings = Object.fromEntries(cells.slice(firstSettingCell).map(readSetting));
  const family = configClassOfModelType(modelType)?.family;
  const shape: ModelShape | undefined =
    family === undefined
      ? undefined
      : {
          family,
          ...sizes,
          activation: activationNames[cell(9)] ?? 'gelu',
          tiedEmbeddings: cell(10) === 'tied',
          bias: cell(11) === 'bias',
          ...(Object.keys(settings).length > 0 && { settings }),
        };
  return {
    id,
    modelType,
    family,
    withoutAccount: family ? undefined : `no PyTorch account for ${modelType} models yet`,
    shape,
    sizes,
    dropout: count(12),
    parameters: cell(13) === '-' ? undefined : count(13),
  };
}

const firstSettingCell = 14;

function readSetting(cell: string): readonly [string, SettingValue] {
  const at = cell.indexOf('=');
  return [cell.slice(0, at), JSON.parse(cell.slice(at + 1))];
}

const byId = once(
  (): ReadonlyMap<string, KnownModel> =>
    new Map(Object.entries(rows).map(([id, row]) => [canonical(id), readRow(id, row)])),
);
const byLastName = once(
  (): ReadonlyMap<string, KnownModel> =>
    new Map([...byId()].map(([id, model]) => [id.slice(id.indexOf('/') + 1), model])),
);
