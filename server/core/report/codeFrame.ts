import type { LineIndex } from '../text/lineIndex.ts';
import type { Span } from '../text/span.ts';
import { plain } from './plain.ts';

/** The line a span begins on with the span underlined; of a long line the part around it. */
export function codeFrame(text: string, lines: LineIndex, at: Span): string {
  const { line, column } = lines.positionAt(at.start);
  const whole = lines.lineSpan(line);
  const code = text.slice(whole.start, whole.end).replace(/[\r\n]+$/, '');
  const from = column > longestLine / 2 && code.length > longestLine ? column - longestLine / 2 : 0;
  const until = Math.min(code.length, from + longestLine);
  const before = shown(code.slice(from, column));
  const marked = shown(code.slice(column, Math.min(until, column + at.end - at.start)));
  const behind = shown(code.slice(column, until).slice(at.end - at.start));
  const number = String(line + 1).padStart(5);
  const left = from > 0 ? '… ' : '';
  const underline = `${' '.repeat(left.length + before.length)}${'^'.repeat(Math.max(1, marked.length))}`;
  return [
    `${number} | ${left}${before}${marked}${behind}${until < code.length ? ' …' : ''}`,
    `${' '.repeat(number.length)} | ${underline}`,
  ].join('\n');
}

/** In UTF-16 units; what fits a wide terminal. */
const longestLine = 140;

const shown = (code: string): string => plain(code.replaceAll('\t', '    '));
