import { isUtf8 } from 'node:buffer';
import { configWords, largestConfigBytes } from '../core/config/relevantConfig.ts';
import { relevantWords } from '../core/lint/relevant.ts';

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

/** A file without any word that rules are about needs neither decoding nor parsing. */
export function mayHaveFindings(bytes: Uint8Array, isConfig = false): boolean {
  if (isConfig && bytes.byteLength > largestConfigBytes) return false;
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return (isConfig ? configWords : relevantWords).some((word) => buffer.includes(word));
}

/** Never fails: bytes that are not UTF-8 become U+FFFD, so that the rest of the file is still looked at. */
export function decodeSource(bytes: Uint8Array): PythonSource {
  const byteOrderMark = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf;
  const text = new TextDecoder('utf-8', { ignoreBOM: true }).decode(byteOrderMark ? bytes.subarray(3) : bytes);
  return { text, byteOrderMark, damage: damageOf(bytes) };
}

export const encodeSource = (text: string, { byteOrderMark }: PythonSource): Uint8Array =>
  Buffer.from(byteOrderMark ? `\ufeff${text}` : text, 'utf8');

function damageOf(bytes: Uint8Array): string | undefined {
  if (!isUtf8(bytes)) return 'it is not UTF-8';
  if (bytes.includes(0)) return 'it has NUL bytes';
  return undefined;
}
