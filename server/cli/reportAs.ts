import path from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Rule } from '../core/lint/rule.ts';
import type { CheckedFile, CheckReport } from '../core/report/checkedFile.ts';
import { githubReport } from '../core/report/github.ts';
import { jsonReport } from '../core/report/json.ts';
import { sarifReport } from '../core/report/sarif.ts';
import { type TextOptions, textOfFile, textReport, textSummary } from '../core/report/text.ts';
import { rulePages } from '../core/rules/generated/pages.ts';
import { installedVersion } from '../scan/installation.ts';
import { type Problem, problemLine } from '../scan/problem.ts';

export const formats = ['text', 'json', 'sarif', 'github'] as const;
export type Format = (typeof formats)[number];

export interface ReportContext {
  readonly rules: readonly Rule[];
  readonly problems: readonly Problem[];
  readonly toTerminal: boolean;
  readonly fixed: boolean;
}

export function reportAs(format: Format, report: CheckReport, context: ReportContext): string {
  switch (format) {
    case 'text':
      return textReport(report, textOptions(context));
    case 'json':
      return jsonReport(report);
    case 'github':
      return githubReport(withPaths(report, (file) => fromHere(file) ?? file));
    case 'sarif':
      return sarifReport(
        withPaths(report, (file) => fromHere(file) ?? pathToFileURL(file).href),
        {
          toolVersion: installedVersion(),
          rules: context.rules,
          pages: rulePages,
          rootUri: pathToFileURL(`${process.cwd()}${path.sep}`).href,
          problems: context.problems.map(problemLine),
        },
      );
  }
}

type TextContext = Pick<ReportContext, 'toTerminal' | 'fixed'>;

/** The text report file by file, and what ends it. */
export const findingsAsText = (file: CheckedFile, context: TextContext): string =>
  textOfFile(file, textOptions(context));
export const summaryAsText = (report: CheckReport, context: TextContext): string =>
  textSummary(report, textOptions(context));

const textOptions = ({ toTerminal, fixed }: TextContext): TextOptions => ({ frames: toTerminal, offersFix: !fixed });

const withPaths = (report: CheckReport, change: (file: string) => string): CheckReport => ({
  ...report,
  withFindings: report.withFindings.map((file) => ({ ...file, path: change(file.path) })),
});

/** Relative to the current folder with `/` between parts, as services that know the repository want it. */
function fromHere(file: string): string | undefined {
  const relative = path.relative('', file);
  const isOutside = relative === '..' || relative.startsWith(`..${path.sep}`) || path.isAbsolute(relative);
  return isOutside ? undefined : relative.replaceAll(path.sep, '/');
}
