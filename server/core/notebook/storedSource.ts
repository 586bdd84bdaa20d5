import type { TextEdit } from '../text/edit.ts';
import type { Span } from '../text/span.ts';
import type { SourcePlace } from './sourcePlaces.ts';

/**
 * The edit of a notebook's JSON that gives a cell a new source, written as the old one was: a string, or a list with one
 * line each. Lines that stay keep their very characters.
 */
export function storeSource(json: string, place: SourcePlace, source: string): TextEdit {
  const asciiOnly = /^[\0-\x7f]*$/.test(json.slice(place.start, place.end));
  const written = new Map(place.strings.map((one) => [decoded(json, one), json.slice(one.start, one.end)]));
  const encode = (line: string): string => written.get(line) ?? encoded(line, asciiOnly);
  const span = { start: place.start, end: place.end };
  if (!place.isList) return { span, text: encode(source) };
  const [first, second] = place.strings;
  const last = place.strings.at(-1);
  const before = json.slice(place.start + 1, first?.start ?? place.end - 1);
  const behind = json.slice(last?.end ?? place.end - 1, place.end - 1);
  const between = first !== undefined && second !== undefined ? json.slice(first.end, second.start) : `,${before}`;
  const lines = source === '' ? [] : source.split(/(?<=\n)/);
  return { span, text: `[${before}${lines.map(encode).join(between)}${behind}]` };
}

/** The stretch of JSON in which a span of a cell's source is written. */
export function storedSpan(json: string, place: SourcePlace, { start, end }: Span): Span {
  let passed = 0;
  let storedStart = place.start;
  for (const one of place.strings) {
    const length = decoded(json, one).length;
    if (passed <= start) storedStart = inString(json, one, start - passed);
    // An end between two lines belongs to the one before: the next line has no part in the span.
    if (end <= passed + length && start < passed + length) {
      return { start: storedStart, end: inString(json, one, end - passed) };
    }
    passed += length;
  }
  return { start: storedStart, end: storedStart };
}

const decoded = (json: string, { start, end }: Span): string => String(JSON.parse(json.slice(start, end)));

/** The offset in the JSON of the UTF-16 unit at `offset` in the string that `span` is the literal of. */
function inString(json: string, span: Span, offset: number): number {
  let at = span.start + 1;
  for (let passed = 0; passed < offset && at < span.end - 1; passed++) {
    at += json[at] !== '\\' ? 1 : json[at + 1] === 'u' ? 6 : 2;
  }
  return at;
}

/** As `json.dumps` of Python writes it, with or without `ensure_ascii`. */
function encoded(text: string, asciiOnly: boolean): string {
  const json = JSON.stringify(text);
  if (!asciiOnly) return json;
  return json.replace(/[\x7f-\uffff]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
}
