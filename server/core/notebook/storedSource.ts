import type { TextEdit } from '../text/edit.ts';
import type { Span } from '../text/span.ts';
import type { SourcePlace } from './sourcePlaces.ts';

/**
 * The edit of a notebook's JSON that gives a cell a new source, written as the old one was: a string, or a list with one
 * line each. Lines that stay keep their very characters, and so does what stands between them.
 */
export function storeSource(json: string, place: SourcePlace, source: string): TextEdit {
  const asciiOnly = /^[\0-\x7f]*$/.test(json.slice(place.start, place.end));
  const before = place.strings.map((one) => decoded(json, one));
  const written = new Map(place.strings.map((one, index) => [before[index], json.slice(one.start, one.end)]));
  const encode = (line: string): string => written.get(line) ?? encoded(line, asciiOnly);
  const whole = { start: place.start, end: place.end };
  if (!place.isList) return { span: whole, text: encode(source) };

  const lines = source === '' ? [] : source.split(/(?<=\n)/);
  const { opening, between, closing } = layoutOf(json, place);
  const { head, tail } = sameEnds(before, lines);
  const first = place.strings[head];
  const last = place.strings[before.length - tail - 1];
  const changed = lines
    .slice(head, lines.length - tail)
    .map(encode)
    .join(between);
  if (first !== undefined && last !== undefined && first.start <= last.start && changed !== '') {
    return { span: { start: first.start, end: last.end }, text: changed };
  }
  // Lines came or went without another changing: commas come and go with them.
  if (head === before.length && head === lines.length) return { span: { start: place.end, end: place.end }, text: '' };
  return { span: whole, text: `[${opening}${lines.map(encode).join(between)}${closing}]` };
}

/** What stands before, between and behind the strings of a list. */
function layoutOf(json: string, { start, end, strings }: SourcePlace) {
  const [first, second] = strings;
  const opening = json.slice(start + 1, first?.start ?? end - 1);
  const closing = json.slice(strings.at(-1)?.end ?? end - 1, end - 1);
  const between = first !== undefined && second !== undefined ? json.slice(first.end, second.start) : `,${opening}`;
  return { opening, between, closing };
}

/** How many lines two lists have in common at their beginnings, and behind that at their ends. */
function sameEnds(before: readonly string[], after: readonly string[]): { head: number; tail: number } {
  const most = Math.min(before.length, after.length);
  let head = 0;
  while (head < most && before[head] === after[head]) head++;
  let tail = 0;
  while (tail < most - head && before.at(-1 - tail) === after.at(-1 - tail)) tail++;
  return { head, tail };
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
