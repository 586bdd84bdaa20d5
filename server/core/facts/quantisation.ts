import type { Call } from '../python/ast.ts';
import type { Fact, Quantisation } from './facts.ts';
import { fieldValue } from './fieldValue.ts';
import { derivedAt, type Fields, factOf, type Source } from './source.ts';

/**
 * What the weights are quantised to where the model is loaded: bitsandbytes' configuration or its two older keywords. fp4
 * takes as many bytes as nf4.
 */
export function quantisationGiven(
  source: Source,
  call: Call,
  given: Fields,
  fromUnsloth: boolean,
): Fact<Quantisation> | undefined {
  const config = given.fields.get('quantization_config');
  const inside =
    config?.value && source.fieldsOf(config.value, { offset: call.start, around: source.surroundingsAt(call.start) });
  const found = (inside && switched(source, inside)) ?? switched(source, given);
  if (found !== undefined || !fromUnsloth || config !== undefined) return found;
  if (given.open !== undefined || given.fields.has('load_in_4bit') || given.fields.has('full_finetuning'))
    return undefined;
  return { value: 'nf4', origin: { kind: 'default', library: 'unsloth', what: 'from_pretrained(load_in_4bit)' } };
}

function switched(source: Source, { fields }: Fields): Fact<Quantisation> | undefined {
  const four = fieldValue(source, fields.get('load_in_4bit'));
  if (four?.value === true) {
    const kind = fieldValue(source, fields.get('bnb_4bit_quant_type'))?.value;
    return kind === undefined || kind === 'nf4'
      ? factOf<Quantisation>(source, four, 'nf4')
      : { value: 'nf4', origin: derivedAt(source, four.at, `load_in_4bit; ${String(kind)} takes the same bytes`) };
  }
  const eight = fieldValue(source, fields.get('load_in_8bit'));
  return eight?.value === true ? factOf<Quantisation>(source, eight, 'int8') : undefined;
}
