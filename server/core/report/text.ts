import { preferredFix } from '../lint/fixAll.ts';
import type { Diagnostic } from '../lint/rule.ts';
import { type CheckedFile, type CheckReport, counted, findingCount } from './checkedFile.ts';
import { codeFrame } from './codeFrame.ts';
import { type ShownPlace, shownFile } from './findingPlaces.ts';
import { plain } from './plain.ts';

export interface TextOptions {
  /** Show the line of code under each finding. */
  readonly frames: boolean;
  /** Say how many findings `--fix` would take away; pointless where it has just run. */
  readonly offersFix: boolean;
}

/** `check --format text`: one line per finding that editors and terminals can jump from, and a summary at the end. */
export const textReport = (report: CheckReport, options: TextOptions): string =>
  report.withFindings.map((file) => textOfFile(file, options)).join('') + textSummary(report, options);

/** The findings of one file, which need not wait for those of the others. */
export function textOfFile(file: CheckedFile, { frames }: TextOptions): string {
  const { diagnostics, place } = shownFile(file);
  const blocks = diagnostics.map((diagnostic) => {
    const shown = place(diagnostic.at);
    const line = findingLine(file.path, shown, diagnostic);
    return frames ? `${line}\n${codeFrame(shown.text, shown.lines, shown.span)}\n` : line;
  });
  return blocks.map((block) => `${block}\n`).join('');
}

/** The line at the end. */
export const textSummary = (report: CheckReport, options: TextOptions): string => `${summary(report, options)}\n`;

function findingLine(path: string, shown: ShownPlace, { severity, code, message, name }: Diagnostic): string {
  const { cell, startLine, startColumn } = shown;
  const file = cell === undefined ? plain(path) : `${plain(path)}:cell ${cell}`;
  return `${file}:${startLine}:${startColumn}: ${severity} ${code} ${plain(message)} [${name}]`;
}

function summary(report: CheckReport, { offersFix }: TextOptions): string {
  const findings = findingCount(report);
  if (findings === 0) return `No findings in ${counted(report.files, 'file')}`;
  const fixable = report.withFindings.flatMap(({ diagnostics }) => diagnostics).filter(preferredFix).length;
  const where = `${report.withFindings.length} of ${counted(report.files, 'file')}`;
  return `${counted(findings, 'finding')} in ${where}${fixable === 0 || !offersFix ? '' : `; --fix can fix ${fixable}`}`;
}
