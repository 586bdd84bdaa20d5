import type { Expression } from '../python/ast.ts';
import type { DataType, Fact } from './facts.ts';
import { factOf, type ReadValue, type Source } from './source.ts';

const dataTypes: Readonly<Record<string, DataType>> = {
  'torch.bfloat16': 'bf16',
  'torch.float16': 'fp16',
  'torch.half': 'fp16',
  'torch.float32': 'fp32',
  'torch.float': 'fp32',
  bfloat16: 'bf16',
  bf16: 'bf16',
  float16: 'fp16',
  fp16: 'fp16',
  half: 'fp16',
  float32: 'fp32',
  fp32: 'fp32',
  float: 'fp32',
};

/** A data type, written as `torch.bfloat16` or as a text that libraries take for it. */
export function readDataType(source: Source, expression: Expression | undefined): Fact<DataType> | undefined {
  const read = expression && source.read(expression);
  return read && dataTypeFact(source, read);
}

export function dataTypeFact(source: Source, read: ReadValue): Fact<DataType> | undefined {
  const value = typeof read.value === 'string' ? dataTypes[read.value] : undefined;
  return value && factOf(source, read, value);
}
