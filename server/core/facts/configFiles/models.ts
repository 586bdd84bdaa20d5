import { type ConfigClass, configClassOfModelType } from '../../families/configClass.ts';
import { type KnownModel, knownModels } from '../../families/knownModels.ts';
import { lastPart, modelNamed, sameName, squeezed } from '../../families/modelNamed.ts';
import { type ConfigReading, readConfig, says } from '../../families/readConfig.ts';
import type { Fact, ModelFacts, Origin } from '../facts.ts';
import type { SaidModel } from './said.ts';

/** A model by its hub id, with sizes where the registry has it; `changes` are given beside the id, by argument. */
export function modelOfId(name: Fact<string>, changes: GivenSizes = new Map()): SaidModel {
  const { known, note } = modelNamed(name.value) ?? {};
  if (known === undefined)
    return { name, model: undefined, notes: [`the sizes of ${name.value} are not in the registry`] };
  const said = modelOfRegistry(name, known, changes);
  return note === undefined ? said : { ...said, notes: [...said.notes, note] };
}

/** By argument of a configuration class, or by the other names the class accepts. */
export type GivenSizes = ReadonlyMap<string, Fact<unknown>>;

/** A model of the registry under any name. */
export function modelOfRegistry(name: Fact<string>, known: KnownModel, changes: GivenSizes = new Map()): SaidModel {
  const place = 'place' in name.origin ? name.origin.place : undefined;
  const origin: Origin = { kind: 'registry', model: known.id, ...(place !== undefined && { place }) };
  const config = configClassOfModelType(known.modelType);
  if (config === undefined || known.shape === undefined) return withoutAccount(name, known, origin);
  const given = new Map<string, Fact<unknown>>();
  for (const [size, argument] of Object.entries(config.arguments)) {
    const value = known.shape[size as keyof typeof known.shape];
    if (value !== undefined) given.set(argument, { value, origin });
  }
  for (const argument of config.dropout) given.set(argument, { value: known.dropout, origin });
  for (const [argument, fact] of changes) given.set(config.aliases[argument] ?? argument, fact);
  return modelOfClass(name, config, given, origin);
}

/** What a configuration class makes of given arguments: what is not given is the class's default. */
export function modelOfClass(name: Fact<string>, config: ConfigClass, given: GivenSizes, family: Origin): SaidModel {
  const values = Object.fromEntries([...given].map(([argument, { value }]) => [argument, value]));
  const { readings, problems } = readConfig(config, values);
  const fact = <T>({ value, source }: ConfigReading<T>): Fact<T> => ({
    value,
    origin: source.kind === 'given' ? ((given.get(source.as) ?? given.get(source.argument))?.origin ?? family) : source,
  });
  const model: ModelFacts = {
    name,
    family: { value: config.family, origin: family },
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
      settings: Object.fromEntries(Object.entries(readings.settings).map(([key, reading]) => [key, fact(reading)])),
    }),
  };
  return {
    name,
    model,
    dropout: fact(readings.dropout),
    notes: problems.map((problem) => `${name.value}: ${problem}`),
  };
}

/** Sizes of a registry's model whose layers have no account: the paper account can still be shown. */
function withoutAccount(name: Fact<string>, known: KnownModel, origin: Origin): SaidModel {
  const of = <T>(value: T): Fact<T> => ({ value, origin });
  const { sizes } = known;
  const model: ModelFacts = {
    name,
    family: of(known.modelType),
    layers: of(sizes.layers),
    hidden: of(sizes.hidden),
    heads: of(sizes.heads),
    keyValueHeads: of(sizes.keyValueHeads),
    headDimension: of(sizes.headDimension),
    feedForward: of(sizes.feedForward),
    vocabulary: of(sizes.vocabulary),
    maximumSequence: of(sizes.maximumSequence),
    activation: unsaid('gelu'),
    tiedEmbeddings: unsaid(false),
    bias: unsaid(true),
  };
  return { name, model, dropout: of(known.dropout), notes: [`${known.id}: ${known.withoutAccount}`] };
}

const unsaid = <T>(value: T): Fact<T> => ({ value, origin: { kind: 'assumed', why: 'the registry does not say it' } });

/**
 * The registry's model that a library's own short name means (`llama3_1_8b`, `qwen2_5_7b_instruct`): the one whose id has
 * the same letters and digits. Undefined where none or several have.
 */
export function knownByShortName(name: string): KnownModel | undefined {
  // `phi3_mini` leaves the length of its context out.
  const begun = knownModels().filter(({ id }) => squeezed(lastPart(id)).startsWith(squeezed(name)));
  return sameName(name) ?? (begun.length === 1 ? begun[0] : undefined);
}
