import { readFileSync, writeFileSync } from 'node:fs';
import { errorsOf, meanError, percent, type Section, signedPercent } from './comparison.ts';
import type { Rival } from './sections/sideBySide.ts';

const start = '<!-- accuracy:start -->';
const end = '<!-- accuracy:end -->';

/** The README's table, in Markdown: what was compared, on how many rows, and how far off we are. */
export function accuracyTable(sections: readonly Section[], rivals: readonly Rival[]): string {
  const compared = sections.flatMap(({ title, comparisons }) => {
    const errors = errorsOf(comparisons);
    if (errors.length === 0) return [];
    const worst = errors[0]?.share ?? 0;
    return [`| ${title} | ${errors.length} | ${percent(meanError(errors))} | ${signedPercent(worst)} |`];
  });
  const beside = rivals.map(
    ({ name, rows, count, theirs, ours }) =>
      `| ${name} | ${count} ${rows} | ${percent(theirs.mean)} | ${percent(ours.mean)} |`,
  );
  return [
    '| compared with | numbers | mean error | worst |',
    '|---|---|---|---|',
    ...compared,
    '',
    '| tool or formula | the same rows | its mean error | ours |',
    '|---|---|---|---|',
    ...beside,
  ].join('\n');
}

/** Puts the table between the markers of a file; a file without them is left alone and said so. */
export function writeTable(file: string, table: string): boolean {
  const text = readFileSync(file, 'utf8');
  const [from, to] = [text.indexOf(start), text.indexOf(end)];
  if (from < 0 || to < from) return false;
  writeFileSync(file, `${text.slice(0, from + start.length)}\n${table}\n${text.slice(to)}`);
  return true;
}
