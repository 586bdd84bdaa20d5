import type { Call, Expression } from '../python/ast.ts';
import { attentionNamed, attentionProblem } from './attention.ts';
import { readDataType } from './dataTypes.ts';
import type { DataType, Fact } from './facts.ts';
import { fieldValue } from './fieldValue.ts';
import { isSize, type ModelReading } from './modelReading.ts';
import { quantisationGiven } from './quantisation.ts';
import { type CallHere, type Field, type Fields, factOf, lastName, type Source } from './source.ts';

/** `torch_dtype=`, `attn_implementation=` and `max_seq_length=` where the model is built. */
export function withBuildKeywords(source: Source, { call, qualified }: CallHere, reading: ModelReading): ModelReading {
  const given = buildKeywords(source, call);
  const notes = [...reading.notes];
  const problem = attentionProblem(source, given);
  if (problem !== undefined) notes.push(problem);
  const quantisation = quantisationGiven(source, call, given, qualified?.startsWith('unsloth.') === true);
  if (quantisation === undefined && given.fields.has('quantization_config'))
    notes.push('quantised weights are counted as full weights; activations are not affected');
  const dtype = given.fields.get('dtype') ?? given.fields.get('torch_dtype');
  const length = given.fields.get('max_seq_length');
  const read = length?.value && source.read(length.value);
  const fromUnsloth = qualified?.startsWith('unsloth.') === true && read !== undefined && isSize(read.value);
  return {
    ...reading,
    attention: attentionNamed(source, given) ?? reading.attention,
    weights: weightsGiven(source, dtype) ?? reading.weights,
    sequence: fromUnsloth ? factOf(source, read, Number(read.value)) : reading.sequence,
    ...(quantisation !== undefined && { quantisation }),
    notes,
  };
}

/** `"auto"` takes what the weights were saved in, which today is bf16 nearly always; so is what cannot be read. */
function weightsGiven(source: Source, dtype: Field | undefined): Fact<DataType> | undefined {
  const known = readDataType(source, dtype?.value);
  const read = fieldValue(source, dtype);
  if (known !== undefined || dtype === undefined || read?.value === null) return known;
  const line = source.lineOf(dtype.at);
  const why =
    read?.value === 'auto'
      ? `weights stay as they were saved (line ${line})`
      : `the dtype on line ${line} could not be read`;
  return { value: 'bf16', origin: { kind: 'assumed', why } };
}

/** A trainer that loads the model itself hands on what its arguments hold for that. */
function buildKeywords(source: Source, call: Call): Fields {
  if (!/Trainer$/.test(lastName(call.callee))) return source.givenTo(call);
  const args = keyword(call, 'args');
  const kept = args && source.fieldsOf(args)?.fields.get('model_init_kwargs')?.value;
  return (kept && source.fieldsOf(kept)) ?? { fields: new Map(), open: undefined };
}

export const keyword = (call: Call, name: string): Expression | undefined =>
  call.arguments.find((argument) => argument.kind === 'keyword' && argument.name.name === name)?.value;
