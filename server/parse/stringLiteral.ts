import type { Syntax } from './syntax.ts';

const simpleEscapes: Readonly<Record<string, string>> = {
  n: '\n',
  r: '\r',
  t: '\t',
  '\\': '\\',
  "'": "'",
  '"': '"',
  a: '\u0007',
  b: '\b',
  f: '\f',
  v: '\v',
  '\n': '',
  '\r\n': '',
};

/** The text a string node stands for; undefined for bytes, for f-strings with interpolations and for `\N{…}` escapes. */
export function stringValue(node: Syntax, text: string): string | undefined {
  const opening = node.children.find((part) => part.type === 'string_start');
  const closing = node.children.find((part) => part.type === 'string_end');
  if (opening === undefined || closing === undefined) return undefined;
  const prefix = text.slice(opening.start, opening.end).toLowerCase();
  if (prefix.includes('b') || node.children.some((part) => part.type === 'interpolation')) return undefined;
  const body = text.slice(opening.end, closing.start);
  if (prefix.includes('r')) return body;
  if (!body.includes('\\')) return body;
  if (/\\N\{/.test(body)) return undefined;
  return body.replace(/\\(?:(\r\n|[\s\S])|$)/g, (whole, escaped: string | undefined) =>
    escaped === undefined ? whole : (simpleEscapes[escaped] ?? whole),
  );
}
