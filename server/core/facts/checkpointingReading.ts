import type { Expression } from '../python/ast.ts';
import type { Span } from '../text/span.ts';
import type { CheckpointingNow, Fact, Origin } from './facts.ts';
import type { Source } from './source.ts';
import type { Guard } from './trainingGuard.ts';

/** What one place says about checkpointing. */
export interface CheckpointingReading {
  readonly fact: Fact<CheckpointingNow>;
  readonly options: readonly string[];
  readonly notes: readonly string[];
}

export type Variant = NonNullable<CheckpointingNow['variant']>;

export const none: CheckpointingNow = { mode: 'none', segment: 1 };

/** Whole layers, each a region of its own, unless something else is said. */
export function checkpointed(
  mechanism: string,
  said: { readonly [K in keyof CheckpointingNow]?: CheckpointingNow[K] | undefined } = {},
): CheckpointingNow {
  const { mode = 'full', segment = 1, segments, variant, every, layers, offloaded } = said;
  return {
    mode,
    segment,
    ...(segments !== undefined && { segments }),
    ...(variant !== undefined && { variant }),
    ...(every !== undefined && every > 1 && { every }),
    ...(layers !== undefined && { layers }),
    ...(offloaded === true && { offloaded }),
    mechanism,
  };
}

export const reading = (
  value: CheckpointingNow,
  origin: Origin,
  notes: readonly string[] = [],
  options: readonly string[] = [],
): CheckpointingReading => ({ fact: { value, origin }, options, notes });

/** Written at `at`. */
export const writtenAt = (source: Source, at: Span, value: CheckpointingNow): CheckpointingReading =>
  reading(value, { kind: 'literal', place: source.placeOf(at) });

/** What stands there cannot be followed to the end: the value is a guess, and a note says so. */
export const supposed = (value: CheckpointingNow, why: string): CheckpointingReading =>
  reading(value, { kind: 'assumed', why }, [why]);

/**
 * A reading under the conditions around it: as it is where they hold, none where they do not, and else counted as if they
 * did, with a note. `what` is what stands at `at`: `checkpoint`, `gradient_checkpointing_enable()`.
 */
export function underGuard(
  source: Source,
  { fact, options, notes }: CheckpointingReading,
  guarded: Guard,
  { what, at }: { readonly what: string; readonly at: Span },
): CheckpointingReading {
  const place = source.placeOf(at);
  if (guarded.kind === 'on') return { fact, options: [...options, ...guarded.options], notes };
  if (guarded.kind === 'off') {
    const { read, words } = guarded;
    const from = `${what} on line ${place.line} does not run: ${words}${read === undefined ? '' : ` with ${shown(read.value)}`}`;
    const decides = read === undefined ? place : source.placeOf(read.at);
    return reading(none, { kind: 'derived', from, place: decides }, [], read?.options);
  }
  const { words } = guarded;
  if (fact.value.mode === 'none') return { fact, options, notes };
  const { origin } = fact;
  const note = `checkpointing on line ${place.line} depends on ${words}; it is counted as on`;
  if (origin.kind === 'assumed') return { fact, options, notes: [...notes, note] };
  const from = origin.kind === 'derived' ? `${origin.from}, if ${words}` : `${what} on line ${place.line}, if ${words}`;
  const decides = origin.kind === 'derived' ? (origin.place ?? place) : place;
  return { fact: { ...fact, origin: { kind: 'derived', from, place: decides } }, options, notes: [...notes, note] };
}

/** As Python writes it. */
const shown = (value: unknown): string =>
  value === null ? 'None' : value === false ? 'False' : value === true ? 'True' : String(value);

/** What `use_reentrant` makes of it; undefined where its value is not known. */
export function variantGiven(
  source: Source,
  given: Expression | undefined,
  whenAbsent: Variant | undefined,
): Variant | undefined {
  if (given === undefined) return whenAbsent;
  const read = source.read(given);
  if (read === undefined) return undefined;
  return read.value === null ? whenAbsent : read.value ? 'reentrant' : 'non-reentrant';
}
