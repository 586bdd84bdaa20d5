import { isUtf8 } from 'node:buffer';
import { configWords } from '../core/config/relevantConfig.ts';
import { isRelevant, relevantWords } from '../core/lint/relevant.ts';

/** A source file as text, with what it takes to write it back byte for byte. */
export interface PythonSource {
  /** Without the byte order mark: neither Python nor an editor counts it as a column. */
  readonly text: string;
  readonly byteOrderMark: boolean;
  /** Why the text must not be written back; undefined for sound files. */
  readonly damage: string | undefined;
}

/** Beyond this a file is data, not code a person edits (the language server draws the same line). */
export const largestSourceBytes = 4_000_000;

/** A file without any word that rules are about need not be decoded, and Python that only says one by the way not be parsed. */
export function mayHaveFindings(bytes: Uint8Array, kind: 'python' | 'notebook' | 'config'): boolean {
  const hasWord = saysOneOf(kind === 'config' ? configWords : relevantWords, bytes);
  if (kind !== 'python' || !hasWord || bytes.byteLength > largestSourceBytes) return hasWord;
  return isRelevant(decodeSource(bytes).text);
}

function saysOneOf(words: readonly string[], bytes: Uint8Array): boolean {
  const encoding = utf16Of(bytes);
  if (encoding === undefined) return words.some((word) => asBuffer(bytes).includes(word));
  return words.some((word) => asBuffer(bytes).includes(inUtf16(word, encoding)));
}

/** NUL bytes, and no byte order mark that explains them: Python cannot run it, and nothing can be said about it. */
export const isBinary = (bytes: Uint8Array): boolean => utf16Of(bytes) === undefined && bytes.includes(0);

/** Never fails: bytes that mean nothing in the file's encoding become U+FFFD, so that the rest is still looked at. */
export function decodeSource(bytes: Uint8Array): PythonSource {
  const utf16 = utf16Of(bytes);
  if (utf16 !== undefined) {
    return { text: decoded(bytes.subarray(2), utf16), byteOrderMark: false, damage: 'it is UTF-16, not UTF-8' };
  }
  if (!isUtf8(bytes)) {
    return { text: decoded(bytes, declaredEncoding(bytes)), byteOrderMark: false, damage: 'it is not UTF-8' };
  }
  const byteOrderMark = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf;
  const text = decoded(byteOrderMark ? bytes.subarray(3) : bytes, 'utf-8');
  return { text, byteOrderMark, damage: bytes.includes(0) ? 'it has NUL bytes' : undefined };
}

export const encodeSource = (text: string, { byteOrderMark }: PythonSource): Uint8Array =>
  Buffer.from(byteOrderMark ? `\ufeff${text}` : text, 'utf8');

type Utf16 = 'utf-16le' | 'utf-16be';

function utf16Of(bytes: Uint8Array): Utf16 | undefined {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf-16le';
  return bytes[0] === 0xfe && bytes[1] === 0xff ? 'utf-16be' : undefined;
}

function inUtf16(word: string, encoding: Utf16): Buffer {
  const bytes = Buffer.from(word, 'utf16le');
  return encoding === 'utf-16le' ? bytes : bytes.swap16();
}

/** What a comment on one of the first two lines says, as Python reads it; UTF-8 where it says nothing that is known. */
function declaredEncoding(bytes: Uint8Array): string {
  const [first = '', second = ''] = asBuffer(bytes.subarray(0, 500))
    .toString('latin1')
    .split(/\r\n?|\n/);
  const name = [first, second].map((line) => /^[ \t\f]*#.*?coding[:=][ \t]*([-\w.]+)/.exec(line)?.[1]).find(Boolean);
  const label = (name ?? 'utf-8')
    .toLowerCase()
    .replaceAll('_', '-')
    .replace(/^latin-1$/, 'latin1')
    .replace(/^cp(?=125\d$)/, 'windows-');
  try {
    return new TextDecoder(label).encoding;
  } catch {
    return 'utf-8';
  }
}

const decoded = (bytes: Uint8Array, encoding: string): string =>
  new TextDecoder(encoding, { ignoreBOM: true }).decode(bytes);

const asBuffer = (bytes: Uint8Array): Buffer => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
