import type { Origin } from '../core/facts/facts.ts';
import { LineIndex } from '../core/text/lineIndex.ts';

/** Finds the lines of a JSON object's keys in its text; `inside` names the nested object that is meant. */
export function jsonPlaces(path: string, text: string, inside: string | undefined): (key: string) => Origin {
  const lines = new LineIndex(text);
  const from = inside === undefined ? 0 : Math.max(0, keyOffset(text, inside, 0));
  return (key) => {
    const start = Math.max(0, keyOffset(text, key, from));
    const { line, column } = lines.positionAt(start);
    const span = { start, end: start + key.length + 2 };
    return { kind: 'literal', place: { path, span, line: line + 1, column: column + 1 } };
  };
}

function keyOffset(text: string, key: string, from: number): number {
  const match = new RegExp(`${JSON.stringify(key)}\\s*:`).exec(text.slice(from));
  return match === null ? -1 : from + match.index;
}
