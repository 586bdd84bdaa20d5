import type { StringLiteral } from '../python/ast.ts';
import { type ReadValue, type Source, writtenAs } from './source.ts';

/** An f-string whose every part is known: `f"meta-llama/Llama-3.2-{size}B"`. Formats and conversions are not worked out. */
export function formattedText(source: Source, text: StringLiteral): ReadValue | undefined {
  if (text.interpolations.length === 0) return undefined;
  const whole = source.module.text.slice(text.start, text.end);
  const quoted = /^[fF](["'])/.exec(whole);
  const quote = quoted?.[1];
  if (quote === undefined || whole.startsWith(quote.repeat(3), 1) || !whole.endsWith(quote)) return undefined;
  let value = '';
  let position = text.start + 2;
  const read: ReadValue[] = [];
  for (const part of text.interpolations) {
    const found = source.read(part);
    if (found === undefined || (typeof found.value !== 'string' && !isWrittenInteger(source, found))) return undefined;
    const before = source.module.text.slice(position, part.start);
    if (!before.endsWith('{') || source.module.text[part.end] !== '}') return undefined;
    value += before.slice(0, -1) + String(found.value);
    position = part.end + 1;
    read.push(found);
  }
  value += source.module.text.slice(position, text.end - 1);
  // Escapes, doubled braces and texts that are put together mean something else than what is written.
  if (/[\\{}]/.test(value) || value.includes(quote)) return undefined;
  return {
    value,
    at: text,
    from: writtenAs(source, text),
    supposing: read.find(({ supposing }) => supposing !== undefined)?.supposing,
    options: read.flatMap(({ options }) => options),
  };
}

/** `1.0` is an integer to JavaScript, and Python writes it with its point. */
const isWrittenInteger = (source: Source, { value, at }: ReadValue): boolean =>
  Number.isSafeInteger(value) && /^-?\d+$/.test(writtenAs(source, at));
