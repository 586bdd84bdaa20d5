import { preferredFix } from '../lint/fixAll.ts';
import type { Diagnostic } from '../lint/rule.ts';
import { LineIndex } from '../text/lineIndex.ts';
import { type CheckReport, counted, findingCount, regionOf } from './checkedFile.ts';
import { codeFrame } from './codeFrame.ts';
import { plain } from './plain.ts';

export interface TextOptions {
  /** Show the line of code under each finding. */
  readonly frames: boolean;
  /** Say how many findings `--fix` would take away; pointless where it has just run. */
  readonly offersFix: boolean;
}

/** `check --format text`: one line per finding that editors and terminals can jump from, and a summary at the end. */
export function textReport(report: CheckReport, options: TextOptions): string {
  const blocks = report.withFindings.flatMap(({ path, text, diagnostics }) => {
    const lines = new LineIndex(text);
    return diagnostics.map((diagnostic) => {
      const line = findingLine(path, lines, diagnostic);
      return options.frames ? `${line}\n${codeFrame(text, lines, diagnostic.at)}\n` : line;
    });
  });
  return [...blocks, summary(report, options), ''].join('\n');
}

function findingLine(path: string, lines: LineIndex, { at, severity, code, message, name }: Diagnostic): string {
  const { startLine, startColumn } = regionOf(lines, at);
  return `${plain(path)}:${startLine}:${startColumn}: ${severity} ${code} ${plain(message)} [${name}]`;
}

function summary(report: CheckReport, { offersFix }: TextOptions): string {
  const findings = findingCount(report);
  if (findings === 0) return `No findings in ${counted(report.files, 'file')}`;
  const fixable = report.withFindings.flatMap(({ diagnostics }) => diagnostics).filter(preferredFix).length;
  const where = `${report.withFindings.length} of ${counted(report.files, 'file')}`;
  return `${counted(findings, 'finding')} in ${where}${fixable === 0 || !offersFix ? '' : `; --fix can fix ${fixable}`}`;
}
