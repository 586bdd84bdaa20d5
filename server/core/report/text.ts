import { preferredFix } from '../lint/fixAll.ts';
import type { Diagnostic } from '../lint/rule.ts';
import { type CheckReport, counted, findingCount } from './checkedFile.ts';
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
export function textReport(report: CheckReport, options: TextOptions): string {
  const blocks = report.withFindings.flatMap((file) => {
    const { diagnostics, place } = shownFile(file);
    return diagnostics.map((diagnostic) => {
      const shown = place(diagnostic.at);
      const line = findingLine(file.path, shown, diagnostic);
      return options.frames ? `${line}\n${codeFrame(shown.text, shown.lines, shown.span)}\n` : line;
    });
  });
  return [...blocks, summary(report, options), ''].join('\n');
}

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
