import type { CheckpointingNow, Fact, LostValue, ModelFacts, Origin, RunSettings } from '../facts.ts';

/** What one source says about a run. Absent is what it says nothing about. */
export interface SaidRun {
  readonly model?: SaidModel;
  readonly settings: SaidSettings;
  /** What the program's class puts on the model, which another source may name. */
  readonly head?: Fact<string>;
  /** Processes of the whole run, however they share the work. */
  readonly processes?: Fact<number>;
  /** What its library takes where no source says anything. */
  readonly defaults: SaidSettings;
  readonly notes: readonly string[];
}

export type SaidSettings = Partial<RunSettings>;

export interface SaidModel {
  readonly name: Fact<string>;
  /** Undefined where the sizes are not known. */
  readonly model: ModelFacts | undefined;
  /** As the model's own configuration has it. */
  readonly dropout?: Fact<number>;
  readonly notes: readonly string[];
}

export const saysNothing: SaidRun = { settings: {}, defaults: {}, notes: [] };

/** Several sources as one: what an earlier one says counts, and what a later one says otherwise is kept as lost. */
export function joined(sources: readonly SaidRun[]): SaidRun {
  return {
    ...joinedModel(sources.flatMap(({ model }) => model ?? [])),
    ...first('head', sources),
    ...first('processes', sources),
    settings: joinedSettings(sources.map(({ settings }) => settings)),
    defaults: joinedSettings(
      sources.map(({ defaults }) => defaults),
      false,
    ),
    notes: [...new Set(sources.flatMap(({ notes }) => notes))],
  };
}

/** The first source's word under that name. */
function first(name: 'head' | 'processes', sources: readonly SaidRun[]): Pick<SaidRun, 'head' | 'processes'> {
  const fact = sources.find((source) => source[name] !== undefined)?.[name];
  return fact === undefined ? {} : { [name]: fact };
}

function joinedModel(models: readonly SaidModel[]): { readonly model?: SaidModel } {
  const [first, ...others] = models;
  if (first === undefined) return {};
  const lost = others.filter((other) => other.name.value !== first.name.value).map(({ name }) => lostValue(name));
  const name = withLost(first.name, lost);
  return { model: { ...first, name, model: first.model && { ...first.model, name } } };
}

function joinedSettings(sources: readonly SaidSettings[], keepsLost = true): SaidSettings {
  const result: Record<string, Fact<unknown>> = {};
  for (const source of sources) {
    for (const [name, fact] of Object.entries(source) as [string, Fact<unknown>][]) {
      const winner = result[name];
      if (winner === undefined) result[name] = fact;
      else if (name === 'checkpointing' && isSamePlan(winner.value, fact.value))
        result[name] = inMoreDetail(winner, fact);
      else if (keepsLost) {
        const beaten = [lostValue(fact), ...(fact.lost ?? [])];
        result[name] = withLost(
          winner,
          beaten.filter(({ value }) => !isSame(winner.value, value)),
        );
      }
    }
  }
  return result as SaidSettings;
}

/** The same layers are checkpointed, by whatever name the mechanism goes. */
function isSamePlan(one: unknown, other: unknown): boolean {
  const [a, b] = [one, other] as [CheckpointingNow, CheckpointingNow];
  return a.mode === b.mode && a.segment === b.segment && a.every === b.every && a.layers === b.layers;
}

function inMoreDetail(winner: Fact<unknown>, other: Fact<unknown>): Fact<unknown> {
  const value = winner.value as CheckpointingNow;
  return { ...winner, value: { ...value, ...(other.value as CheckpointingNow), ...value } };
}

const isSame = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other);

const lostValue = ({ value, origin }: Fact<unknown>): LostValue => ({ value, origin });

function withLost<T>(fact: Fact<T>, lost: readonly LostValue[]): Fact<T> {
  return lost.length === 0 ? fact : { ...fact, lost: [...(fact.lost ?? []), ...lost] };
}

export const derived = <T>(value: T, from: string, origin?: Origin): Fact<T> => {
  const place = origin !== undefined && 'place' in origin ? origin.place : undefined;
  return { value, origin: { kind: 'derived', from, ...(place !== undefined && { place }) } };
};

export const byDefault = <T>(value: T, library: string, what: string): Fact<T> => ({
  value,
  origin: { kind: 'default', library, what },
});

/** The same place says another thing with it. */
export const alsoSays = <T>(value: T, { origin }: Fact<unknown>): Fact<T> => ({ value, origin });

/** Without the entries that are undefined. */
export const present = (settings: { readonly [K in keyof RunSettings]?: RunSettings[K] | undefined }): SaidSettings =>
  Object.fromEntries(Object.entries(settings).filter(([, fact]) => fact !== undefined)) as SaidSettings;
