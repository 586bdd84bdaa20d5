import type { Fact } from './facts.ts';
import type { Fields, Source } from './source.ts';

/**
 * The feed-forward width of Llama's reference code: two thirds of four times the width, scaled by `ffn_dim_multiplier`,
 * then rounded up to a multiple of `multiple_of`, which a class from elsewhere takes as 256 where it is not given. Undefined where that is not how the width is given, or not readable.
 */
export function llamaFeedForward(
  source: Source,
  fields: Fields['fields'],
  hidden: Fact<number>,
  hiddenName: string,
  standardMultiple: number | undefined,
): Fact<number> | undefined {
  const multipleOf = fields.has('multiple_of') ? numberIn(source, fields, 'multiple_of') : standardMultiple;
  const multiplier = fields.has('ffn_dim_multiplier') ? numberIn(source, fields, 'ffn_dim_multiplier') : null;
  if (typeof multipleOf !== 'number' || multiplier === undefined || multipleOf < 1) return undefined;
  const value = roundedFeedForward(hidden.value, multipleOf, multiplier ?? undefined);
  const scaled = multiplier === null ? '' : ` * ${multiplier}`;
  return {
    value,
    origin: { kind: 'derived', from: `8/3 * ${hiddenName}${scaled}, rounded up to a multiple of ${multipleOf}` },
  };
}

export function roundedFeedForward(hidden: number, multipleOf: number, multiplier: number | undefined): number {
  const gated = Math.trunc((2 * 4 * hidden) / 3);
  const scaled = multiplier === undefined ? gated : Math.trunc(multiplier * gated);
  return multipleOf * Math.floor((scaled + multipleOf - 1) / multipleOf);
}

/** `null` for `None`, undefined for what could not be read. */
function numberIn(source: Source, fields: Fields['fields'], name: string): number | null | undefined {
  const field = fields.get(name);
  const value = field?.value && field.unless === undefined ? source.read(field.value)?.value : undefined;
  return value === null || typeof value === 'number' ? value : undefined;
}
