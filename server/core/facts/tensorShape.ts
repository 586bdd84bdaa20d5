import { isSize } from './modelReading.ts';
import type { ReadValue, Source } from './source.ts';

/** Batch and length of random tokens, `torch.randint(0, vocabulary, (batch, length))`: what trial scripts are fed with. */
export function givenShape(source: Source): { readonly batch: ReadValue; readonly length: ReadValue } | undefined {
  for (const { call, qualified } of source.calls) {
    if (qualified !== 'torch.randint') continue;
    const size = call.arguments
      .map((argument) => argument.value)
      .find((value) => (value.kind === 'tuple' || value.kind === 'list') && value.elements.length === 2);
    if (size?.kind !== 'tuple' && size?.kind !== 'list') continue;
    const [batch, length] = size.elements.map((element) => source.read(element));
    if (batch !== undefined && length !== undefined && isSize(batch.value) && isSize(length.value))
      return { batch, length };
  }
  return undefined;
}
